// A shared library needs a file of its own; all else of it comes from the static one.
#include <apsp/apsp.h>

static_assert(APSP_OK == 0);
