static double centroid(PARAMETERS)
{
    double area = 0.0, moment = 0.0;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = AGGREGATED;
        area += m;
        moment += POSITION * m;
    }
    return moment / area;
}

// Mean of the samples where the cumulative area is closest to half of the total area.
static double bisector(PARAMETERS)
{
    double total = 0.0;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = AGGREGATED;
        if (m == m) total += m;
    }
    double area = 0.0, best = POSITIVE_INFINITY, sum = 0.0, count = 0.0;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = AGGREGATED;
        if (m == m) area += m;
        const double offset = absolute(area / total - 0.5);
        if (offset < best) {
            best = offset;
            sum = 0.0;
            count = 0.0;
        }
        if (offset == best) {
            sum += POSITION;
            count += 1.0;
        }
    }
    return sum / count;
}

// First sample where the cumulative area reaches half of the total area.
static double matlab_bisector(PARAMETERS)
{
    double total = 0.0;
    for (int s = 0; s < SAMPLES; ++s) total += AGGREGATED;
    const double half = total * 0.5;
    double area = 0.0;
    for (int s = 0; s < SAMPLES; ++s) {
        area += AGGREGATED;
        if (area >= half && half > 0.0) return POSITION;
    }
    return NOT_A_NUMBER;
}

static double mean_of_maximum(PARAMETERS)
{
    double highest = AGGREGATED_FIRST;
    for (int s = 1; s < SAMPLES; ++s) highest = maximum(highest, AGGREGATED);
    double sum = 0.0, count = 0.0;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = AGGREGATED;
        if (m > 0.0 && m == highest) {
            sum += POSITION;
            count += 1.0;
        }
    }
    return sum / count;
}

static double smallest_of_maximum(PARAMETERS)
{
    double highest = AGGREGATED_FIRST;
    for (int s = 1; s < SAMPLES; ++s) highest = maximum(highest, AGGREGATED);
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = AGGREGATED;
        if (m > 0.0 && m == highest) return POSITION;
    }
    return NOT_A_NUMBER;
}

static double largest_of_maximum(PARAMETERS)
{
    double highest = AGGREGATED_FIRST;
    for (int s = 1; s < SAMPLES; ++s) highest = maximum(highest, AGGREGATED);
    double best = NOT_A_NUMBER;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = AGGREGATED;
        if (m > 0.0 && m == highest) best = POSITION;
    }
    return best;
}

// Sample of maximum membership with the smallest magnitude; the first one in a tie.
static double smallest_magnitude_of_maximum(PARAMETERS)
{
    double highest = AGGREGATED_FIRST;
    for (int s = 1; s < SAMPLES; ++s) highest = maximum(highest, AGGREGATED);
    double best = NOT_A_NUMBER;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = AGGREGATED;
        if (m > 0.0 && m == highest && !(absolute(POSITION) >= absolute(best))) best = POSITION;
    }
    return best;
}

// Sample of maximum membership with the largest magnitude; the first one in a tie.
static double largest_magnitude_of_maximum(PARAMETERS)
{
    double highest = AGGREGATED_FIRST;
    for (int s = 1; s < SAMPLES; ++s) highest = maximum(highest, AGGREGATED);
    double best = NOT_A_NUMBER;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = AGGREGATED;
        if (m > 0.0 && m == highest && !(absolute(POSITION) <= absolute(best))) best = POSITION;
    }
    return best;
}
