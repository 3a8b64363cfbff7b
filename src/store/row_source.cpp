#include "store/row_source.hpp"

#include <apsp/error.hpp>

namespace apsp::store {

void RowSource::Worker::compute_columns(std::span<const Vertex>, ColumnSink::Part&, bool) {
  throw Error(ErrorKind::defect, "this source gives no columns");
}

}  // namespace apsp::store
