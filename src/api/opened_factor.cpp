#include "api/result_state.hpp"
#include "paths/paths.hpp"

namespace apsp::api {
namespace {

/// So many pairs cost about as much as reading a factor of a road network whole.
constexpr std::size_t kFewPairs = 16;

}  // namespace

std::optional<std::vector<double>> OpenedFactor::distances(std::span<const VertexPair> pairs) {
  const std::lock_guard lock(mutex_);
  if (is_whole() || pairs.size() > kFewPairs - asked_) return std::nullopt;
  if (paths_ == nullptr) paths_ = std::make_unique<elimination::StoredPaths>(*stored_);
  const store::Layout& layout = stored_->layout();
  std::vector<std::byte> values(pairs.size() * static_cast<std::size_t>(size_of(layout.type)));
  paths_->distances(pairs, values.data());
  asked_ += pairs.size();
  std::vector<double> found;
  const std::byte* value = values.data();
  for (const VertexPair& pair : pairs) {
    found.push_back(paths::as_double(layout.semiring, layout.type, value, pair.from == pair.to));
    value += size_of(layout.type);
  }
  return found;
}

}  // namespace apsp::api
