// The value, or 0 if it is NaN or negative.
static double non_negative(double x)
{
    return larger(x, 0.0);
}

// NaN and minus infinity become 0, infinity becomes 1.
static double finite_strength(double x)
{
    if (x == POSITIVE_INFINITY) return 1.0;
    return x > -POSITIVE_INFINITY ? x : 0.0;
}

static double clamp(double x, double lower, double upper)
{
    if (x > upper) return upper;
    return x < lower ? lower : x;
}

// Number of firing rules that are stronger than rule `own`, or equally strong and earlier.
static double rank_strongest(int own, const double *strengths, const double *firing, int n)
{
    double rank = 0.0;
    for (int other = 0; other < n; ++other) {
        const int equal = strengths[other] == strengths[own] && other < own;
        if (strengths[other] > strengths[own] || equal) rank += firing[other];
    }
    return rank;
}

// Number of firing rules that are weaker than rule `own`, or equally weak and earlier.
static double rank_weakest(int own, const double *strengths, const double *firing, int n)
{
    double rank = 0.0;
    for (int other = 0; other < n; ++other) {
        const int equal = strengths[other] == strengths[own] && other < own;
        if (strengths[other] < strengths[own] || equal) rank += firing[other];
    }
    return rank;
}

// Number of knots at or below a level, of n knots in ascending order.
static int knots_at_or_below(double level, const double *knots, int n)
{
    int below = 0, end = n;
    while (below < end) {
        const int middle = (below + end) / 2;
        if (knots[middle] <= level) below = middle + 1; else end = middle;
    }
    return below;
}

// Adds the area and the moment of a set clipped at a level, which are linear in the level between knots.
static void add_linear_piece(
    double level, const double *knots, int n, const double (*lines)[4], double *area, double *moment)
{
    const double *line = lines[knots_at_or_below(level, knots, n)];
    *area += line[0] + line[1] * level;
    *moment += line[2] + line[3] * level;
}

// Adds the area and the moment of a set clipped at a level, which are polynomials of the level between knots.
static void add_polynomial_piece(
    double level, const double *knots, int n, const double (*curves)[8], double *area, double *moment)
{
    const double *curve = curves[knots_at_or_below(level, knots, n)];
    const double u = level - curve[3];
    *area += curve[0] + u * (curve[1] + u * curve[2]);
    *moment += curve[4] + u * (curve[5] + u * (curve[6] + u * curve[7]));
}

static double indicator(int condition)
{
    return condition ? 1.0 : 0.0;
}

static int equal_or_both_nan(double a, double b)
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

static int is_nan_value(double x)
{
    return x != x;
}
