// Subtracts the nearest multiple of pi/2 from x; the result is the sum of two numbers, and quadrant is the multiple
// modulo 4. Accurate up to 1e15, NaN beyond.
static double reduce_angle(double x, double *low, int *quadrant)
{
    *low = 0.0;
    *quadrant = 0;
    if (absolute(x) < 0.7853981633974483) return x;
    if (!(absolute(x) <= 1e15)) return NOT_A_NUMBER;
    double rest = x, rest_low = 0.0, n = 0.0;
    // For large x the first multiple may be off by one; the second iteration corrects it.
    for (int i = 0; i < 2; ++i) {
        const double k = round_of(rest * 0.6366197723675814);
        const double a = -k * 1.5707963267948966, a_low = product_error(-k, 1.5707963267948966, a);
        const double b = -k * 6.123233995736766e-17, b_low = product_error(-k, 6.123233995736766e-17, b);
        const double sum = rest + a;
        const double small = a_low + b;
        const double next = sum + small;
        rest_low += sum_error(sum, small, next) + (sum_error(rest, a, sum) + sum_error(a_low, b, small))
            + (b_low + k * 1.4973849048591698e-33);
        rest = next;
        n += k;
    }
    const double all = rest + rest_low;
    *low = sum_error(rest, rest_low, all);
    *quadrant = (int)(n - 4.0 * floor_of(n * 0.25));
    return all;
}

static double sin_near_0(double x, double low)
{
    const double z = x * x;
    double p = 2.8114572543455206e-15;
    p = p * z - 7.647163731819816e-13;
    p = p * z + 1.6059043836821613e-10;
    p = p * z - 2.505210838544172e-08;
    p = p * z + 2.7557319223985893e-06;
    p = p * z - 0.0001984126984126984;
    p = p * z + 0.008333333333333333;
    p = p * z - 0.16666666666666666;
    return x + (x * z * p + low * (1.0 - 0.5 * z));
}

static double cos_near_0(double x, double low)
{
    const double z = x * x;
    double p = 4.779477332387385e-14;
    p = p * z - 1.1470745597729725e-11;
    p = p * z + 2.08767569878681e-09;
    p = p * z - 2.755731922398589e-07;
    p = p * z + 2.48015873015873e-05;
    p = p * z - 0.001388888888888889;
    p = p * z + 0.041666666666666664;
    const double half = 0.5 * z, rest = 1.0 - half;
    return rest + (((1.0 - rest) - half) + (z * z * p - x * low));
}

static double sin_of(double x)
{
    double low;
    int quadrant;
    const double r = reduce_angle(x, &low, &quadrant);
    const double y = quadrant % 2 == 1 ? cos_near_0(r, low) : sin_near_0(r, low);
    return quadrant >= 2 ? -y : y;
}

static double cos_of(double x)
{
    double low;
    int quadrant;
    const double r = reduce_angle(x, &low, &quadrant);
    const double y = quadrant % 2 == 1 ? sin_near_0(r, low) : cos_near_0(r, low);
    return quadrant == 1 || quadrant == 2 ? -y : y;
}

static double tan_of(double x)
{
    double low;
    int quadrant;
    const double r = reduce_angle(x, &low, &quadrant);
    const double s = sin_near_0(r, low), c = cos_near_0(r, low);
    return quadrant % 2 == 1 ? -c / s : s / c;
}

// atan(t) for 0 <= t <= 1; above tan(pi/8), relative to pi/4.
static double atan_0_to_1(double t)
{
    const int steep = t > 0.4142135623730951;
    const double u = steep ? (t - 1.0) / (t + 1.0) : t;
    const double z = u * u;
    double p = 0.013916943217800841;
    p = p * z - 0.03063443323901452;
    p = p * z + 0.04104381417807643;
    p = p * z - 0.04719381457895137;
    p = p * z + 0.052580394289794816;
    p = p * z - 0.05881925033877732;
    p = p * z + 0.06666642004996545;
    p = p * z - 0.07692306735321475;
    p = p * z + 0.0909090906699066;
    p = p * z - 0.11111111110754406;
    p = p * z + 0.14285714285711515;
    p = p * z - 0.19999999999999993;
    p = p * z + 0.3333333333333333;
    const double angle = u - u * z * p;
    return steep ? 0.7853981633974483 + (angle + 3.061616997868383e-17) : angle;
}

static double atan2_of(double y, double x)
{
    if (x != x || y != y) return NOT_A_NUMBER;
    const double a = absolute(y), b = absolute(x);
    const int left = x < 0.0 || (x == 0.0 && 1.0 / x < 0.0);
    double angle = a == 0.0 ? 0.0 : a == b ? 0.7853981633974483 : a < b ? atan_0_to_1(a / b) : atan_0_to_1(b / a);
    if (a > b) angle = 1.5707963267948966 - (angle - 6.123233995736766e-17);
    if (left) angle = 3.141592653589793 - (angle - 1.2246467991473532e-16);
    return y < 0.0 || (y == 0.0 && 1.0 / y < 0.0) ? -angle : angle;
}

static double atan_of(double x)
{
    return atan2_of(x, 1.0);
}

static double asin_of(double x)
{
    return atan2_of(x, sqrt_of((1.0 - x) * (1.0 + x)));
}

static double acos_of(double x)
{
    return atan2_of(sqrt_of((1.0 - x) * (1.0 + x)), x);
}

// sin(pi * x) for x from 0 to 1/4.
static double sin_pi(double x)
{
    const double z = x * x;
    double p = 0.00046153224149102576;
    p = p * z - 0.007370021659568085;
    p = p * z + 0.08214586918513228;
    p = p * z - 0.599264528939812;
    p = p * z + 2.5501640398733785;
    p = p * z - 5.167712780049954;
    p = p * z + 3.141592653589793;
    return x * p;
}
