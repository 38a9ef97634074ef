mod datasets;
