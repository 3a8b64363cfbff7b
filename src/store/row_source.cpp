#include "store/row_source.hpp"

#include <apsp/error.hpp>

namespace apsp::store {

void RowSource::Worker::compute_columns(std::span<const Vertex>, ColumnSink::Part&, bool) {
  throw Error(ErrorKind::defect, "this source gives no columns");
}

void RowSource::Worker::compute_both(std::span<const Vertex> sources, void* rows,
                                     std::int64_t stride, ColumnSink::Part& part) {
  compute(sources, rows, stride);
  compute_columns(sources, part, false);
}

void RowSource::Worker::compute_into(std::span<const Vertex>, const RowRoom&, ColumnSink::Part*) {
  throw Error(ErrorKind::defect, "this source fills no rooms");
}

}  // namespace apsp::store
