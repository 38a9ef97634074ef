// The part of the emulator that does not depend on the program.
#include <cfenv>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <type_traits>
#include <utility>
#include <vector>

#include "vectors.h"

#include "launch.h"

#include "fibers.h"

#include "scheduler.h"

#include "operations.h"

#include "run.h"

#include "sanitizer.h"

#include "rounded.h"
