#define POSITIVE_INFINITY (LARGEST * LARGEST)

#define NOT_A_NUMBER (POSITIVE_INFINITY - POSITIVE_INFINITY)

static double absolute(double x)
{
    return fabs@(x);
}

static double round_of(double x)
{
    return rint@(x);
}

static double sqrt_of(double x)
{
    return sqrt@(x);
}

static double exp_of(double x)
{
    return exp@(x);
}

static double log_of(double x)
{
    return log@(x);
}

static double log10_of(double x)
{
    return log10@(x);
}

static double log1p_of(double x)
{
    return log1p@(x);
}

static double floor_of(double x)
{
    return floor@(x);
}

static double ceil_of(double x)
{
    return ceil@(x);
}

static double sin_of(double x)
{
    return sin@(x);
}

static double cos_of(double x)
{
    return cos@(x);
}

static double tan_of(double x)
{
    return tan@(x);
}

static double atan_of(double x)
{
    return atan@(x);
}

static double asin_of(double x)
{
    return asin@(x);
}

static double acos_of(double x)
{
    return acos@(x);
}

static double sinh_of(double x)
{
    return sinh@(x);
}

static double cosh_of(double x)
{
    return cosh@(x);
}

static double tanh_of(double x)
{
    return tanh@(x);
}

static double asinh_of(double x)
{
    return asinh@(x);
}

static double acosh_of(double x)
{
    return acosh@(x);
}

static double atanh_of(double x)
{
    return atanh@(x);
}

static double pow_of(double x, double y)
{
    return pow@(x, y);
}

static double fmod_of(double x, double y)
{
    return fmod@(x, y);
}

static double atan2_of(double y, double x)
{
    return atan2@(y, x);
}

// Remainder of a / b with the sign of b.
static double modulo(double a, double b)
{
    const double remainder = fmod_of(a, b);
    return remainder != 0.0 && (remainder < 0.0) != (b < 0.0) ? remainder + b : remainder;
}

static double sin_pi(double x)
{
    return sinpi@(x);
}
