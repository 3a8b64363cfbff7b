#include "near/accessibility.hpp"

#include <algorithm>
#include <cmath>

#include "semiring/dispatch.hpp"

namespace apsp::near {

struct AccessibilitySums::Shared {
  std::int64_t columns = 0;
  std::span<const double> limits;
  Decay decay;
  std::vector<double> quantities;  // [vertices, columns]
  std::vector<double> sums;        // [vertices, limits, columns]

  std::int64_t sums_of_source() const { return std::ssize(limits) * columns; }
};

/// Adds up a block of sources: one row of lanes for each limit and column.
template <class T>
class AccessibilitySums::Adder final : public flow::ColumnSink::Writer {
 public:
  explicit Adder(Shared& shared) : shared_(shared) {
    for (const double limit : shared.limits) limits_.push_back(within_type(limit));
  }

  void begin(std::span<const Vertex> sources) override {
    sources_ = sources;
    lanes_ = std::ssize(sources);
    sums_.assign(static_cast<std::size_t>(shared_.sums_of_source() * lanes_), 0);
    share_.resize(sources.size());
    decayed_.resize(sources.size());
  }
  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    const T* row = static_cast<const T*>(values);
    for (const Vertex v : vertices) {
      const double* const quantities = shared_.quantities.data() + v * shared_.columns;
      const auto nothing = [](double quantity) { return quantity == 0; };
      if (std::all_of(quantities, quantities + shared_.columns, nothing)) {
        row += lanes;
        continue;
      }
      if (without_limit()) decay(row);
      for (std::size_t l = 0; l < limits_.size(); ++l) add(quantities, row, l);
      row += lanes;
    }
  }
  void end() override {
    const std::int64_t count = shared_.sums_of_source();
    for (std::int64_t lane = 0; lane < lanes_; ++lane) {
      double* const to = shared_.sums.data() + sources_[static_cast<std::size_t>(lane)] * count;
      for (std::int64_t i = 0; i < count; ++i) to[i] = sums_.data()[i * lanes_ + lane];
    }
  }

 private:
  /// The greatest value of the type that is at most `limit`.
  static T within_type(double limit) {
    if constexpr (std::is_integral_v<T>) limit = std::floor(limit);
    return static_cast<T>(std::min(limit, largest_distance(detail::ValueTypeOf<T>::value)));
  }

  void add(const double* quantities, const T* row, std::size_t l) {
    double* sums = sums_.data() + static_cast<std::int64_t>(l) * shared_.columns * lanes_;
    if (shared_.decay.kind != Decay::Kind::none) find_shares(row, l);
    for (std::int64_t c = 0; c < shared_.columns; ++c, sums += lanes_) {
      if (quantities[c] == 0) continue;
      if (shared_.decay.kind == Decay::Kind::none) {
        add_whole(quantities[c], row, limits_[l], sums);
      } else {
        add_shares(quantities[c], sums);
      }
    }
  }
  void add_whole(double quantity, const T* row, T limit, double* sums) const {
#pragma omp simd
    for (std::int64_t i = 0; i < lanes_; ++i) sums[i] += row[i] <= limit ? quantity : 0.0;
  }
  void add_shares(double quantity, double* sums) const {
#pragma omp simd
    for (std::int64_t i = 0; i < lanes_; ++i) sums[i] += quantity * share_.data()[i];
  }
  /// Whether the share at a distance is the same for all limits that reach it.
  bool without_limit() const {
    return shared_.decay.kind != Decay::Kind::none && shared_.decay.kind != Decay::Kind::linear;
  }
  /// Fills `decayed_`, which all limits share.
  void decay(const T* row) {
    const T greatest = *std::max_element(limits_.begin(), limits_.end());
    for (std::int64_t i = 0; i < lanes_; ++i) {
      decayed_.data()[i] = row[i] <= greatest ? share_at(static_cast<double>(row[i])) : 0;
    }
  }
  double share_at(double distance) const {
    const double scale = shared_.decay.scale;
    if (shared_.decay.kind == Decay::Kind::power) return std::pow(std::max(distance, 1.0), -scale);
    const double ratio = distance / scale;  // not a product, because 1 / scale may overflow
    return std::exp(shared_.decay.kind == Decay::Kind::gaussian ? -ratio * ratio / 2 : -ratio);
  }
  void find_shares(const T* row, std::size_t l) {
    const double limit = shared_.limits[l];
    const bool decayed = without_limit();
    for (std::int64_t i = 0; i < lanes_; ++i) {
      const auto distance = static_cast<double>(row[i]);
      const bool near = row[i] <= limits_[l];
      double& share = share_.data()[i];
      if (!near) {
        share = 0;
      } else if (decayed) {
        share = decayed_.data()[i];
      } else {
        share = distance > 0 ? 1 - distance / limit : 1;
      }
    }
  }

  Shared& shared_;
  std::vector<T> limits_;
  std::span<const Vertex> sources_;
  std::int64_t lanes_ = 0;
  std::vector<double> sums_;     // [limits, columns, lanes]
  std::vector<double> share_;    // [lanes] share of a quantity that counts, for one vertex
  std::vector<double> decayed_;  // [lanes] decay without a limit
};

AccessibilitySums::AccessibilitySums(const AccessibilityQuestion& question, ValueType type)
    : shared_(std::make_unique<Shared>()), type_(type) {
  const std::int64_t n = question.vertices;
  shared_->columns = n == 0 ? 0 : std::ssize(question.quantities) / n;
  shared_->limits = question.limits;
  shared_->decay = question.decay;
  shared_->quantities.resize(question.quantities.size());
  for (std::int64_t c = 0; c < shared_->columns; ++c) {
    for (std::int64_t v = 0; v < n; ++v) {
      shared_->quantities.data()[v * shared_->columns + c] =
          question.quantities[static_cast<std::size_t>(c * n + v)];
    }
  }
  shared_->sums.resize(static_cast<std::size_t>(n * shared_->sums_of_source()));
}

AccessibilitySums::~AccessibilitySums() = default;

flow::ColumnSink::Writer& AccessibilitySums::part() {
  const std::lock_guard lock(mutex_);
  semiring::dispatch(Semiring::min_plus, type_, [&]<class S>() {
    writers_.push_back(std::make_unique<Adder<typename S::Value>>(*shared_));
  });
  return *writers_.back();
}

std::vector<double> AccessibilitySums::sums(std::span<const Vertex> sources) const {
  const std::int64_t count = shared_->sums_of_source();
  std::vector<double> result;
  result.reserve(sources.size() * static_cast<std::size_t>(count));
  for (const Vertex source : sources) {
    const auto from = shared_->sums.begin() + source * count;
    result.insert(result.end(), from, from + count);
  }
  return result;
}

}  // namespace apsp::near
