// Layout of arrays of fuzzy numbers: blocks of LANES numbers; a plane is one bound of one cut for all numbers of a
// block. REAL is the type of the bounds or midpoints, CUTS the number of cuts, RADIUS the type of the radii (defined
// only for the midpoint-radius encoding). The host expands the kernel parameters COLUMN(x) and RESULT(x) to the
// pointers x_bounds, or x_midpoints and x_radii.

#define LANES 16

#ifdef RADIUS

typedef fuzzion::ball<REAL, RADIUS> AlphaCut;
// Cut i of the number at a block and lane.
#define LOAD(x, block, i, lane) \
    AlphaCut{x##_midpoints[(block) * LANES + (lane)], x##_radii[((block) * CUTS + (i)) * LANES + (lane)]}
#define STORE(x, block, i, lane, cut)                                           \
    do {                                                                        \
        const AlphaCut value = (cut);                                           \
        if ((i) == 0) x##_midpoints[(block) * LANES + (lane)] = value.midpoint; \
        x##_radii[((block) * CUTS + (i)) * LANES + (lane)] = value.radius;      \
    } while (0)
#define ZERO AlphaCut{REAL(0), RADIUS(0)}

#else

typedef fuzzion::cut<REAL> AlphaCut;
#define LOAD(x, block, i, lane)                                       \
    AlphaCut{x##_bounds[((block) * CUTS + (i)) * 2 * LANES + (lane)], \
             x##_bounds[(((block) * CUTS + (i)) * 2 + 1) * LANES + (lane)]}
#define STORE(x, block, i, lane, cut)                                                \
    do {                                                                             \
        const AlphaCut value = (cut);                                                \
        x##_bounds[((block) * CUTS + (i)) * 2 * LANES + (lane)] = value.lower;       \
        x##_bounds[(((block) * CUTS + (i)) * 2 + 1) * LANES + (lane)] = value.upper; \
    } while (0)
#define ZERO AlphaCut{REAL(0), REAL(0)}

#endif
