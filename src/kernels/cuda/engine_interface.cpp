#include "kernels/cuda/engine_interface.hpp"

#if __has_include(<engine_digest.hpp>)
#include <engine_digest.hpp>  // generated (src/kernels/CMakeLists.txt)
#else                         // what checks this file by itself needs no engine
#define APSP_ENGINE_DIGEST ""
#endif

#define APSP_TEXT_OF(number) #number
#define APSP_TEXT(number) APSP_TEXT_OF(number)

namespace apsp::kernels::cuda {

const char kEngineVersion[] = APSP_VERSION;
const char kEngineInterface[] =
    APSP_ENGINE_DIGEST "-" APSP_TEXT(__GXX_ABI_VERSION) "-" APSP_TEXT(_GLIBCXX_USE_CXX11_ABI);

}  // namespace apsp::kernels::cuda
