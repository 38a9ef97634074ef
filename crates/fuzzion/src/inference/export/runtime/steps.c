// 0 where it is NaN or negative.
static double positive(double x)
{
    return most(x, 0.0);
}

// NaN and minus infinity count as 0, infinity as 1.
static double whole_strength(double x)
{
    if (x == INFINITE) return 1.0;
    return x > -INFINITE ? x : 0.0;
}

static double locked(double x, double minimum_of_range, double maximum_of_range)
{
    if (x > maximum_of_range) return maximum_of_range;
    return x < minimum_of_range ? minimum_of_range : x;
}

// How many firing rules are stronger than rule own of n, or as strong and earlier.
static double rank_strongest(int own, const double *strengths, const double *firing, int n)
{
    double rank = 0.0;
    for (int other = 0; other < n; ++other) {
        const int equal = strengths[other] == strengths[own] && other < own;
        if (strengths[other] > strengths[own] || equal) rank += firing[other];
    }
    return rank;
}

// How many firing rules are weaker than rule own of n, or as weak and earlier.
static double rank_weakest(int own, const double *strengths, const double *firing, int n)
{
    double rank = 0.0;
    for (int other = 0; other < n; ++other) {
        const int equal = strengths[other] == strengths[own] && other < own;
        if (strengths[other] < strengths[own] || equal) rank += firing[other];
    }
    return rank;
}

// How many of n ascending knots lie at or below a level.
static int place_of(double level, const double *knots, int n)
{
    int place = 0, after = n;
    while (place < after) {
        const int middle = (place + after) / 2;
        if (knots[middle] <= level) place = middle + 1; else after = middle;
    }
    return place;
}

// Adds the area and the moment of a set that is cut off at a level: straight lines of the level between knots.
static void add_line(
    double level, const double *knots, int n, const double (*lines)[4], double *area, double *moment)
{
    const double *line = lines[place_of(level, knots, n)];
    *area += line[0] + line[1] * level;
    *moment += line[2] + line[3] * level;
}

// Adds the area and the moment of a set that is cut off at a level: polynomials of the level between knots.
static void add_curve(
    double level, const double *knots, int n, const double (*curves)[8], double *area, double *moment)
{
    const double *curve = curves[place_of(level, knots, n)];
    const double u = level - curve[3];
    *area += curve[0] + u * (curve[1] + u * curve[2]);
    *moment += curve[4] + u * (curve[5] + u * (curve[6] + u * curve[7]));
}

static double truth(int holds)
{
    return holds ? 1.0 : 0.0;
}

static int same(double a, double b)
{
    return a == b || (a != a && b != b);
}

static double min_of(double a, double b)
{
    return a != a || a < b ? a : b;
}

static double max_of(double a, double b)
{
    return a != a || a > b ? a : b;
}

static int missing(double x)
{
    return x != x;
}
