// The smaller of two numbers; b if either is NaN.
static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// The larger of two numbers; b if either is NaN.
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double clamp_0_1(double x)
{
    return smaller(1.0, larger(0.0, x));
}

// x if it is NaN, otherwise y.
static double propagate_nan(double x, double y)
{
    return x == x ? y : x;
}

// NaN if a or b is NaN, otherwise y.
static double propagate_either_nan(double a, double b, double y)
{
    return a == a && b == b ? y : a + b;
}

// Linear from 0 at bottom to 1 at top; 1 if bottom is minus infinity.
static double rising_edge(double x, double bottom, double top)
{
    if (bottom == -POSITIVE_INFINITY || x >= top) return x == x ? 1.0 : x;
    return larger(0.0, (x - bottom) * (1.0 / (top - bottom)));
}

// Quadratic S curve from 0 to 1.
static double s_curve(double t)
{
    const double complement = 1.0 - t;
    return t < 0.5 ? 2.0 * t * t : 1.0 - 2.0 * complement * complement;
}

// Distance from the center in units of the width.
static double normalized_distance(double x, double center, double width)
{
    return x == center ? 0.0 : absolute(x - center) * (1.0 / absolute(width));
}

static double trapezoid(double x, double bottom_left, double top_left, double top_right, double bottom_right)
{
    return smaller(rising_edge(x, bottom_left, top_left), rising_edge(-x, -bottom_right, -top_right));
}

static double triangle(double x, double left, double top, double right)
{
    return trapezoid(x, left, top, top, right);
}

static double rectangle(double x, double start, double end)
{
    const int inside = x >= smaller(start, end) && x <= larger(start, end);
    return propagate_nan(x, inside ? 1.0 : 0.0);
}

// Linear interpolation between points (x, y), constant beyond the outer points.
static double discrete(double x, const double (*points)[2], int n)
{
    int first = 0, after = n;
    while (first < after) {
        const int middle = (first + after) / 2;
        if (points[middle][0] <= x) first = middle + 1; else after = middle;
    }
    if (x != x) return x;
    if (first == 0) return points[0][1];
    if (first == n) return points[n - 1][1];
    const double slope = (points[first][1] - points[first - 1][1]) / (points[first][0] - points[first - 1][0]);
    return points[first - 1][1] + slope * (x - points[first - 1][0]);
}

static double semi_ellipse(double x, double start, double end)
{
    const double lower = smaller(start, end), upper = larger(start, end);
    if (!(x >= lower && x <= upper)) return propagate_nan(x, 0.0);
    const double scale = 2.0 / (upper - lower);
    return lower == upper ? 1.0 : sqrt_of(clamp_0_1((x - lower) * scale * ((upper - x) * scale)));
}

static double bell(double x, double center, double width, double slope)
{
    if (width == 0.0) return propagate_nan(x, x == center ? 1.0 : 0.0);
    return propagate_nan(x, 1.0 / (1.0 + pow_of(normalized_distance(x, center, width), 2.0 * slope)));
}

// Bell whose exponent, 2 * slope, is an integer.
static double bell_integer_power(double x, double center, double width, int power)
{
    if (width == 0.0) return propagate_nan(x, x == center ? 1.0 : 0.0);
    double square = normalized_distance(x, center, width), product = 1.0;
    for (int rest = power; rest > 0; rest /= 2) {
        if (rest % 2 == 1) product *= square;
        square *= square;
    }
    return 1.0 / (1.0 + product);
}

static double cosine(double x, double center, double width)
{
    const double t = normalized_distance(x, center, width);
    const int inner = t <= 0.25;
    const double s = sin_pi(inner ? t : larger(0.0, 0.5 - t));
    return propagate_nan(x, inner ? 1.0 - s * s : s * s);
}

static double half_squared_distance(double x, double mean, double standard_deviation)
{
    const double t = normalized_distance(x, mean, standard_deviation * 1.4142135623730951);
    return t * t;
}

static double gaussian(double x, double mean, double standard_deviation)
{
    return exp_of(-half_squared_distance(x, mean, standard_deviation));
}

static double gaussian_product(double x, double mean_a, double sd_a, double mean_b, double sd_b)
{
    const double a = x < mean_a ? half_squared_distance(x, mean_a, sd_a) : 0.0;
    const double b = x > mean_b ? half_squared_distance(x, mean_b, sd_b) : 0.0;
    return propagate_nan(x, exp_of(-(a + b)));
}

static double spike(double x, double center, double width)
{
    return exp_of(-10.0 * normalized_distance(x, center, width));
}

static double arc(double x, double start, double end)
{
    const double position = clamp_0_1((x - start) * (1.0 / (end - start)));
    const double t = x == end ? 1.0 : position;
    return propagate_nan(x, start == end ? 0.0 : sqrt_of(t * (2.0 - t)));
}

static double binary(double x, double start, double direction)
{
    const int inside = direction > start ? x >= start : x <= start;
    return propagate_nan(x, inside ? 1.0 : 0.0);
}

static double concave(double x, double inflection, double end)
{
    const double d = absolute(end - inflection);
    const double side = inflection > end ? x - end : end - x;
    const double before = inflection == end ? absolute(side) : side;
    return before <= 0.0 ? 1.0 : d / (d + before);
}

static double ramp(double x, double start, double end)
{
    if (x == end) return 1.0;
    if (start == end) return propagate_nan(x, x > end ? 1.0 : 0.0);
    return clamp_0_1((x - start) * (1.0 / (end - start)));
}

static double sigmoid_exponent(double x, double inflection, double slope)
{
    return slope == 0.0 ? propagate_nan(x, 0.0) : slope * (inflection - x);
}

static double sigmoid(double x, double inflection, double slope)
{
    return 1.0 / (1.0 + exp_of(sigmoid_exponent(x, inflection, slope)));
}

static double sigmoid_difference(double x, double left, double rising, double falling, double right)
{
    const double a = sigmoid_exponent(x, left, rising), b = sigmoid_exponent(x, right, falling);
    const double sign = a < 0.0 && b < 0.0 ? -1.0 : 1.0;
    return absolute(1.0 / (1.0 + exp_of(sign * a)) - 1.0 / (1.0 + exp_of(sign * b)));
}

static double sigmoid_product(double x, double left, double rising, double falling, double right)
{
    return sigmoid(x, left, rising) * sigmoid(x, right, falling);
}

static double s_shape(double x, double start, double end)
{
    return x <= start ? 0.0 : s_curve(clamp_0_1((x - start) * (1.0 / (end - start))));
}

static double z_shape(double x, double start, double end)
{
    return x <= start ? 1.0 : s_curve(clamp_0_1((end - x) * (1.0 / (end - start))));
}

static double pi_shape(double x, double bottom_left, double top_left, double top_right, double bottom_right)
{
    return s_shape(x, bottom_left, top_left) * z_shape(x, top_right, bottom_right);
}

static double inverse_ramp(double level, double start, double end)
{
    return start + (end - start) * level;
}

static double inverse_sigmoid(double level, double inflection, double slope)
{
    return inflection + log_of(level / (1.0 - level)) / slope;
}

static double inverse_concave(double level, double inflection, double end)
{
    return end - (end - inflection) * (1.0 / level - 1.0);
}

static double inverse_s_shape(double level, double start, double end)
{
    return level <= 0.5 ? start + (end - start) * sqrt_of(level / 2.0)
                        : end - (end - start) * sqrt_of((1.0 - level) / 2.0);
}

static double inverse_z_shape(double level, double start, double end)
{
    return inverse_s_shape(level, end, start);
}

static double inverse_arc(double level, double start, double end)
{
    return end - (end - start) * sqrt_of((1.0 - level) * (1.0 + level));
}

static double minimum(double a, double b)
{
    return propagate_either_nan(a, b, smaller(a, b));
}

static double algebraic_product(double a, double b)
{
    return a * b;
}

static double bounded_difference(double a, double b)
{
    return propagate_either_nan(a, b, larger(0.0, smaller(a, b) - (1.0 - larger(a, b))));
}

static double drastic_product(double a, double b)
{
    return propagate_either_nan(a, b, larger(a, b) == 1.0 ? smaller(a, b) : 0.0);
}

static double einstein_product(double a, double b)
{
    return a * b / (1.0 + (1.0 - a) * (1.0 - b));
}

static double hamacher_product(double a, double b)
{
    const double sum = larger(a, b) + smaller(a, b) * (1.0 - larger(a, b));
    return propagate_either_nan(a, b, sum == 0.0 ? 0.0 : smaller(a, b) * (larger(a, b) / sum));
}

static double nilpotent_minimum(double a, double b)
{
    return propagate_either_nan(a, b, a + b > 1.0 || larger(a, b) == 1.0 ? smaller(a, b) : 0.0);
}

static double maximum(double a, double b)
{
    return propagate_either_nan(a, b, larger(a, b));
}

static double algebraic_sum(double a, double b)
{
    return propagate_either_nan(a, b, larger(a, b) + smaller(a, b) * (1.0 - larger(a, b)));
}

static double bounded_sum(double a, double b)
{
    return smaller(1.0, a + b);
}

static double drastic_sum(double a, double b)
{
    return propagate_either_nan(a, b, smaller(a, b) == 0.0 ? larger(a, b) : 1.0);
}

static double einstein_sum(double a, double b)
{
    const double rest = (1.0 - larger(a, b)) * (1.0 + larger(a, b));
    return propagate_either_nan(a, b, larger(a, b) + smaller(a, b) * rest / (1.0 + a * b));
}

static double hamacher_sum(double a, double b)
{
    const double p = 1.0 - larger(a, b), q = 1.0 - smaller(a, b);
    const double rest = p + larger(a, b) * q;
    return propagate_either_nan(a, b, rest == 0.0 ? 1.0 : larger(a, b) + smaller(a, b) * p * (p / rest));
}

static double nilpotent_maximum(double a, double b)
{
    return propagate_either_nan(a, b, a + b < 1.0 ? larger(a, b) : 1.0);
}

static double normalized_sum(double a, double b)
{
    return (a + b) / larger(1.0, a + b);
}

static double unbounded_sum(double a, double b)
{
    return a + b;
}

static double hedge_not(double m)
{
    return 1.0 - m;
}

static double hedge_very(double m)
{
    return m * m;
}

static double hedge_somewhat(double m)
{
    return sqrt_of(m);
}

static double hedge_extremely(double m)
{
    const double complement = 1.0 - m;
    return m <= 0.5 ? 2.0 * m * m : 1.0 - 2.0 * complement * complement;
}

static double hedge_seldom(double m)
{
    return m <= 0.5 ? sqrt_of(0.5 * m) : 1.0 - sqrt_of(0.5 * (1.0 - m));
}
