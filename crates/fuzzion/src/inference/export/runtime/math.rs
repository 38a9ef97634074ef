fn absolute(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 - x }
}

// Rounding error of p = a * b: a * b == p + error exactly (T. J. Dekker, 1971).
fn product_error(a: f64, b: f64, p: f64) -> f64 {
    let mut t = 134217729.0 * a;
    let a_high = t - (t - a);
    let a_low = a - a_high;
    t = 134217729.0 * b;
    let b_high = t - (t - b);
    let b_low = b - b_high;
    a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low)
}

// Rounding error of sum = a + b: a + b == sum + error exactly (D. E. Knuth, 1969).
fn sum_error(a: f64, b: f64, sum: f64) -> f64 {
    let b_rounded = sum - a;
    (a - (sum - b_rounded)) + (b - b_rounded)
}

// Square root: initial value by halving the exponent, four Newton steps, and one with the exact remainder.
fn sqrt_of(x: f64) -> f64 {
    if !(x > 0.0) || x == f64::INFINITY {
        return if x < 0.0 { f64::NAN } else { x };
    }
    let tiny = x < 2.2250738585072014e-308;
    let m = if x > 1e300 {
        x * 6.223015277861142e-61
    } else if x < 1e-200 {
        x * (if tiny { 1.6069380442589903e+60 } else { 1.2676506002282294e+30 }) * 1.2676506002282294e+30
    } else {
        x
    };
    let mut y = f64::from_bits((m.to_bits() >> 1) + 0x1ff8000000000000);
    for _ in 0..4 {
        y = 0.5 * (y + m / y);
    }
    let square = y * y;
    y += 0.5 * ((m - square) - product_error(y, y, square)) / y;
    if x > 1e300 {
        y * 1.2676506002282294e+30
    } else if x < 1e-200 {
        y * (if tiny { 7.006492321624085e-46 } else { 7.888609052210118e-31 })
    } else {
        y
    }
}

// e to the power x + low, where low is a correction much smaller than x.
fn exp_of_pair(x: f64, low: f64) -> f64 {
    let clamped = if x < -746.0 {
        -746.0
    } else if x > 710.0 {
        710.0
    } else {
        x
    };
    let n = (clamped * 1.4426950408889634 + 6755399441055744.0) - 6755399441055744.0;
    let r = ((clamped - n * 0.6931471803691238) - n * 1.9082149292705877e-10) + low;
    let mut q = 2.4994460707761183e-08;
    q = q * r + 2.7628133492819025e-07;
    q = q * r + 2.7557595902881717e-06;
    q = q * r + 2.480149952237562e-05;
    q = q * r + 0.00019841269507951304;
    q = q * r + 0.001388888893682508;
    q = q * r + 0.008333333333486213;
    q = q * r + 0.04166666666655912;
    q = q * r + 0.16666666666666444;
    q = q * r + 0.5000000000000007;
    let p = (r * r * q + r) + 1.0;
    // 2 to the power n as two factors, because n can exceed the exponent range of normal numbers.
    let half = n * 0.5 + 6755399441055744.0;
    let rest = n - (half - 6755399441055744.0) + 6755399441055744.0;
    p * f64::from_bits((half.to_bits() << 52).wrapping_add(0x3ff0000000000000))
        * f64::from_bits((rest.to_bits() << 52).wrapping_add(0x3ff0000000000000))
}

fn exp_of(x: f64) -> f64 {
    exp_of_pair(x, 0.0)
}

// Splits x > 0 into 2 to the power e times a fraction between the square roots of 1/2 and 2.
fn split_exponent(x: f64) -> (f64, f64) {
    let tiny = x < 2.2250738585072014e-308;
    let bits = (if tiny { x * 18014398509481984.0 } else { x }).to_bits();
    let biased = bits.wrapping_sub(0x3fe6a09e667f3bcd).wrapping_add(0x3ff0000000000000) >> 52;
    let e = f64::from_bits(biased | 0x4330000000000000) - (4503599627370496.0 + 1023.0);
    let m = f64::from_bits(bits.wrapping_add(0x3ff0000000000000).wrapping_sub(biased << 52));
    (m, e - if tiny { 54.0 } else { 0.0 })
}

// Natural logarithm.
fn log_of(x: f64) -> f64 {
    if !(x > 0.0) {
        return if x == 0.0 { -f64::INFINITY } else { f64::NAN };
    }
    if x == f64::INFINITY {
        return x;
    }
    let (m, e) = split_exponent(x);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let mut r = 0.1474400217818161;
    r = r * z + 0.15319534301092366;
    r = r * z + 0.18183336162452307;
    r = r * z + 0.2222220329527176;
    r = r * z + 0.28571428692172074;
    r = r * z + 0.3999999999966646;
    r = r * z + 0.6666666666666691;
    let h = 0.5 * f * f;
    e * 0.6931471803691238 + (f - (h - (s * (h + z * r) + e * 1.9082149292705877e-10)))
}

// Natural logarithm of a finite x > 0, accurate to about 65 bits, as the sum of two numbers.
fn log_to_pair(x: f64) -> (f64, f64) {
    let (m, e) = split_exponent(x);
    // log m = 2s + (2/3) s^3 + s^5 P(s^2) with s = (m - 1) / (m + 1); all but the last term are sums of two numbers.
    let f = m - 1.0;
    let d = m + 1.0;
    let d_low = sum_error(m, 1.0, d);
    let s = f / d;
    let sd = s * d;
    let s_low = ((f - sd) - product_error(s, d, sd) - s * d_low) / d;
    let z = s * s;
    let z_low = product_error(s, s, z) + 2.0 * s * s_low;
    let t = 0.6666666666666666 * z;
    let t_low =
        product_error(0.6666666666666666, z, t) + (0.6666666666666666 * z_low + 3.700743415417188e-17 * z);
    let u = t * s;
    let u_low = product_error(t, s, u) + (t * s_low + t_low * s);
    let mut p = 0.13081606209415195;
    p = p * z + 0.1326974815995786;
    p = p * z + 0.15386175297151058;
    p = p * z + 0.18181797632783667;
    p = p * z + 0.2222222236062212;
    p = p * z + 0.28571428571036017;
    p = p * z + 0.4000000000000022;
    let high = 2.0 * s + u;
    let rest = sum_error(2.0 * s, u, high) + (2.0 * s_low + u_low + s * z * z * p);
    let exponent_part = e * 0.6931471805598903;
    let sum = exponent_part + high;
    let sum_low = sum_error(exponent_part, high, sum) + (e * 5.497923018708371e-14 + rest);
    let all = sum + sum_low;
    (all, sum_error(sum, sum_low, all))
}

fn log10_of(x: f64) -> f64 {
    if !(x > 0.0) {
        return if x == 0.0 { -f64::INFINITY } else { f64::NAN };
    }
    if x == f64::INFINITY {
        return x;
    }
    let (high, low) = log_to_pair(x);
    let p = high * 0.4342944819032518;
    p + (product_error(high, 0.4342944819032518, p)
        + (high * 1.098319650216765e-17 + low * 0.4342944819032518))
}

fn log1p_of(x: f64) -> f64 {
    let u = 1.0 + x;
    if u == 1.0 || u == f64::INFINITY { x } else { log_of(u) * (x / (u - 1.0)) }
}

// x to the power y for x >= 0.
fn power_of_positive(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if y.is_nan() {
        return y;
    }
    if x == 0.0 {
        return if y > 0.0 { 0.0 } else { f64::INFINITY };
    }
    if x == f64::INFINITY {
        return if y > 0.0 { f64::INFINITY } else { 0.0 };
    }
    // Larger exponents give 0 or infinity; this bound keeps the exact product finite.
    let exponent = if y > 1e21 {
        1e21
    } else if y < -1e21 {
        -1e21
    } else {
        y
    };
    let (high, low) = log_to_pair(x);
    let t = exponent * high;
    let t_low = product_error(exponent, high, t) + exponent * low;
    exp_of_pair(t, if absolute(t) < 800.0 { t_low } else { 0.0 })
}

// Rounds to the nearest integer, ties to even.
fn round_of(x: f64) -> f64 {
    let magnitude = absolute(x);
    if !(magnitude < 4503599627370496.0) {
        return x;
    }
    let rounded = (magnitude + 4503599627370496.0) - 4503599627370496.0;
    if rounded == magnitude {
        x
    } else if x < 0.0 {
        -rounded
    } else {
        rounded
    }
}

fn floor_of(x: f64) -> f64 {
    let rounded = round_of(x);
    if rounded > x { rounded - 1.0 } else { rounded }
}

fn ceil_of(x: f64) -> f64 {
    -floor_of(-x)
}

// x to the power y; NaN for a negative x unless y is an integer.
fn pow_of(x: f64, y: f64) -> f64 {
    if x.is_nan() {
        return if y == 0.0 { 1.0 } else { x };
    }
    let p = power_of_positive(absolute(x), y);
    if x > 0.0 || (x == 0.0 && 1.0 / x > 0.0) {
        return p;
    }
    let integer = floor_of(y) == y;
    let odd = integer && absolute(y) < 9007199254740992.0 && floor_of(y * 0.5) != y * 0.5;
    if odd {
        -p
    } else if integer || x == 0.0 || x == -f64::INFINITY {
        p
    } else {
        f64::NAN
    }
}

// Exact remainder of a / b with the sign of a.
fn fmod_of(a: f64, b: f64) -> f64 {
    let divisor = absolute(b);
    let mut remainder = absolute(a);
    if remainder == f64::INFINITY || !(divisor > 0.0) || remainder.is_nan() {
        return f64::NAN;
    }
    if divisor > remainder {
        return a;
    }
    let mut part = divisor;
    while part <= remainder * 0.5 {
        part *= 2.0;
    }
    while part >= divisor {
        if remainder >= part {
            remainder -= part;
        }
        part *= 0.5;
    }
    if a < 0.0 { -remainder } else { remainder }
}

// Remainder of a / b with the sign of b.
fn modulo(a: f64, b: f64) -> f64 {
    let remainder = fmod_of(a, b);
    if remainder != 0.0 && (remainder < 0.0) != (b < 0.0) { remainder + b } else { remainder }
}

fn sinh_of(x: f64) -> f64 {
    let magnitude = absolute(x);
    if magnitude < 1.0 {
        let z = x * x;
        let mut p = 8.22063524662433e-18;
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
    let root = exp_of(0.5 * magnitude);
    let y = if magnitude > 22.0 { 0.5 * root * root } else { 0.5 * (exp_of(magnitude) - exp_of(-magnitude)) };
    if x < 0.0 { -y } else { y }
}

fn cosh_of(x: f64) -> f64 {
    let magnitude = absolute(x);
    let root = exp_of(0.5 * magnitude);
    if magnitude > 22.0 { 0.5 * root * root } else { 0.5 * (exp_of(magnitude) + exp_of(-magnitude)) }
}

fn tanh_of(x: f64) -> f64 {
    let magnitude = absolute(x);
    if magnitude < 1.0 {
        return sinh_of(x) / cosh_of(x);
    }
    let y = 1.0 - 2.0 / (exp_of(2.0 * magnitude) + 1.0);
    if x < 0.0 { -y } else { y }
}

fn asinh_of(x: f64) -> f64 {
    let magnitude = absolute(x);
    let square = magnitude * magnitude;
    let y = if magnitude > 1e8 {
        log_of(magnitude) + 0.6931471805599453
    } else {
        log1p_of(magnitude + square / (1.0 + sqrt_of(square + 1.0)))
    };
    if x < 0.0 { -y } else { y }
}

fn acosh_of(x: f64) -> f64 {
    if !(x >= 1.0) {
        return f64::NAN;
    }
    let t = x - 1.0;
    if x > 1e8 { log_of(x) + 0.6931471805599453 } else { log1p_of(t + sqrt_of(2.0 * t + t * t)) }
}

fn atanh_of(x: f64) -> f64 {
    let magnitude = absolute(x);
    let y = 0.5 * log1p_of(2.0 * magnitude / (1.0 - magnitude));
    if x < 0.0 { -y } else { y }
}
