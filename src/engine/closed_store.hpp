// Reachability that stays in bits, as a matrix of bytes that is not there.
#pragma once

#include <memory>

#include "places/reachable_bits.hpp"
#include "store/derived_store.hpp"

namespace apsp::engine {

class ClosedStore final : public store::DerivedStore {
 public:
  /// `tile`: rows of a band that sinks are given. Rows are unpacked by so many threads.
  ClosedStore(std::unique_ptr<const places::ReachableBits> bits, std::int64_t tile, int threads);

  void read(store::Plane plane, store::Block block, void* out, std::int64_t stride) const override;

 private:
  std::unique_ptr<const places::ReachableBits> bits_;
  int threads_;
};

}  // namespace apsp::engine
