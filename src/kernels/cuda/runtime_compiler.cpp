#include "kernels/cuda/runtime_compiler.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <apsp/error.hpp>
#include <array>
#include <cstdlib>
#include <memory>
#include <type_traits>

namespace apsp::kernels::cuda {
namespace {

/// The functions of NVRTC that are needed. A result of 0 means success.
struct Nvrtc {
  using Program = void*;
  int (*create)(Program* program, const char* source, const char* name, int headers,
                const char* const* texts, const char* const* names) = nullptr;
  int (*compile)(Program program, int count, const char* const* options) = nullptr;
  int (*destroy)(Program* program) = nullptr;
  int (*log_size)(Program program, std::size_t* size) = nullptr;
  int (*log)(Program program, char* text) = nullptr;
  int (*code_size)(Program program, std::size_t* size) = nullptr;
  int (*code)(Program program, char* bytes) = nullptr;
  const char* (*error)(int result) = nullptr;
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// Null if NVRTC is not found. It stays loaded.
const Nvrtc* nvrtc() {
  static const std::unique_ptr<const Nvrtc> found = []() -> std::unique_ptr<const Nvrtc> {
    for (const std::string& name : runtime_compiler_names()) {
      void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) continue;
      auto all = std::make_unique<Nvrtc>();
      if (find(library, "nvrtcCreateProgram", all->create) &&
          find(library, "nvrtcCompileProgram", all->compile) &&
          find(library, "nvrtcDestroyProgram", all->destroy) &&
          find(library, "nvrtcGetProgramLogSize", all->log_size) &&
          find(library, "nvrtcGetProgramLog", all->log) &&
          find(library, "nvrtcGetCUBINSize", all->code_size) &&
          find(library, "nvrtcGetCUBIN", all->code) &&
          find(library, "nvrtcGetErrorString", all->error)) {
        return all;
      }
    }
    return nullptr;
  }();
  return found.get();
}

template <class Size, class Text>
std::string text_of(Nvrtc::Program program, Size size_of, Text text_of) {
  std::size_t size = 0;
  if (size_of(program, &size) != 0) return {};
  std::string text(size, '\0');
  if (text_of(program, text.data()) != 0) return {};
  return text;
}

}  // namespace

std::vector<std::string> runtime_compiler_names() {
  std::vector<std::string> names;
  if (const char* const named = std::getenv("APSP_NVRTC"); named != nullptr)
    names.emplace_back(named);
  for (const char* const name :
       {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"}) {
    names.emplace_back(name);
  }
  return names;
}

bool has_runtime_compiler() { return nvrtc() != nullptr; }

std::string compile_for_device(const std::string& source, int capability) {
  const Nvrtc* const compiler = nvrtc();
  if (compiler == nullptr) {
    std::string names;
    for (const std::string& name : runtime_compiler_names()) {
      names.append(names.empty() ? "" : ", ").append(name);
    }
    throw Error(ErrorKind::device,
                fmt::format("expressions are compiled by NVRTC, and none of {} can be loaded: "
                            "install it (pip install nvidia-cuda-nvrtc, or the CUDA toolkit), or "
                            "name the library in APSP_NVRTC",
                            names));
  }
  Nvrtc::Program program = nullptr;
  const auto check = [&](int result, const char* doing) {
    if (result == 0) return;
    const std::string said =
        program == nullptr ? "" : text_of(program, compiler->log_size, compiler->log);
    throw Error(ErrorKind::device,
                fmt::format("NVRTC, {}: {}\n{}", doing, compiler->error(result), said.c_str()));
  };
  check(compiler->create(&program, source.c_str(), "apsp_product.cu", 0, nullptr, nullptr),
        "taking the source");
  const auto destroy = [&](void*) { compiler->destroy(&program); };
  const std::unique_ptr<void, decltype(destroy)> owned(program, destroy);
  const std::string architecture = fmt::format("-arch=sm_{}", capability);
  const std::array options = {architecture.c_str(), "-std=c++17"};
  check(compiler->compile(program, static_cast<int>(options.size()), options.data()), "compiling");
  std::string code = text_of(program, compiler->code_size, compiler->code);
  if (code.empty()) throw Error(ErrorKind::device, "NVRTC gave no machine code");
  return code;
}

}  // namespace apsp::kernels::cuda
