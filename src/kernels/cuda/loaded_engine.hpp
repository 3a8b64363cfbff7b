// How a library without kernels for GPUs finds the CUDA engine, libapsp_cuda.so.
#pragma once

#include <string>
#include <vector>

#include "kernels/cuda/exported_engine.hpp"

namespace apsp::kernels::cuda {

/// An engine, or why there is none.
struct LoadedEngine {
  const Engine* engine = nullptr;
  std::string file;
  std::string why_none;  // one line
};

/// Returns where libapsp_cuda.so may be: the file named by APSP_CUDA_ENGINE, else the folder of
/// this library or program, the Python package apsp_cuda13 next to it, and folders of the system's
/// loader.
std::vector<std::string> engine_files();

/// Loads the first engine of these files that fits, for good. Missing files are skipped, except an
/// only one.
LoadedEngine load_engine(const std::vector<std::string>& files);

}  // namespace apsp::kernels::cuda
