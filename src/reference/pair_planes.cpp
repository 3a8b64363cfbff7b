#include "reference/pair_planes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/control.hpp"

namespace apsp::reference {
namespace {

using store::Plane;

std::vector<Plane> pair_planes_of(const store::Store& store) {
  std::vector<Plane> planes = {Plane::distance, Plane::via};
  if (store.holds(Plane::hops)) planes.push_back(Plane::hops);
  return planes;
}

bool rests_in_memory(const store::Store& store) { return store.data(Plane::via) != nullptr; }

/// T: the type of the distances.
template <class T>
class InMemory final : public PairPlanes {
 public:
  /// `copy`: empty where the planes rest in `store` itself.
  InMemory(const store::Store& store, std::unique_ptr<store::Store> copy)
      : copy_(std::move(copy)),
        stride_(store.stride()),
        distance_(static_cast<const T*>(store.data(Plane::distance))),
        via_(static_cast<const std::int32_t*>(store.data(Plane::via))),
        hops_(static_cast<const std::int32_t*>(store.data(Plane::hops))) {}

  double distance(Vertex s, Vertex t) const override {
    return static_cast<double>(distance_[at(s, t)]);
  }
  std::int32_t via(Vertex s, Vertex t) const override { return via_[at(s, t)]; }
  std::int32_t hops(Vertex s, Vertex t) const override { return hops_[at(s, t)]; }

 private:
  std::int64_t at(Vertex s, Vertex t) const { return s * stride_ + t; }

  std::unique_ptr<store::Store> copy_;
  std::int64_t stride_;       // values
  const T* distance_;         // [n, stride_]
  const std::int32_t* via_;   // [n, stride_]
  const std::int32_t* hops_;  // [n, stride_], or nullptr
};

class InStore final : public PairPlanes {
 public:
  explicit InStore(const store::Store& store) : store_(store) {}

  double distance(Vertex s, Vertex t) const override {
    switch (store_.layout().type) {
      case ValueType::f32:
        return static_cast<double>(value<float>(Plane::distance, s, t));
      case ValueType::f64:
        return value<double>(Plane::distance, s, t);
      case ValueType::i32:
        return value<std::int32_t>(Plane::distance, s, t);
      case ValueType::u16:
        return value<std::uint16_t>(Plane::distance, s, t);
      case ValueType::boolean:
        return value<std::uint8_t>(Plane::distance, s, t);
    }
    return 0;
  }
  std::int32_t via(Vertex s, Vertex t) const override {
    return value<std::int32_t>(Plane::via, s, t);
  }
  std::int32_t hops(Vertex s, Vertex t) const override {
    return value<std::int32_t>(Plane::hops, s, t);
  }

 private:
  template <class T>
  T value(Plane plane, Vertex s, Vertex t) const {
    T result{};
    store_.read(plane, {s, t, 1, 1}, &result, 1);
    return result;
  }

  const store::Store& store_;
};

std::unique_ptr<store::Store> copy_of(const store::Store& store, const Control& control) {
  store::Layout layout = store.layout();
  layout.planes = pair_planes_of(store);
  auto copy = store::make_memory_store(layout);
  const std::int64_t n = layout.n;
  const std::int64_t band = std::max<std::int64_t>(1, layout.tile);
  base::ProgressTask progress(control, "reading", static_cast<double>(copied_bytes(store)), "byte");
  for (const Plane plane : layout.planes) {
    const std::int64_t size = store::value_size(layout, plane);
    auto* const to = static_cast<std::byte*>(copy->data(plane));
    for (std::int64_t row = 0; row < n; row += band) {
      base::check_cancelled(control);
      const std::int64_t rows = std::min(band, n - row);
      store.read(plane, {row, 0, rows, n}, to + row * copy->stride() * size, copy->stride());
      progress.advance(static_cast<double>(rows * n * size));
    }
  }
  return copy;
}

template <class T>
std::unique_ptr<PairPlanes> in_memory(const store::Store& store, const Control& control) {
  if (rests_in_memory(store)) return std::make_unique<InMemory<T>>(store, nullptr);
  auto copy = copy_of(store, control);
  const store::Store& rests = *copy;
  return std::make_unique<InMemory<T>>(rests, std::move(copy));
}

}  // namespace

std::int64_t copied_bytes(const store::Store& store) {
  if (rests_in_memory(store)) return 0;
  std::int64_t bytes_a_pair = 0;
  for (const Plane plane : pair_planes_of(store)) {
    bytes_a_pair += store::value_size(store.layout(), plane);
  }
  return store.layout().n * store.layout().n * bytes_a_pair;
}

std::unique_ptr<PairPlanes> planes_in_memory(const store::Store& store, const Control& control) {
  switch (store.layout().type) {
    case ValueType::f32:
      return in_memory<float>(store, control);
    case ValueType::f64:
      return in_memory<double>(store, control);
    case ValueType::i32:
      return in_memory<std::int32_t>(store, control);
    case ValueType::u16:
      return in_memory<std::uint16_t>(store, control);
    case ValueType::boolean:
      return in_memory<std::uint8_t>(store, control);
  }
  return nullptr;
}

std::unique_ptr<PairPlanes> planes_in_store(const store::Store& store) {
  return std::make_unique<InStore>(store);
}

}  // namespace apsp::reference
