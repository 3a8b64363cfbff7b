// A library that claims to be the CUDA engine of another version, or of another build of this one.
#include "kernels/cuda/exported_engine.hpp"

extern "C" __attribute__((visibility("default")))
const apsp::kernels::cuda::Engine apsp_cuda_engine = {APSP_ENGINE_VERSION,
                                                      "another interface",
                                                      nullptr,
                                                      nullptr,
                                                      nullptr,
                                                      nullptr,
                                                      nullptr,
                                                      nullptr,
                                                      nullptr,
                                                      nullptr};
