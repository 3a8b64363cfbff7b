// The uses of rows that an engine finds: a table of who takes them and who counts them.
#pragma once

namespace apsp::planner {

struct RowUses {
  bool keeps_matrix = true;     ///< otherwise rows are passed on as they come
  bool computes_rows = true;    ///< now; otherwise the source answers questions afterwards
  bool gives_columns = false;   ///< distances come vertex by vertex, only to statistics
  bool counts_columns = false;  ///< they do, and others take the same distances as rows
  /// A device finds the predecessors of rows that leave it. Otherwise the host does.
  bool finds_predecessors = false;
  bool stays_on_device = false;  ///< rows are taken on the device, and none is copied to the host
  bool fills_rooms = false;      ///< rows are written straight into the memory that keeps them

  bool operator==(const RowUses&) const = default;
};

/// The consumers of rows, in addition to statistics.
enum class RowTakers {
  nobody,
  matrix,           ///< that of all distances in memory, and perhaps others
  one_place,        ///< a single consumer, into whose memory the engine may write
  device_callback,  ///< only a caller's function that reads rows on the device
  several,          ///< others
};

/// The way in which distances are counted for statistics.
enum class Counting {
  nobody,
  by_rows,     ///< a consumer of rows
  by_columns,  ///< the engine, vertex by vertex
};

RowUses uses_of(RowTakers takers, Counting counting);

}  // namespace apsp::planner
