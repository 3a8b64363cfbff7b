// Which vertices reach which, in packed bits of the host's memory, however they lie there.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>
#include <memory>

#include "flow/derived_store.hpp"
#include "kernels/contract.hpp"

namespace apsp::dense {

class ReachableBits {
 public:
  virtual ~ReachableBits() = default;
  virtual std::int64_t n() const = 0;
  /// bytes [n] ← 1 where row i has a bit, else 0. Any number of threads at once.
  virtual void unpack(std::int64_t i, std::uint8_t* bytes) const = 0;
};

/// A row of a matrix of bytes.
inline std::uint8_t* byte_row(kernels::View bytes, std::int64_t i) {
  return static_cast<std::uint8_t*>(bytes.data) + i * bytes.stride;
}

/// reach [n, n] of bytes ← the bits. Throws `Error` (interrupted).
void unpack(const ReachableBits& bits, kernels::View reach, int threads, const Control& control);

/// Reachability that stays in bits, as a matrix of bytes that is not there.
class ClosedStore final : public flow::DerivedStore {
 public:
  /// `tile`: rows of a band that sinks are given. Rows are unpacked by so many threads.
  ClosedStore(std::unique_ptr<const ReachableBits> bits, std::int64_t tile, int threads);

  void read(store::Plane plane, store::Block block, void* out, std::int64_t stride) const override;

 private:
  std::unique_ptr<const ReachableBits> bits_;
  int threads_;
};

}  // namespace apsp::dense
