#include "sparse/metis_graph.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <limits>
#include <memory>
#include <mutex>

#include "system/threads.hpp"

namespace apsp::sparse {
namespace {

/// METIS may be built with 64-bit numbers; positions and edges have 32 bits here.
void require_numbers(std::int64_t count, const char* what) {
  constexpr std::int64_t kMost = std::min<std::int64_t>(std::numeric_limits<idx_t>::max(),
                                                        std::numeric_limits<Position>::max());
  if (count <= kMost) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("METIS numbers at most {} {}, and there are {}; solve with "
                          "`algorithm=johnson`",
                          kMost, what, count));
}

/// Throws `Error` (does_not_fit, defect) unless METIS succeeded.
void require_done(int status, const char* function) {
  if (status == METIS_OK) return;
  if (status == METIS_ERROR_MEMORY) {
    throw Error(ErrorKind::does_not_fit, fmt::format("{} has no memory", function));
  }
  throw Error(ErrorKind::defect, fmt::format("{} failed with status {}", function, status));
}

/// Restores a signal's disposition. METIS restores the handler but not its flags, and a second
/// signal would end the process.
class KeptAnswer {
 public:
  explicit KeptAnswer(int signal) : signal_(signal) { sigaction(signal_, nullptr, &answer_); }
  ~KeptAnswer() { sigaction(signal_, &answer_, nullptr); }
  KeptAnswer(const KeptAnswer&) = delete;
  KeptAnswer& operator=(const KeptAnswer&) = delete;

 private:
  int signal_;
  struct sigaction answer_;
};

using Options = std::array<idx_t, METIS_NOPTIONS>;

Options options_of(idx_t seed) {
  Options options;
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = seed;
  return options;
}

/// Calls METIS with SIGTERM blocked: METIS catches it with a jump that ends the process if another
/// thread takes the signal. Throws as `require_done`.
template <class F>
void run_metis(const char* function, F&& call) {
  const system::BlockedSignals blocked;
  const KeptAnswer to_terminate(SIGTERM), to_abort(SIGABRT);
  require_done(call(), function);
}

thread_local sigjmp_buf* way_out = nullptr;
void leave_metis(int) {
  if (way_out != nullptr) siglongjmp(*way_out, 1);
}

/// Calls a function of METIS that raises SIGABRT if it has no memory, and does not catch it.
template <class F>
int with_way_out(F&& call) {
  sigjmp_buf here;
  way_out = &here;
  if (sigsetjmp(here, 1) != 0) {
    way_out = nullptr;
    return METIS_ERROR_MEMORY;
  }
  std::signal(SIGABRT, leave_metis);  // `KeptAnswer` restores it
  const int status = call();
  way_out = nullptr;
  return status;
}

struct LockOfProcess {
  const pid_t process = getpid();
  std::mutex mutex;
};

}  // namespace

std::unique_lock<std::mutex> alone_with_metis() {
  static std::atomic<LockOfProcess*> current{new LockOfProcess};
  LockOfProcess* known = current.load(std::memory_order_acquire);
  if (known->process != getpid()) {  // a copied lock may be held by another thread of the parent
    auto fresh = std::make_unique<LockOfProcess>();
    if (current.compare_exchange_strong(known, fresh.get(), std::memory_order_acq_rel)) {
      known = fresh.release();
    }
  }
  return std::unique_lock(known->mutex);
}

void require_numbered(const Pattern& pattern) {
  require_numbers(pattern.vertices(), "vertices");
  require_numbers(std::ssize(pattern.neighbours), "neighbours");
}

MetisGraph::MetisGraph(const Pattern& pattern) {
  require_numbered(pattern);
  offsets.assign(pattern.offsets.begin(), pattern.offsets.end());
  neighbours.assign(pattern.neighbours.begin(), pattern.neighbours.end());
}

std::vector<idx_t> MetisGraph::nested_dissection(idx_t seed) {
  Options options = options_of(seed);
  auto n = static_cast<idx_t>(vertices());
  std::vector<idx_t> vertex_at(offsets.size() - 1), position_of(offsets.size() - 1);
  run_metis("METIS_NodeND", [&] {
    return METIS_NodeND(&n, offsets.data(), neighbours.data(), nullptr, options.data(),
                        vertex_at.data(), position_of.data());
  });
  return vertex_at;
}

std::vector<idx_t> MetisGraph::separator(idx_t seed) {
  Options options = options_of(seed);
  auto n = static_cast<idx_t>(vertices());
  idx_t size = 0;
  std::vector<idx_t> side_of(offsets.size() - 1);
  run_metis("METIS_ComputeVertexSeparator", [&] {
    return with_way_out([&] {
      return METIS_ComputeVertexSeparator(&n, offsets.data(), neighbours.data(), nullptr,
                                          options.data(), &size, side_of.data());
    });
  });
  return side_of;
}

std::vector<idx_t> MetisGraph::parts(idx_t parts) {
  Options options = options_of(1);
  auto n = static_cast<idx_t>(vertices());
  idx_t constraints = 1, cut = 0;
  std::vector<idx_t> part_of(offsets.size() - 1);
  run_metis("METIS_PartGraphKway", [&] {
    return METIS_PartGraphKway(&n, &constraints, offsets.data(), neighbours.data(), nullptr,
                               nullptr, nullptr, &parts, nullptr, nullptr, options.data(), &cut,
                               part_of.data());
  });
  return part_of;
}

}  // namespace apsp::sparse
