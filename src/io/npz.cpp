// Compressed sparse rows as SciPy stores them: an .npz, which is a ZIP archive of .npy arrays.
#include <fmt/format.h>
#include <apsp/near.hpp>

#include "io/npy_header.hpp"
#include "io/zip.hpp"

namespace apsp {
namespace {

template <class T>
io::StoredFile array_of(const char* name, std::string_view type, std::span<const T> values) {
  return {name,
          io::format_npy_header(type, fmt::format("({},)", values.size())),
          {reinterpret_cast<const char*>(values.data()), values.size_bytes()}};
}

}  // namespace

void write_npz(const SparseDistances& pairs, const std::string& path, const Control& control) {
  const std::vector<std::int64_t> shape = {std::ssize(pairs.row_begin) - 1, pairs.vertices};
  // SciPy wants one type for both arrays of indices: 32 bits where these hold all of them.
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  const bool narrow = std::ssize(pairs.targets) < kMost && pairs.vertices < kMost;
  std::vector<std::int32_t> begins;
  std::vector<std::int64_t> targets;
  if (narrow) {
    begins.assign(pairs.row_begin.begin(), pairs.row_begin.end());
  } else {
    targets.assign(pairs.targets.begin(), pairs.targets.end());
  }
  const std::span narrow_targets(reinterpret_cast<const std::int32_t*>(pairs.targets.data()),
                                 pairs.targets.size());
  using Wide = std::span<const std::int64_t>;
  const io::StoredFile files[] = {
      narrow ? array_of("indices.npy", "<i4", narrow_targets)
             : array_of("indices.npy", "<i8", Wide(targets)),
      narrow ? array_of("indptr.npy", "<i4", std::span<const std::int32_t>(begins))
             : array_of("indptr.npy", "<i8", Wide(pairs.row_begin)),
      {"format.npy", io::format_npy_header("|S3", "()"), "csr"},
      array_of("shape.npy", "<i8", Wide(shape)),
      array_of("data.npy", "<f8", std::span<const double>(pairs.distances))};
  io::OutputFile file(path, io::Compression::none, control);
  put_zip(file, files);
  file.commit();
}

}  // namespace apsp
