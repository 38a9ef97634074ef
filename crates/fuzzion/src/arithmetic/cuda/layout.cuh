// Arrays of fuzzy numbers: blocks of LANES numbers, planes of one bound of one cut. REAL is the type of bounds or midpoints,
// CUTS how many a number has; RADIUS is defined where numbers have midpoints and radii, of that type. A kernel's COLUMN(x) and
// RESULT(x) are spelled out by the host as the pointers that hold x: x_bounds, or x_midpoints and x_radii.

#define LANES 16

#ifdef RADIUS

typedef fuzzion::ball<REAL, RADIUS> Part;
// Cut i of a number by its block and lane.
#define LOAD(x, block, i, lane) \
    Part{x##_midpoints[(block) * LANES + (lane)], x##_radii[((block) * CUTS + (i)) * LANES + (lane)]}
#define STORE(x, block, i, lane, part)                                         \
    do {                                                                       \
        const Part stored = (part);                                            \
        if ((i) == 0) x##_midpoints[(block) * LANES + (lane)] = stored.midpoint; \
        x##_radii[((block) * CUTS + (i)) * LANES + (lane)] = stored.radius;    \
    } while (0)
#define ZERO Part{REAL(0), RADIUS(0)}

#else

typedef fuzzion::cut<REAL> Part;
#define LOAD(x, block, i, lane) \
    Part{x##_bounds[((block) * CUTS + (i)) * 2 * LANES + (lane)], x##_bounds[(((block) * CUTS + (i)) * 2 + 1) * LANES + (lane)]}
#define STORE(x, block, i, lane, part)                                            \
    do {                                                                          \
        const Part stored = (part);                                               \
        x##_bounds[((block) * CUTS + (i)) * 2 * LANES + (lane)] = stored.lower;   \
        x##_bounds[(((block) * CUTS + (i)) * 2 + 1) * LANES + (lane)] = stored.upper; \
    } while (0)
#define ZERO Part{REAL(0), REAL(0)}

#endif
