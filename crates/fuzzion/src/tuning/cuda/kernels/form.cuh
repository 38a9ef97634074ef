// Parametric forms of sets: ln μ and its derivatives; see mod.rs. FORM is 0 for Gaussian, 1 two-sided, 2 bell, 3
// triangle, 4 trapezoid.

#define SET_STRIDE 4  // values per set

#define LOG2_E 1.4426950408889634

// Precomputes the values used below: reciprocals, twice the exponent of a bell, and √(½·log₂e)/w for a Gaussian.
__device__ inline void prepare_set(const double* p, double* prepared) {
    double inverse = 1.0 / p[1];
    prepared[0] = p[0];
    prepared[1] = FORM >= 3 ? p[1] : inverse;
    prepared[2] = FORM == 0 ? 0.8493218002880191 * inverse : FORM == 2 ? 2.0 * p[2] : p[2];
    prepared[3] = FORM == 1 ? 1.0 / p[3] : FORM == 4 ? p[3] : 0.0;
}

// Center and reciprocal of the half width.
__device__ inline void frame_of(const double* p, double& center, double& inverse) {
    if (FORM == 1) {
        center = 0.5 * (p[0] + p[2]);
        inverse = 1.0 / (0.5 * (p[1] + p[3] + (p[2] - p[0])));
    } else if (FORM == 3) {
        center = p[1];
        inverse = 1.0 / (0.5 * (p[2] - p[0]));
    } else if (FORM == 4) {
        // The core of a shoulder ends at the end of the input's range.
        double from = p[0] == p[1] ? fmin(p[1], 0.0) : p[1], to = p[2] == p[3] ? fmax(p[2], 1.0) : p[2];
        center = 0.5 * (from + to);
        inverse = 1.0 / (0.5 * (to - from + 0.5 * (p[1] - p[0] + p[3] - p[2])));
    } else {
        center = p[0];
        inverse = 1.0 / p[1];
    }
}

// log₂ μ: base 2 makes the exponential cheaper.
__device__ inline double log2_membership(const double* p, double x) {
    if (FORM == 0) {
        double z = (x - p[0]) * p[2];
        return -z * z;
    } else if (FORM == 1) {
        double left = fmin(x - p[0], 0.0) * p[1], right = fmax(x - p[2], 0.0) * p[3];
        return -0.5 * LOG2_E * (left * left + right * right);
    } else if (FORM == 2) {
        return -LOG2_E * log1p(pow(fabs((x - p[0]) * p[1]), p[2]));
    } else {
        double top = FORM == 4 ? p[2] : p[1], foot = FORM == 4 ? p[3] : p[2];
        double up = p[0] == p[1] ? 1.0 : (x - p[0]) / (p[1] - p[0]);
        double down = foot == top ? 1.0 : (x - foot) / (top - foot);
        return LOG2_E * log(fmin(fmax(fmin(up, down), 0.0), 1.0));
    }
}

// sums[i] += q·∂ln μ/∂pᵢ, without gradient_factor(i)
__device__ inline void add_set_gradient(const double* p, double x, double q, double* sums) {
    if (FORM == 0) {
        double z = (x - p[0]) * p[1], qz = q * z;
        sums[0] += qz;       // multiplied by 1/w after summation
        sums[1] += qz * z;
    } else if (FORM == 1) {
        double left = fmin(x - p[0], 0.0) * p[1], right = fmax(x - p[2], 0.0) * p[3];
        sums[0] += q * left;
        sums[1] += q * left * left;
        sums[2] += q * right;
        sums[3] += q * right * right;
    } else if (FORM == 2) {
        double z = (x - p[0]) * p[1];
        if (z != 0.0) {
            double t = pow(fabs(z), p[2]), s = q * (t < 1e300 ? t / (1.0 + t) : 1.0);
            sums[0] += p[2] * s / z;
            sums[1] += p[2] * s;
            sums[2] -= 2.0 * s * log(fabs(z));
        }
    }
}

// Factor that add_set_gradient leaves out of sum i.
__device__ inline double gradient_factor(const double* p, int i) {
    return FORM == 2 ? (i < 2 ? p[1] : 1.0) : i < 2 ? p[1] : p[3];
}
