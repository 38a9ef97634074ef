// Subtracts the nearest multiple of pi/2 from x; the result is the sum of two numbers, and quadrant is the multiple
// modulo 4. Accurate up to 1e15, NaN beyond.
fn reduce_angle(x: f64) -> (f64, f64, u32) {
    if absolute(x) < 0.7853981633974483 {
        return (x, 0.0, 0);
    }
    if !(absolute(x) <= 1e15) {
        return (f64::NAN, 0.0, 0);
    }
    let mut rest = x;
    let mut rest_low = 0.0;
    let mut n = 0.0;
    // For large x the first multiple may be off by one; the second iteration corrects it.
    for _ in 0..2 {
        let k = round_of(rest * 0.6366197723675814);
        let a = -k * 1.5707963267948966;
        let a_low = product_error(-k, 1.5707963267948966, a);
        let b = -k * 6.123233995736766e-17;
        let b_low = product_error(-k, 6.123233995736766e-17, b);
        let sum = rest + a;
        let small = a_low + b;
        let next = sum + small;
        rest_low += sum_error(sum, small, next)
            + (sum_error(rest, a, sum) + sum_error(a_low, b, small))
            + (b_low + k * 1.4973849048591698e-33);
        rest = next;
        n += k;
    }
    let all = rest + rest_low;
    (all, sum_error(rest, rest_low, all), (n - 4.0 * floor_of(n * 0.25)) as u32)
}

fn sin_near_0(x: f64, low: f64) -> f64 {
    let z = x * x;
    let mut p = 2.8114572543455206e-15;
    p = p * z - 7.647163731819816e-13;
    p = p * z + 1.6059043836821613e-10;
    p = p * z - 2.505210838544172e-08;
    p = p * z + 2.7557319223985893e-06;
    p = p * z - 0.0001984126984126984;
    p = p * z + 0.008333333333333333;
    p = p * z - 0.16666666666666666;
    x + (x * z * p + low * (1.0 - 0.5 * z))
}

fn cos_near_0(x: f64, low: f64) -> f64 {
    let z = x * x;
    let mut p = 4.779477332387385e-14;
    p = p * z - 1.1470745597729725e-11;
    p = p * z + 2.08767569878681e-09;
    p = p * z - 2.755731922398589e-07;
    p = p * z + 2.48015873015873e-05;
    p = p * z - 0.001388888888888889;
    p = p * z + 0.041666666666666664;
    let half = 0.5 * z;
    let rest = 1.0 - half;
    rest + (((1.0 - rest) - half) + (z * z * p - x * low))
}

fn sin_of(x: f64) -> f64 {
    let (r, low, quadrant) = reduce_angle(x);
    let y = if quadrant % 2 == 1 { cos_near_0(r, low) } else { sin_near_0(r, low) };
    if quadrant >= 2 { -y } else { y }
}

fn cos_of(x: f64) -> f64 {
    let (r, low, quadrant) = reduce_angle(x);
    let y = if quadrant % 2 == 1 { sin_near_0(r, low) } else { cos_near_0(r, low) };
    if quadrant == 1 || quadrant == 2 { -y } else { y }
}

fn tan_of(x: f64) -> f64 {
    let (r, low, quadrant) = reduce_angle(x);
    let s = sin_near_0(r, low);
    let c = cos_near_0(r, low);
    if quadrant % 2 == 1 { -c / s } else { s / c }
}

// atan(t) for 0 <= t <= 1; above tan(pi/8), relative to pi/4.
fn atan_0_to_1(t: f64) -> f64 {
    let steep = t > 0.4142135623730951;
    let u = if steep { (t - 1.0) / (t + 1.0) } else { t };
    let z = u * u;
    let mut p = 0.013916943217800841;
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
    let angle = u - u * z * p;
    if steep { 0.7853981633974483 + (angle + 3.061616997868383e-17) } else { angle }
}

fn atan2_of(y: f64, x: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let a = absolute(y);
    let b = absolute(x);
    let left = x < 0.0 || (x == 0.0 && 1.0 / x < 0.0);
    let mut angle = if a == 0.0 {
        0.0
    } else if a == b {
        0.7853981633974483
    } else if a < b {
        atan_0_to_1(a / b)
    } else {
        atan_0_to_1(b / a)
    };
    if a > b {
        angle = 1.5707963267948966 - (angle - 6.123233995736766e-17);
    }
    if left {
        angle = 3.141592653589793 - (angle - 1.2246467991473532e-16);
    }
    if y < 0.0 || (y == 0.0 && 1.0 / y < 0.0) { -angle } else { angle }
}

fn atan_of(x: f64) -> f64 {
    atan2_of(x, 1.0)
}

fn asin_of(x: f64) -> f64 {
    atan2_of(x, sqrt_of((1.0 - x) * (1.0 + x)))
}

fn acos_of(x: f64) -> f64 {
    atan2_of(sqrt_of((1.0 - x) * (1.0 + x)), x)
}

// sin(pi * x) for x from 0 to 1/4.
fn sin_pi(x: f64) -> f64 {
    let z = x * x;
    let mut p = 0.00046153224149102576;
    p = p * z - 0.007370021659568085;
    p = p * z + 0.08214586918513228;
    p = p * z - 0.599264528939812;
    p = p * z + 2.5501640398733785;
    p = p * z - 5.167712780049954;
    p = p * z + 3.141592653589793;
    x * p
}
