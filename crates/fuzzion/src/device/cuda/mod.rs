pub(crate) mod program;
