#define POSITIVE_INFINITY (1e300 * 1e300)

#define NOT_A_NUMBER (POSITIVE_INFINITY - POSITIVE_INFINITY)

typedef union { double number; uint64_t bits; } double_bits;

static uint64_t to_bits(double x)
{
    double_bits value;
    value.number = x;
    return value.bits;
}

static double from_bits(uint64_t bits)
{
    double_bits value;
    value.bits = bits;
    return value.number;
}

static double absolute(double x)
{
    return x > 0.0 ? x : 0.0 - x;
}

// Rounding error of p = a * b: a * b == p + error exactly (T. J. Dekker, 1971).
static double product_error(double a, double b, double p)
{
    double t = 134217729.0 * a;
    const double a_high = t - (t - a), a_low = a - a_high;
    t = 134217729.0 * b;
    const double b_high = t - (t - b), b_low = b - b_high;
    return a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

// Rounding error of sum = a + b: a + b == sum + error exactly (D. E. Knuth, 1969).
static double sum_error(double a, double b, double sum)
{
    const double b_rounded = sum - a;
    return (a - (sum - b_rounded)) + (b - b_rounded);
}

// Square root: initial value by halving the exponent, four Newton steps, and one with the exact remainder.
static double sqrt_of(double x)
{
    if (!(x > 0.0) || x == POSITIVE_INFINITY) return x < 0.0 ? NOT_A_NUMBER : x;
    const int tiny = x < 2.2250738585072014e-308;
    const double m = x > 1e300 ? x * 0x1p-200 : x < 1e-200 ? x * (tiny ? 0x1p200 : 0x1p100) * 0x1p100 : x;
    double y = from_bits((to_bits(m) >> 1) + 0x1ff8000000000000u);
    for (int i = 0; i < 4; ++i) y = 0.5 * (y + m / y);
    const double square = y * y;
    y += 0.5 * ((m - square) - product_error(y, y, square)) / y;
    return x > 1e300 ? y * 0x1p100 : x < 1e-200 ? y * (tiny ? 0x1p-150 : 0x1p-100) : y;
}

// e to the power x + low, where low is a correction much smaller than x.
static double exp_of_pair(double x, double low)
{
    const double clamped = x < -746.0 ? -746.0 : x > 710.0 ? 710.0 : x;
    const double n = (clamped * 1.4426950408889634 + 6755399441055744.0) - 6755399441055744.0;
    const double r = ((clamped - n * 0.6931471803691238) - n * 1.9082149292705877e-10) + low;
    double q = 2.4994460707761183e-08;
    q = q * r + 2.7628133492819025e-07;
    q = q * r + 2.7557595902881717e-06;
    q = q * r + 2.480149952237562e-05;
    q = q * r + 0.00019841269507951304;
    q = q * r + 0.001388888893682508;
    q = q * r + 0.008333333333486213;
    q = q * r + 0.04166666666655912;
    q = q * r + 0.16666666666666444;
    q = q * r + 0.5000000000000007;
    const double p = (r * r * q + r) + 1.0;
    // 2 to the power n as two factors, because n can exceed the exponent range of normal numbers.
    const double half = n * 0.5 + 6755399441055744.0;
    const double rest = n - (half - 6755399441055744.0) + 6755399441055744.0;
    return p * from_bits((to_bits(half) << 52) + 0x3ff0000000000000u)
             * from_bits((to_bits(rest) << 52) + 0x3ff0000000000000u);
}

static double exp_of(double x)
{
    return exp_of_pair(x, 0.0);
}

// Splits x > 0 into 2 to the power e times a fraction between the square roots of 1/2 and 2.
static double split_exponent(double x, double *e)
{
    const int tiny = x < 2.2250738585072014e-308;
    const uint64_t bits = to_bits(tiny ? x * 18014398509481984.0 : x);
    const uint64_t biased = (bits - 0x3fe6a09e667f3bcdu + 0x3ff0000000000000u) >> 52;
    *e = from_bits(biased | 0x4330000000000000u) - (4503599627370496.0 + 1023.0) - (tiny ? 54.0 : 0.0);
    return from_bits(bits + 0x3ff0000000000000u - (biased << 52));
}

// Natural logarithm.
static double log_of(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? -POSITIVE_INFINITY : NOT_A_NUMBER;
    if (x == POSITIVE_INFINITY) return x;
    double e;
    const double f = split_exponent(x, &e) - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    double r = 0.1474400217818161;
    r = r * z + 0.15319534301092366;
    r = r * z + 0.18183336162452307;
    r = r * z + 0.2222220329527176;
    r = r * z + 0.28571428692172074;
    r = r * z + 0.3999999999966646;
    r = r * z + 0.6666666666666691;
    const double h = 0.5 * f * f;
    return e * 0.6931471803691238 + (f - (h - (s * (h + z * r) + e * 1.9082149292705877e-10)));
}

// Natural logarithm of a finite x > 0, accurate to about 65 bits, as the sum of two numbers.
static double log_to_pair(double x, double *low)
{
    double e;
    const double m = split_exponent(x, &e);
    // log m = 2s + (2/3) s^3 + s^5 P(s^2) with s = (m - 1) / (m + 1); all but the last term are sums of two numbers.
    const double f = m - 1.0;
    const double d = m + 1.0, d_low = sum_error(m, 1.0, d);
    const double s = f / d;
    const double sd = s * d;
    const double s_low = ((f - sd) - product_error(s, d, sd) - s * d_low) / d;
    const double z = s * s, z_low = product_error(s, s, z) + 2.0 * s * s_low;
    const double t = 0.6666666666666666 * z;
    const double t_low = product_error(0.6666666666666666, z, t)
        + (0.6666666666666666 * z_low + 3.700743415417188e-17 * z);
    const double u = t * s, u_low = product_error(t, s, u) + (t * s_low + t_low * s);
    double p = 0.13081606209415195;
    p = p * z + 0.1326974815995786;
    p = p * z + 0.15386175297151058;
    p = p * z + 0.18181797632783667;
    p = p * z + 0.2222222236062212;
    p = p * z + 0.28571428571036017;
    p = p * z + 0.4000000000000022;
    const double high = 2.0 * s + u;
    const double rest = sum_error(2.0 * s, u, high) + (2.0 * s_low + u_low + s * z * z * p);
    const double exponent_part = e * 0.6931471805598903;
    const double sum = exponent_part + high;
    const double sum_low = sum_error(exponent_part, high, sum) + (e * 5.497923018708371e-14 + rest);
    const double all = sum + sum_low;
    *low = sum_error(sum, sum_low, all);
    return all;
}

static double log10_of(double x)
{
    if (!(x > 0.0)) return x == 0.0 ? -POSITIVE_INFINITY : NOT_A_NUMBER;
    if (x == POSITIVE_INFINITY) return x;
    double low;
    const double high = log_to_pair(x, &low);
    const double p = high * 0.4342944819032518;
    return p + (product_error(high, 0.4342944819032518, p) + (high * 1.098319650216765e-17 + low * 0.4342944819032518));
}

static double log1p_of(double x)
{
    const double u = 1.0 + x;
    return u == 1.0 || u == POSITIVE_INFINITY ? x : log_of(u) * (x / (u - 1.0));
}

// x to the power y for x >= 0.
static double power_of_positive(double x, double y)
{
    if (y == 0.0 || x == 1.0) return 1.0;
    if (y != y) return y;
    if (x == 0.0) return y > 0.0 ? 0.0 : POSITIVE_INFINITY;
    if (x == POSITIVE_INFINITY) return y > 0.0 ? POSITIVE_INFINITY : 0.0;
    // Larger exponents give 0 or infinity; this bound keeps the exact product finite.
    const double exponent = y > 1e21 ? 1e21 : y < -1e21 ? -1e21 : y;
    double low;
    const double high = log_to_pair(x, &low);
    const double t = exponent * high;
    const double t_low = product_error(exponent, high, t) + exponent * low;
    return exp_of_pair(t, absolute(t) < 800.0 ? t_low : 0.0);
}

// Rounds to the nearest integer, ties to even.
static double round_of(double x)
{
    const double magnitude = absolute(x);
    if (!(magnitude < 4503599627370496.0)) return x;
    const double rounded = (magnitude + 4503599627370496.0) - 4503599627370496.0;
    return rounded == magnitude ? x : x < 0.0 ? -rounded : rounded;
}

static double floor_of(double x)
{
    const double rounded = round_of(x);
    return rounded > x ? rounded - 1.0 : rounded;
}

static double ceil_of(double x)
{
    return -floor_of(-x);
}

// x to the power y; NaN for a negative x unless y is an integer.
static double pow_of(double x, double y)
{
    if (x != x) return y == 0.0 ? 1.0 : x;
    const double p = power_of_positive(absolute(x), y);
    if (x > 0.0 || (x == 0.0 && 1.0 / x > 0.0)) return p;
    const int integer = floor_of(y) == y;
    const int odd = integer && absolute(y) < 9007199254740992.0 && floor_of(y * 0.5) != y * 0.5;
    return odd ? -p : integer || x == 0.0 || x == -POSITIVE_INFINITY ? p : NOT_A_NUMBER;
}

// Exact remainder of a / b with the sign of a.
static double fmod_of(double a, double b)
{
    const double divisor = absolute(b);
    double remainder = absolute(a);
    if (remainder == POSITIVE_INFINITY || !(divisor > 0.0) || remainder != remainder) return NOT_A_NUMBER;
    if (divisor > remainder) return a;
    double part = divisor;
    while (part <= remainder * 0.5) part *= 2.0;
    for (; part >= divisor; part *= 0.5) {
        if (remainder >= part) remainder -= part;
    }
    return a < 0.0 ? -remainder : remainder;
}

// Remainder of a / b with the sign of b.
static double modulo(double a, double b)
{
    const double remainder = fmod_of(a, b);
    return remainder != 0.0 && (remainder < 0.0) != (b < 0.0) ? remainder + b : remainder;
}

static double sinh_of(double x)
{
    const double magnitude = absolute(x);
    if (magnitude < 1.0) {
        const double z = x * x;
        double p = 8.22063524662433e-18;
        p = p * z + 2.8114572543455206e-15;
        p = p * z + 7.647163731819816e-13;
        p = p * z + 1.6059043836821613e-10;
        p = p * z + 2.505210838544172e-08;
        p = p * z + 2.7557319223985893e-06;
        p = p * z + 0.0001984126984126984;
        p = p * z + 0.008333333333333333;
        p = p * z + 0.16666666666666666;
        return x + x * z * p;
    }
    const double root = exp_of(0.5 * magnitude);
    const double y = magnitude > 22.0 ? 0.5 * root * root : 0.5 * (exp_of(magnitude) - exp_of(-magnitude));
    return x < 0.0 ? -y : y;
}

static double cosh_of(double x)
{
    const double magnitude = absolute(x), root = exp_of(0.5 * magnitude);
    return magnitude > 22.0 ? 0.5 * root * root : 0.5 * (exp_of(magnitude) + exp_of(-magnitude));
}

static double tanh_of(double x)
{
    const double magnitude = absolute(x);
    if (magnitude < 1.0) return sinh_of(x) / cosh_of(x);
    const double y = 1.0 - 2.0 / (exp_of(2.0 * magnitude) + 1.0);
    return x < 0.0 ? -y : y;
}

static double asinh_of(double x)
{
    const double magnitude = absolute(x), square = magnitude * magnitude;
    const double y = magnitude > 1e8 ? log_of(magnitude) + 0.6931471805599453
                                : log1p_of(magnitude + square / (1.0 + sqrt_of(square + 1.0)));
    return x < 0.0 ? -y : y;
}

static double acosh_of(double x)
{
    if (!(x >= 1.0)) return NOT_A_NUMBER;
    const double t = x - 1.0;
    return x > 1e8 ? log_of(x) + 0.6931471805599453 : log1p_of(t + sqrt_of(2.0 * t + t * t));
}

static double atanh_of(double x)
{
    const double magnitude = absolute(x);
    const double y = 0.5 * log1p_of(2.0 * magnitude / (1.0 - magnitude));
    return x < 0.0 ? -y : y;
}
