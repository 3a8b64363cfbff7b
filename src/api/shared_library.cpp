// A shared library needs a source of its own; the static library has all other code.
#include <apsp/apsp.h>

static_assert(APSP_OK == 0);
