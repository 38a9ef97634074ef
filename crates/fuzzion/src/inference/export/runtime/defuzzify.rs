fn centroid(PARAMETERS) -> f64 {
    let mut area = 0.0;
    let mut moment = 0.0;
    for s in 0..SAMPLES {
        let m = CONCLUDED;
        area += m;
        moment += PLACE * m;
    }
    moment / area
}

// The mean of the samples at which the area so far is nearest to half of all.
fn bisector(PARAMETERS) -> f64 {
    let mut all = 0.0;
    for s in 0..SAMPLES {
        let m = CONCLUDED;
        if !m.is_nan() {
            all += m;
        }
    }
    let mut area = 0.0;
    let mut best = f64::INFINITY;
    let mut sum = 0.0;
    let mut count = 0.0;
    for s in 0..SAMPLES {
        let m = CONCLUDED;
        if !m.is_nan() {
            area += m;
        }
        let off = absolute(area / all - 0.5);
        if off < best {
            best = off;
            sum = 0.0;
            count = 0.0;
        }
        if off == best {
            sum += PLACE;
            count += 1.0;
        }
    }
    sum / count
}

// The first sample up to which there is at least half of the area.
fn first_half(PARAMETERS) -> f64 {
    let mut all = 0.0;
    for s in 0..SAMPLES {
        all += CONCLUDED;
    }
    let half = all * 0.5;
    let mut area = 0.0;
    for s in 0..SAMPLES {
        area += CONCLUDED;
        if area >= half && half > 0.0 {
            return PLACE;
        }
    }
    f64::NAN
}

fn mean_of_maximum(PARAMETERS) -> f64 {
    let mut top = CONCLUDED_FIRST;
    for s in 1..SAMPLES {
        top = maximum(top, CONCLUDED);
    }
    let mut sum = 0.0;
    let mut count = 0.0;
    for s in 0..SAMPLES {
        let m = CONCLUDED;
        if m > 0.0 && m == top {
            sum += PLACE;
            count += 1.0;
        }
    }
    sum / count
}

fn smallest_of_maximum(PARAMETERS) -> f64 {
    let mut top = CONCLUDED_FIRST;
    for s in 1..SAMPLES {
        top = maximum(top, CONCLUDED);
    }
    for s in 0..SAMPLES {
        let m = CONCLUDED;
        if m > 0.0 && m == top {
            return PLACE;
        }
    }
    f64::NAN
}

fn largest_of_maximum(PARAMETERS) -> f64 {
    let mut top = CONCLUDED_FIRST;
    for s in 1..SAMPLES {
        top = maximum(top, CONCLUDED);
    }
    let mut best = f64::NAN;
    for s in 0..SAMPLES {
        let m = CONCLUDED;
        if m > 0.0 && m == top {
            best = PLACE;
        }
    }
    best
}

// The sample next to 0, the earlier of equals.
fn nearest_of_maximum(PARAMETERS) -> f64 {
    let mut top = CONCLUDED_FIRST;
    for s in 1..SAMPLES {
        top = maximum(top, CONCLUDED);
    }
    let mut best = f64::NAN;
    for s in 0..SAMPLES {
        let m = CONCLUDED;
        if m > 0.0 && m == top && !(absolute(PLACE) >= absolute(best)) {
            best = PLACE;
        }
    }
    best
}

// The sample farthest from 0, the earlier of equals.
fn farthest_of_maximum(PARAMETERS) -> f64 {
    let mut top = CONCLUDED_FIRST;
    for s in 1..SAMPLES {
        top = maximum(top, CONCLUDED);
    }
    let mut best = f64::NAN;
    for s in 0..SAMPLES {
        let m = CONCLUDED;
        if m > 0.0 && m == top && !(absolute(PLACE) <= absolute(best)) {
            best = PLACE;
        }
    }
    best
}
