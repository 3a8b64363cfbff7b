// How rows are used: a table by consumers and kind of counting.
#pragma once

namespace apsp::planner {

struct RowUses {
  bool keeps_matrix = true;     ///< otherwise rows are emitted as they are computed
  bool computes_rows = true;    ///< otherwise the source answers queries later
  bool gives_columns = false;   ///< distances are emitted by column, only to statistics
  bool counts_columns = false;  ///< the same, while others receive rows
  /// A device computes the predecessors of rows that leave it; otherwise the host.
  bool finds_predecessors = false;
  bool stays_on_device = false;  ///< rows are read on the device, and none is copied to the host
  bool fills_rooms = false;      ///< rows are written directly into the memory that keeps them

  bool operator==(const RowUses&) const = default;
};

enum class RowTakers {
  nobody,
  matrix,           ///< the matrix of all distances in memory, and perhaps others
  one_place,        ///< a single consumer, into whose memory the engine may write
  device_callback,  ///< only a caller's function that reads rows on the device
  several,
};

enum class Counting {
  nobody,
  by_rows,
  by_columns,
};

RowUses uses_of(RowTakers takers, Counting counting);

}  // namespace apsp::planner
