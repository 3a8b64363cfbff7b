#include "base/event_count.hpp"

namespace apsp::base {

std::atomic<std::int64_t> spin_nanoseconds{20'000};

}  // namespace apsp::base
