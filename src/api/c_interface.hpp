// The C interface (apsp.h): handles around the C++ types, exceptions as statuses.
#pragma once

#include <apsp/apsp.h>

#include <apsp/apsp.hpp>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

struct apsp_builder {
  std::int64_t vertices;
  bool directed;
  std::vector<apsp::Edge> edges{};
};
struct apsp_graph {
  apsp::Graph graph;
};
struct apsp_options {
  apsp::SolveOptions solve{};
  apsp_rows rows = nullptr;
  void* context = nullptr;
};
struct apsp_plan {
  apsp::PlanReport report;
};
struct apsp_result {
  apsp::Result result;
};
struct apsp_cancellation {
  std::shared_ptr<apsp::Cancellation> flag = std::make_shared<apsp::Cancellation>();
};

namespace apsp::api {

/// Sets the last error of the calling thread. Returns `status`.
apsp_status c_failure(apsp_status status, const char* message,
                      std::span<const Vertex> cycle = {}) noexcept;
apsp_status c_status(ErrorKind kind);
Control c_control();
/// Options without rows. `options` may be null.
SolveOptions c_solving(const apsp_options* options);
/// Throws `Error` (usage) if an array of `count` > 0 values is null.
void require_array(const char* what, const void* values, std::size_t count);
/// Copies an array, which must not be null. Throws the same.
std::vector<Vertex> c_vertices(const std::uint32_t* vertices, std::size_t count);

/// Calls work() and converts exceptions to a status.
template <class Work>
apsp_status guarded(Work&& work) noexcept {
  try {
    work();
    return APSP_OK;
  } catch (const Error& error) {
    return c_failure(c_status(error.kind()), error.what(), error.cycle().vertices);
  } catch (const std::bad_alloc&) {
    return c_failure(APSP_DOES_NOT_FIT, "the memory of this process is exhausted");
  } catch (const std::length_error&) {
    return c_failure(APSP_DOES_NOT_FIT, "an array is longer than any memory");
  } catch (const std::exception& error) {
    return c_failure(APSP_DEFECT, error.what());
  } catch (...) {
    return c_failure(APSP_DEFECT, "an error of an unknown kind");
  }
}

/// The same, after checking that no pointer is null.
template <class Work, class... Pointers>
apsp_status checked(Work&& work, const Pointers*... pointers) noexcept {
  const bool one_is_null = ((pointers == nullptr) || ...);
  if (one_is_null) {
    return c_failure(APSP_USAGE, "an argument is NULL that must not be");
  }
  return guarded(std::forward<Work>(work));
}

/// The same for calls that make a handle: *out is null on failure.
template <class Handle, class Work, class... Pointers>
apsp_status made(Handle** out, Work&& work, const Pointers*... pointers) noexcept {
  if (out != nullptr) *out = nullptr;
  return checked([&] { *out = work(); }, out, pointers...);
}

}  // namespace apsp::api
