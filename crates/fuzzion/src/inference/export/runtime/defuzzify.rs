fn centroid(PARAMETERS) -> f64 {
    let mut area = 0.0;
    let mut moment = 0.0;
    for s in 0..SAMPLES {
        let m = AGGREGATED;
        area += m;
        moment += POSITION * m;
    }
    moment / area
}

// Mean of the samples where the cumulative area is closest to half of the total area.
fn bisector(PARAMETERS) -> f64 {
    let mut total = 0.0;
    for s in 0..SAMPLES {
        let m = AGGREGATED;
        if !m.is_nan() {
            total += m;
        }
    }
    let mut area = 0.0;
    let mut best = f64::INFINITY;
    let mut sum = 0.0;
    let mut count = 0.0;
    for s in 0..SAMPLES {
        let m = AGGREGATED;
        if !m.is_nan() {
            area += m;
        }
        let offset = absolute(area / total - 0.5);
        if offset < best {
            best = offset;
            sum = 0.0;
            count = 0.0;
        }
        if offset == best {
            sum += POSITION;
            count += 1.0;
        }
    }
    sum / count
}

// First sample where the cumulative area reaches half of the total area.
fn matlab_bisector(PARAMETERS) -> f64 {
    let mut total = 0.0;
    for s in 0..SAMPLES {
        total += AGGREGATED;
    }
    let half = total * 0.5;
    let mut area = 0.0;
    for s in 0..SAMPLES {
        area += AGGREGATED;
        if area >= half && half > 0.0 {
            return POSITION;
        }
    }
    f64::NAN
}

fn mean_of_maximum(PARAMETERS) -> f64 {
    let mut highest = AGGREGATED_FIRST;
    for s in 1..SAMPLES {
        highest = maximum(highest, AGGREGATED);
    }
    let mut sum = 0.0;
    let mut count = 0.0;
    for s in 0..SAMPLES {
        let m = AGGREGATED;
        if m > 0.0 && m == highest {
            sum += POSITION;
            count += 1.0;
        }
    }
    sum / count
}

fn smallest_of_maximum(PARAMETERS) -> f64 {
    let mut highest = AGGREGATED_FIRST;
    for s in 1..SAMPLES {
        highest = maximum(highest, AGGREGATED);
    }
    for s in 0..SAMPLES {
        let m = AGGREGATED;
        if m > 0.0 && m == highest {
            return POSITION;
        }
    }
    f64::NAN
}

fn largest_of_maximum(PARAMETERS) -> f64 {
    let mut highest = AGGREGATED_FIRST;
    for s in 1..SAMPLES {
        highest = maximum(highest, AGGREGATED);
    }
    let mut best = f64::NAN;
    for s in 0..SAMPLES {
        let m = AGGREGATED;
        if m > 0.0 && m == highest {
            best = POSITION;
        }
    }
    best
}

// Sample of maximum membership with the smallest magnitude; the first one in a tie.
fn smallest_magnitude_of_maximum(PARAMETERS) -> f64 {
    let mut highest = AGGREGATED_FIRST;
    for s in 1..SAMPLES {
        highest = maximum(highest, AGGREGATED);
    }
    let mut best = f64::NAN;
    for s in 0..SAMPLES {
        let m = AGGREGATED;
        if m > 0.0 && m == highest && !(absolute(POSITION) >= absolute(best)) {
            best = POSITION;
        }
    }
    best
}

// Sample of maximum membership with the largest magnitude; the first one in a tie.
fn largest_magnitude_of_maximum(PARAMETERS) -> f64 {
    let mut highest = AGGREGATED_FIRST;
    for s in 1..SAMPLES {
        highest = maximum(highest, AGGREGATED);
    }
    let mut best = f64::NAN;
    for s in 0..SAMPLES {
        let m = AGGREGATED;
        if m > 0.0 && m == highest && !(absolute(POSITION) <= absolute(best)) {
            best = POSITION;
        }
    }
    best
}
