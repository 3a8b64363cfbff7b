// Matrices of a caller that are in a device's memory: how a device takes them, and what it finds in
// their values. On the host `graph::prepare_matrix` finds the same.
#pragma once

#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>

#include "kernels/contract.hpp"
#include "kernels/tile_kernels.hpp"

namespace apsp::kernels {

/// Properties of the values of a matrix; only finite values of sums count.
enum SurveyFlag : std::uint32_t {
  kHasNegative = 1,
  kHasPositive = 2,
  kHasFraction = 4,   ///< a value is not an integer of magnitude ≤ 2^53
  kHasAsymmetry = 8,  ///< a value differs from its mirror image
};

struct SurveyFound {
  std::uint64_t flags = 0;
  std::uint64_t bad = 0;  ///< 1 + row · n + column of the last NaN or value beyond no path; 0: none
};

/// Reads every value, and improves the diagonal to the empty path afterwards.
struct Survey {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  View matrix;                   ///< [n, n]
  double* largest = nullptr;     ///< [n]: the largest magnitude of a finite value of each row
  SurveyFound* found = nullptr;  ///< zeros on entry
};

/// Properties of an operand of a product; zeros before the first survey.
struct OperandFound {
  std::uint64_t negative = 0;  ///< 1: a finite value has a minus sign, −0 too
  std::uint64_t bad = 0;  ///< 1 + row · cols + column of a NaN or value beyond no path; 0: none
  double largest = 0;     ///< magnitude of a finite value; only of sums
};

/// Reads every value of a matrix and changes none.
struct OperandSurvey {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  ConstView matrix;               ///< [rows, cols]
  OperandFound* found = nullptr;  ///< on the device
};

/// Square matrices of one side at equal distances, on the device.
struct CallerBatch {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;  ///< `boolean`: bytes
  void* matrices = nullptr;         ///< [count, n, n]
  std::int64_t count = 0, n = 0;
  std::int64_t stride = 0, step = 0;  ///< values from row to row, and from matrix to matrix
  std::int32_t* via = nullptr;        ///< [count, n, n]; null: not tracked
  std::uint8_t* left = nullptr;       ///< [count] 1: the matrix was left as it was
  /// `any`: solves only matrices that were left, with kernels for values of any sign.
  Sign sign = Sign::non_negative;
};

class CallerMatrices {
 public:
  static constexpr const char* kTitle = "matrices of a caller";
  virtual ~CallerMatrices() = default;

  /// Takes a caller's memory on this device, `bytes` from its first value on, with the caller's
  /// queue there (`native`: a cudaStream_t), on which only events are to be recorded and waited
  /// for. From now on nothing that this device does waits for work of others. Throws `Error`
  /// (usage): the memory is not on this device.
  virtual QueueId borrow(std::byte* memory, std::int64_t bytes, std::uintptr_t native) = 0;
  /// Requires of both: values are not bits.
  virtual void survey(QueueId queue, const Survey& survey) = 0;
  /// Adds the properties of an operand to `found`.
  virtual void survey_operand(QueueId queue, const OperandSurvey& survey) = 0;

  /// Returns the largest side of matrices that `close_batch` takes.
  virtual std::int64_t batch_side(bool tracks_via) const = 0;
  /// D ← D* of every matrix, in one launch, in the order of its pivots: via(i, j) ← the last pivot
  /// that strictly improved D(i, j), kNoVia where there is none or no path. A matrix is left as it
  /// was if one of its values is bad, its distances may not fit, it has a cycle better than the
  /// empty path, or sums of reals of both signs.
  virtual void close_batch(QueueId queue, const CallerBatch& batch) = 0;
};

}  // namespace apsp::kernels
