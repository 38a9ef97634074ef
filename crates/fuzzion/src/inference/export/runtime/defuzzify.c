static double centroid(PARAMETERS)
{
    double area = 0.0, moment = 0.0;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = CONCLUDED;
        area += m;
        moment += PLACE * m;
    }
    return moment / area;
}

// The mean of the samples at which the area so far is nearest to half of all.
static double bisector(PARAMETERS)
{
    double all = 0.0;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = CONCLUDED;
        if (m == m) all += m;
    }
    double area = 0.0, best = INFINITE, sum = 0.0, count = 0.0;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = CONCLUDED;
        if (m == m) area += m;
        const double off = absolute(area / all - 0.5);
        if (off < best) {
            best = off;
            sum = 0.0;
            count = 0.0;
        }
        if (off == best) {
            sum += PLACE;
            count += 1.0;
        }
    }
    return sum / count;
}

// The first sample up to which there is at least half of the area.
static double first_half(PARAMETERS)
{
    double all = 0.0;
    for (int s = 0; s < SAMPLES; ++s) all += CONCLUDED;
    const double half = all * 0.5;
    double area = 0.0;
    for (int s = 0; s < SAMPLES; ++s) {
        area += CONCLUDED;
        if (area >= half && half > 0.0) return PLACE;
    }
    return MISSING;
}

static double mean_of_maximum(PARAMETERS)
{
    double top = CONCLUDED_FIRST;
    for (int s = 1; s < SAMPLES; ++s) top = maximum(top, CONCLUDED);
    double sum = 0.0, count = 0.0;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = CONCLUDED;
        if (m > 0.0 && m == top) {
            sum += PLACE;
            count += 1.0;
        }
    }
    return sum / count;
}

static double smallest_of_maximum(PARAMETERS)
{
    double top = CONCLUDED_FIRST;
    for (int s = 1; s < SAMPLES; ++s) top = maximum(top, CONCLUDED);
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = CONCLUDED;
        if (m > 0.0 && m == top) return PLACE;
    }
    return MISSING;
}

static double largest_of_maximum(PARAMETERS)
{
    double top = CONCLUDED_FIRST;
    for (int s = 1; s < SAMPLES; ++s) top = maximum(top, CONCLUDED);
    double best = MISSING;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = CONCLUDED;
        if (m > 0.0 && m == top) best = PLACE;
    }
    return best;
}

// The sample next to 0, the earlier of equals.
static double nearest_of_maximum(PARAMETERS)
{
    double top = CONCLUDED_FIRST;
    for (int s = 1; s < SAMPLES; ++s) top = maximum(top, CONCLUDED);
    double best = MISSING;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = CONCLUDED;
        if (m > 0.0 && m == top && !(absolute(PLACE) >= absolute(best))) best = PLACE;
    }
    return best;
}

// The sample farthest from 0, the earlier of equals.
static double farthest_of_maximum(PARAMETERS)
{
    double top = CONCLUDED_FIRST;
    for (int s = 1; s < SAMPLES; ++s) top = maximum(top, CONCLUDED);
    double best = MISSING;
    for (int s = 0; s < SAMPLES; ++s) {
        const double m = CONCLUDED;
        if (m > 0.0 && m == top && !(absolute(PLACE) <= absolute(best))) best = PLACE;
    }
    return best;
}
