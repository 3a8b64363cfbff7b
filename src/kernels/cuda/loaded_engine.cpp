#include "kernels/cuda/loaded_engine.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <apsp/error.hpp>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "kernels/cuda/engine_interface.hpp"
#include "kernels/cuda/expressions.hpp"

namespace apsp::kernels::cuda {
namespace {

constexpr const char* kFile = "libapsp_cuda.so";

/// Returns the folder of this library's file; links to it are followed.
std::filesystem::path own_folder() {
  std::error_code error;
  Dl_info found{};
  std::filesystem::path file;
  if (dladdr(kEngineVersion, &found) != 0 && found.dli_fname != nullptr) file = found.dli_fname;
  // The name of a program is the word by which it was called.
  if (!file.is_absolute()) file = std::filesystem::read_symlink("/proc/self/exe", error);
  return file.parent_path();
}

bool exists(const std::string& file) {
  std::error_code error;
  return file == kFile || std::filesystem::exists(file, error);
}

/// Why this engine does not fit; empty: it does.
std::string misfit(const Engine& engine) {
  using std::string_view;
  if (string_view(engine.version) != kEngineVersion) {
    return fmt::format("is that of apsp {}, and this is apsp {}: install apsp-cuda13 {}",
                       engine.version, kEngineVersion, kEngineVersion);
  }
  if (string_view(engine.interface) != kEngineInterface) {
    return fmt::format("is that of another build of apsp {}: take both from one release",
                       kEngineVersion);
  }
  return {};
}

/// Sets `found.engine`, or `found.why_none`.
void try_file(const std::string& file, LoadedEngine& found) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    if (file != kFile) found.why_none = fmt::format("no CUDA engine: {}", dlerror());
    return;
  }
  const auto* const engine = static_cast<const Engine*>(dlsym(library, "apsp_cuda_engine"));
  const std::string refused = engine == nullptr ? "is none" : misfit(*engine);
  if (refused.empty()) {
    found = {engine, file, {}};
  } else {
    found.why_none = fmt::format("no CUDA engine: {} {}", file, refused);
    dlclose(library);
  }
}

const LoadedEngine& loaded() {
  static const auto& found = *new LoadedEngine(load_engine(engine_files()));
  return found;
}

/// Throws `Error` (device): there is none.
const Engine& engine() {
  if (loaded().engine == nullptr) throw Error(ErrorKind::device, loaded().why_none);
  return *loaded().engine;
}

}  // namespace

std::vector<std::string> engine_files() {
  if (const char* const named = std::getenv("APSP_CUDA_ENGINE");
      named != nullptr && *named != '\0') {
    return {std::filesystem::absolute(named).string()};
  }
  const std::filesystem::path folder = own_folder();
  return {folder / kFile, folder.parent_path() / "apsp_cuda13" / kFile, kFile};
}

LoadedEngine load_engine(const std::vector<std::string>& files) {
  LoadedEngine found;
  for (const std::string& file : files) {
    if (files.size() == 1 || exists(file)) try_file(file, found);
    if (found.engine != nullptr) return found;
  }
  if (found.why_none.empty()) {
    found.why_none =
        "no CUDA engine: a build with APSP_CUDA=ON has one, and for Python the wheel apsp-cuda13, "
        "which scripts/wheels --cuda makes (docs/install.md)";
  }
  return found;
}

std::string back_end() {
  if (loaded().engine == nullptr) return {};
  return fmt::format("{}, {}", loaded().engine->back_end(), loaded().file);
}
std::vector<DeviceFacts> devices() {
  return loaded().engine == nullptr ? std::vector<DeviceFacts>{} : loaded().engine->devices();
}
std::int64_t memory_free(int ordinal) { return engine().memory_free(ordinal); }
void start(int ordinal) noexcept {
  if (loaded().engine != nullptr) loaded().engine->start(ordinal);
}
std::string why_no_device() {
  return loaded().engine == nullptr ? loaded().why_none : loaded().engine->why_no_device();
}

std::unique_ptr<ComputeDevice> make_device(int ordinal, Semiring semiring, ValueType type,
                                           Sign sign, std::int64_t memory, PeerWay peer_way) {
  return engine().make_device(ordinal, semiring, type, sign, memory, peer_way);
}

std::unique_ptr<DeviceSizes> sizes(Semiring semiring, ValueType type, Sign sign) {
  return engine().sizes(semiring, type, sign);
}

void multiply_add_compiled(const SemiringExpressions& semiring, const CompiledProduct& product) {
  expression_source(semiring, product.type);  // a wrong name is told before a missing GPU
  engine().multiply_add_compiled(semiring, product);
}

}  // namespace apsp::kernels::cuda
