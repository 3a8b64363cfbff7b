#include "engine/update_lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "semiring/dispatch.hpp"
#include "semiring/semirings.hpp"

namespace apsp::engine {
namespace {

template <class S>
class LinesOf final : public Lines {
 public:
  using T = typename S::Value;

  bool better(const Weight& a, const Weight& b) const override {
    return S::better(value(a), value(b));
  }

  bool uses(const void* line, std::span<const WeighedArc> arcs, double rounding) const override {
    const T* const from_i = static_cast<const T*>(line);
    return std::any_of(arcs.begin(), arcs.end(), [&](const WeighedArc& arc) {
      const T distance = from_i[arc.to];
      if (distance == S::zero()) return false;
      const T by_arc = S::times(from_i[arc.from], value(arc.before));
      if (!S::better(distance, by_arc)) return true;
      if (rounding == 0 || by_arc == S::zero()) return false;
      const auto x = static_cast<double>(distance), y = static_cast<double>(by_arc);
      return std::abs(x - y) <= rounding * std::max(std::abs(x), std::abs(y));
    });
  }
  bool improves(const void* line, std::span<const WeighedArc> arcs) const override {
    const T* const from_i = static_cast<const T*>(line);
    return std::any_of(arcs.begin(), arcs.end(), [&](const WeighedArc& arc) {
      return S::better(S::times(from_i[arc.from], value(arc.now)), from_i[arc.to]);
    });
  }
  void mark_improved(const Weight& w, const void* head, const void* tail, Range columns,
                     char* improved) const override {
    const T* const from_head = static_cast<const T*>(head);
    const T* const from_tail = static_cast<const T*>(tail);
    const T now = value(w);
    for (std::int64_t j = columns.begin; j < columns.end; ++j) {
      if (S::better(S::times(now, from_head[j]), from_tail[j])) improved[j] = 1;
    }
  }

  void add(void* line, const void* other, std::int64_t n) const override {
    T* const mine = static_cast<T*>(line);
    const T* const theirs = static_cast<const T*>(other);
    for (std::int64_t j = 0; j < n; ++j) mine[j] = S::plus(mine[j], theirs[j]);
  }
  void add_times(void* line, const Weight& w, const void* other, std::int64_t n) const override {
    T* const mine = static_cast<T*>(line);
    const T* const behind = static_cast<const T*>(other);
    const T arc = value(w);
    for (std::int64_t j = 0; j < n; ++j) mine[j] = S::plus(mine[j], S::times(arc, behind[j]));
  }
  void add_one(void* line, std::int64_t place) const override {
    T& cell = static_cast<T*>(line)[place];
    cell = S::plus(cell, S::one());
  }
  void add_arcs(void* line, const void* from, std::span<const CoveredArc> arcs) const override {
    T* const mine = static_cast<T*>(line);
    const T* const values = static_cast<const T*>(from);
    for (const CoveredArc& arc : arcs) {
      mine[arc.place] = S::plus(mine[arc.place], S::times(values[arc.other], value(arc.weight)));
    }
  }
  void put(void* line, std::int64_t place, const Weight& w) const override {
    static_cast<T*>(line)[place] = value(w);
  }
  void gather(void* line, const void* from, std::span<const Vertex> places) const override {
    T* mine = static_cast<T*>(line);
    for (const Vertex place : places) *mine++ = static_cast<const T*>(from)[place];
  }
  void move(void* line, void* from, std::span<const std::int64_t> places) const override {
    T* mine = static_cast<T*>(line);
    for (const std::int64_t place : places) {
      *mine++ = std::exchange(static_cast<T*>(from)[place], S::zero());
    }
  }

 private:
  static T value(const Weight& bytes) {
    T typed{};
    std::memcpy(&typed, bytes.data(), sizeof(T));
    return typed;
  }
};

}  // namespace

std::unique_ptr<Lines> lines_of(Semiring semiring, ValueType type) {
  return semiring::dispatch(semiring, type, []<class S>() -> std::unique_ptr<Lines> {
    return std::make_unique<LinesOf<S>>();
  });
}

Weight weight_of(Semiring semiring, ValueType type, double weight) {
  return semiring::dispatch(semiring, type, [&]<class S>() {
    Weight bytes{};
    auto typed = S::zero();
    if constexpr (S::kKind == Semiring::or_and) {
      if (weight != 0) typed = S::one();
    } else if (!std::isinf(weight)) {
      typed = semiring::weight_as<S>(weight);
    }
    std::memcpy(bytes.data(), &typed, sizeof(typed));
    return bytes;
  });
}

}  // namespace apsp::engine
