fn absolute(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 - x }
}

// The product a * b is p + what this gives, exactly (T. J. Dekker, 1971).
fn product_rest(a: f64, b: f64, p: f64) -> f64 {
    let mut t = 134217729.0 * a;
    let a_high = t - (t - a);
    let a_low = a - a_high;
    t = 134217729.0 * b;
    let b_high = t - (t - b);
    let b_low = b - b_high;
    a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low)
}

// The sum a + b is sum + what this gives, exactly (D. E. Knuth, 1969).
fn sum_rest(a: f64, b: f64, sum: f64) -> f64 {
    let shadow = sum - a;
    (a - (sum - shadow)) + (b - shadow)
}

// The square root: two halvings of the exponent, Newton's steps, and a last one with the exact remainder.
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
    y += 0.5 * ((m - square) - product_rest(y, y, square)) / y;
    if x > 1e300 {
        y * 1.2676506002282294e+30
    } else if x < 1e-200 {
        y * (if tiny { 7.006492321624085e-46 } else { 7.888609052210118e-31 })
    } else {
        y
    }
}

// e to the power x + low, where low is what rounding took from x.
fn exp_sum(x: f64, low: f64) -> f64 {
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
    // 2 to the power n as two factors, because n reaches beyond the exponents of normal numbers.
    let half = n * 0.5 + 6755399441055744.0;
    let rest = n - (half - 6755399441055744.0) + 6755399441055744.0;
    p * f64::from_bits((half.to_bits() << 52).wrapping_add(0x3ff0000000000000))
        * f64::from_bits((rest.to_bits() << 52).wrapping_add(0x3ff0000000000000))
}

fn exp_of(x: f64) -> f64 {
    exp_sum(x, 0.0)
}

// x > 0 is 2 to the power e times what this gives, which lies between the roots of 1/2 and 2.
fn fraction_of(x: f64) -> (f64, f64) {
    let tiny = x < 2.2250738585072014e-308;
    let bits = (if tiny { x * 18014398509481984.0 } else { x }).to_bits();
    let biased = bits.wrapping_sub(0x3fe6a09e667f3bcd).wrapping_add(0x3ff0000000000000) >> 52;
    let e = f64::from_bits(biased | 0x4330000000000000) - (4503599627370496.0 + 1023.0);
    let m = f64::from_bits(bits.wrapping_add(0x3ff0000000000000).wrapping_sub(biased << 52));
    (m, e - if tiny { 54.0 } else { 0.0 })
}

// The natural logarithm.
fn log_of(x: f64) -> f64 {
    if !(x > 0.0) {
        return if x == 0.0 { -f64::INFINITY } else { f64::NAN };
    }
    if x == f64::INFINITY {
        return x;
    }
    let (m, e) = fraction_of(x);
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

// The natural logarithm of a finite x > 0 to about 65 bits: what this gives and low.
fn log_pair(x: f64) -> (f64, f64) {
    let (m, e) = fraction_of(x);
    // log m = 2s + (2/3) s^3 + s^5 P(s^2) with s = (m - 1) / (m + 1), all but the last term in pairs.
    let f = m - 1.0;
    let d = m + 1.0;
    let d_low = sum_rest(m, 1.0, d);
    let s = f / d;
    let sd = s * d;
    let s_low = ((f - sd) - product_rest(s, d, sd) - s * d_low) / d;
    let z = s * s;
    let z_low = product_rest(s, s, z) + 2.0 * s * s_low;
    let t = 0.6666666666666666 * z;
    let t_low =
        product_rest(0.6666666666666666, z, t) + (0.6666666666666666 * z_low + 3.700743415417188e-17 * z);
    let u = t * s;
    let u_low = product_rest(t, s, u) + (t * s_low + t_low * s);
    let mut p = 0.13081606209415195;
    p = p * z + 0.1326974815995786;
    p = p * z + 0.15386175297151058;
    p = p * z + 0.18181797632783667;
    p = p * z + 0.2222222236062212;
    p = p * z + 0.28571428571036017;
    p = p * z + 0.4000000000000022;
    let high = 2.0 * s + u;
    let rest = sum_rest(2.0 * s, u, high) + (2.0 * s_low + u_low + s * z * z * p);
    let whole = e * 0.6931471805598903;
    let sum = whole + high;
    let sum_low = sum_rest(whole, high, sum) + (e * 5.497923018708371e-14 + rest);
    let all = sum + sum_low;
    (all, sum_rest(sum, sum_low, all))
}

fn log10_of(x: f64) -> f64 {
    if !(x > 0.0) {
        return if x == 0.0 { -f64::INFINITY } else { f64::NAN };
    }
    if x == f64::INFINITY {
        return x;
    }
    let (high, low) = log_pair(x);
    let p = high * 0.4342944819032518;
    p + (product_rest(high, 0.4342944819032518, p)
        + (high * 1.098319650216765e-17 + low * 0.4342944819032518))
}

fn log1p_of(x: f64) -> f64 {
    let u = 1.0 + x;
    if u == 1.0 || u == f64::INFINITY { x } else { log_of(u) * (x / (u - 1.0)) }
}

// x to the power y for x >= 0 that is not NaN.
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
    // Beyond these exponents the power is 0 or infinite, and the exact product stays finite within them.
    let exponent = if y > 1e21 {
        1e21
    } else if y < -1e21 {
        -1e21
    } else {
        y
    };
    let (high, low) = log_pair(x);
    let t = exponent * high;
    let t_low = product_rest(exponent, high, t) + exponent * low;
    exp_sum(t, if absolute(t) < 800.0 { t_low } else { 0.0 })
}

// Halves go to the even neighbour.
fn round_of(x: f64) -> f64 {
    let size = absolute(x);
    if !(size < 4503599627370496.0) {
        return x;
    }
    let rounded = (size + 4503599627370496.0) - 4503599627370496.0;
    if rounded == size {
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

// x to the power y; a negative x has whole powers only.
fn pow_of(x: f64, y: f64) -> f64 {
    if x.is_nan() {
        return if y == 0.0 { 1.0 } else { x };
    }
    let p = power_of_positive(absolute(x), y);
    if x > 0.0 || (x == 0.0 && 1.0 / x > 0.0) {
        return p;
    }
    let whole = floor_of(y) == y;
    let odd = whole && absolute(y) < 9007199254740992.0 && floor_of(y * 0.5) != y * 0.5;
    if odd {
        -p
    } else if whole || x == 0.0 || x == -f64::INFINITY {
        p
    } else {
        f64::NAN
    }
}

// The remainder of a / b with the sign of a, exactly.
fn fmod_of(a: f64, b: f64) -> f64 {
    let divisor = absolute(b);
    let mut rest = absolute(a);
    if rest == f64::INFINITY || !(divisor > 0.0) || rest.is_nan() {
        return f64::NAN;
    }
    if divisor > rest {
        return a;
    }
    let mut part = divisor;
    while part <= rest * 0.5 {
        part *= 2.0;
    }
    while part >= divisor {
        if rest >= part {
            rest -= part;
        }
        part *= 0.5;
    }
    if a < 0.0 { -rest } else { rest }
}

// The remainder of a / b with the sign of b.
fn modulo(a: f64, b: f64) -> f64 {
    let rest = fmod_of(a, b);
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}

fn sinh_of(x: f64) -> f64 {
    let size = absolute(x);
    if size < 1.0 {
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
    let root = exp_of(0.5 * size);
    let y = if size > 22.0 { 0.5 * root * root } else { 0.5 * (exp_of(size) - exp_of(-size)) };
    if x < 0.0 { -y } else { y }
}

fn cosh_of(x: f64) -> f64 {
    let size = absolute(x);
    let root = exp_of(0.5 * size);
    if size > 22.0 { 0.5 * root * root } else { 0.5 * (exp_of(size) + exp_of(-size)) }
}

fn tanh_of(x: f64) -> f64 {
    let size = absolute(x);
    if size < 1.0 {
        return sinh_of(x) / cosh_of(x);
    }
    let y = 1.0 - 2.0 / (exp_of(2.0 * size) + 1.0);
    if x < 0.0 { -y } else { y }
}

fn asinh_of(x: f64) -> f64 {
    let size = absolute(x);
    let square = size * size;
    let y = if size > 1e8 {
        log_of(size) + 0.6931471805599453
    } else {
        log1p_of(size + square / (1.0 + sqrt_of(square + 1.0)))
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
    let size = absolute(x);
    let y = 0.5 * log1p_of(2.0 * size / (1.0 - size));
    if x < 0.0 { -y } else { y }
}
