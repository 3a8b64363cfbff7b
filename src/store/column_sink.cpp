#include "store/column_sink.hpp"

#include <apsp/error.hpp>

namespace apsp::store {

void ColumnSink::take_counted(const CountedDistances&) {
  throw Error(ErrorKind::defect, "this sink takes distances, not counts of them");
}

}  // namespace apsp::store
