// Graphs in an .npz, which is a ZIP archive of .npy arrays: a sparse matrix as
// scipy.sparse.save_npz writes it (csr, csc, coo, bsr), or one square matrix as numpy.savez does. A
// stored entry [i, j] is the arc i → j, and a stored 0 an arc of length 0, except in the blocks of
// a bsr, which are filled with zeros.
#include <fmt/ranges.h>
#include <apsp/near.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "base/fail.hpp"
#include "base/units.hpp"
#include "io/formats.hpp"
#include "io/matrix_values.hpp"
#include "io/npy_values.hpp"
#include "io/zip.hpp"

namespace apsp::io {

extern const Format numpy_format;

namespace {

/// An array of the archive.
struct Array {
  HeldBytes held;
  NpyHeader header;
  std::string name;  // for messages

  std::int64_t size() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : header.shape) product *= extent;
    return product;
  }
  /// Throws unless all values are present, which bounds every extent by the bytes there are.
  void require_values() const {
    auto left = static_cast<std::int64_t>(held.bytes.size() - header.data_offset);
    left /= std::max(header.item_size, 1);
    for (const std::int64_t extent : header.shape) {
      if (extent == 0) return;
      left /= extent;
    }
    if (left == 0) base::fail_input(name, "the array is cut short");
    if (header.fortran_order && header.shape.size() > 1) {
      base::fail_input(name, "an array in Fortran's order is not read here");
    }
  }
  /// visit(value) with the i-th value in its type.
  template <class Visit>
  auto with_value(std::int64_t i, const Visit& visit) const {
    return with_npy_type(header, name, [&]<class T>(T) {
      const char* const values = held.bytes.data() + header.data_offset;
      const T value = npy_value<T>(values + i * std::int64_t{sizeof(T)}, header.swapped);
      if constexpr (std::is_same_v<T, NpyBoolean>)
        return visit(value.bits);
      else
        return visit(value);
    });
  }
  std::int64_t index(std::int64_t i) const {
    return with_value(i, [&](auto value) -> std::int64_t {
      if constexpr (std::is_integral_v<decltype(value)>) return static_cast<std::int64_t>(value);
      base::fail_input(name, "indices are integers, not {}", type_name(header));
    });
  }
  double number(std::int64_t i) const {
    return with_value(i, [&](auto value) {
      const auto number = static_cast<double>(weight_of(value));
      if (!exact_in_f8(value)) {
        base::fail_input(name, "entry {} (from 0): {} is an integer beyond 2^53", i,
                         weight_of(value));
      }
      if (!std::isfinite(number)) {
        base::fail_input(name, "entry {} (from 0) is {}, which is no weight", i, number);
      }
      return number;
    });
  }
};

class NpzReader {
 public:
  explicit NpzReader(const Source& source) : source_(source) {
    for (ZipMember& member : zip_members(text_of(source), source.name)) {
      names_.push_back(member.name);
      members_[names_.back()] = std::move(member);
    }
  }

  Graph read() {
    if (!members_.contains("format.npy")) return read_matrix();
    const Array format = array("format");
    std::string kind;
    for (const char c : format.held.bytes.subspan(format.header.data_offset)) {
      if (c != '\0') kind += c;  // 'S3', or 'U3' of four bytes a character
    }
    read_shape();
    GraphBuilder builder(n_);
    builder.set_threads(source_.options.threads);
    if (kind == "csr" || kind == "csc") {
      read_rows(builder, kind == "csc", 1);
    } else if (kind == "bsr") {
      const Array data = array("data");
      if (data.header.shape.size() != 3 || data.header.shape[1] != data.header.shape[2] ||
          data.header.shape[1] < 1 || n_ % data.header.shape[1] != 0) {
        fail("blocks of a bsr that are not square are not read: save tocsr() of it");
      }
      read_rows(builder, false, data.header.shape[1]);
    } else if (kind == "coo") {
      read_pairs(builder);
    } else {
      fail("a sparse matrix of the kind '{}' is not read: save tocsr() of it", kind);
    }
    return finished(std::move(builder));
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) const {
    base::fail_input(source_.name, message, std::forward<Args>(args)...);
  }

  HeldBytes unpacked(const std::string& member) const {
    return unpacked_member(members_.at(member), source_.name + "/" + member,
                           source_.options.control);
  }

  Array array(const std::string& name) const {
    const std::string member = name + ".npy";
    if (!members_.contains(member)) fail("the sparse matrix has no array '{}'", name);
    Array array{unpacked(member), {}, source_.name + "/" + member};
    array.header = parse_npy_header(array.held.bytes, array.name);
    array.require_values();
    return array;
  }

  Graph read_matrix() const {
    if (names_.size() != 1) {
      fail("the archive has {} arrays, and is no sparse matrix of SciPy: save one of {} as .npy",
           names_.size(), fmt::join(names_, ", "));
    }
    HeldBytes held = unpacked(names_.front());
    const std::span<const char> bytes = held.bytes;
    const std::string name = source_.name + "/" + names_.front();
    return numpy_format.read({bytes, name, source_.options, source_.progress, std::move(held)});
  }

  void read_shape() {
    const Array shape = array("shape");
    if (shape.size() != 2 || shape.index(0) != shape.index(1)) {
      fail("the matrix is not square, and the adjacency matrix of a graph is");
    }
    n_ = shape.index(0);
    if (n_ < 0 || n_ > std::numeric_limits<Vertex>::max() ||
        !plausible_vertex_count(static_cast<std::uint64_t>(n_), source_.bytes.size())) {
      fail("a matrix of {} rows in a file of {} bytes", n_, source_.bytes.size());
    }
  }

  Vertex vertex(const Array& indices, std::int64_t i, std::int64_t most) const {
    const std::int64_t v = indices.index(i);
    if (v < 0 || v >= most) {
      base::fail_input(indices.name, "entry {} (from 0): {} is outside of 0 to {}", i, v, most - 1);
    }
    return static_cast<Vertex>(v);
  }

  /// Compressed rows (of csr), or columns, of blocks of `side` · `side` entries.
  void read_rows(GraphBuilder& builder, bool by_columns, std::int64_t side) {
    const Array begins = array("indptr"), indices = array("indices"), data = array("data");
    const std::int64_t rows = n_ / side, block = side * side;
    if (begins.size() != rows + 1 || begins.index(0) != 0 || begins.index(rows) > indices.size() ||
        data.size() < indices.size() * block) {
      fail("the arrays of the sparse matrix contradict each other");
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t end = begins.index(row + 1);
      if (begins.index(row) > end || end > indices.size()) {
        base::fail_input(begins.name, "entry {} (from 0) is not between its neighbours", row + 1);
      }
      for (std::int64_t at = begins.index(row); at < end; ++at) {
        const std::int64_t column = vertex(indices, at, rows);
        for (std::int64_t i = 0; i < block; ++i) {
          const double weight = data.number(at * block + i);
          if (side > 1 && weight == 0) {
            ++zeros_;
            continue;
          }
          const auto u = static_cast<Vertex>(row * side + i / side);
          const auto v = static_cast<Vertex>(column * side + i % side);
          by_columns ? builder.add_edge(v, u, weight) : builder.add_edge(u, v, weight);
        }
      }
    }
  }

  void read_pairs(GraphBuilder& builder) {
    const bool named = members_.contains("row.npy");  // SciPy 1.13 and later also have "coords"
    const Array data = array("data");
    const Array rows = array(named ? "row" : "coords");
    const Array columns = named ? array("col") : rows;
    const std::int64_t count = data.size(), shift = named ? 0 : count;
    if (rows.size() < count || columns.size() < count + shift) {
      fail("the arrays of the sparse matrix contradict each other");
    }
    for (std::int64_t i = 0; i < count; ++i) {
      builder.add_edge(vertex(rows, i, n_), vertex(columns, i + shift, n_), data.number(i));
    }
  }

  Graph finished(GraphBuilder builder) const {
    Graph graph = base::of_file(source_.name, [&] { return std::move(builder).build(); });
    if (zeros_ > 0) {
      graph = graph.with_remark(fmt::format("{} in the blocks of the bsr {} not edges",
                                            base::counted(zeros_, "zero", "zeros"),
                                            zeros_ == 1 ? "is" : "are"));
    }
    source_.progress.reached(source_.bytes.size());
    return with_direction(graph, source_.name, source_.options);
  }

  const Source& source_;
  std::vector<std::string> names_;
  std::map<std::string, ZipMember, std::less<>> members_;
  std::int64_t n_ = 0, zeros_ = 0;
};

}  // namespace

extern const Format npz_format = {
    .name = "npz",
    .suffixes = {".npz"},
    .recognises = [](std::string_view text) { return first_zip_name(text).ends_with(".npy"); },
    .read = [](const Source& source) { return NpzReader(source).read(); }};

}  // namespace apsp::io

namespace apsp {
namespace {

template <class T>
io::StoredFile array_of(const char* name, std::string_view type, std::span<const T> values) {
  return {name,
          io::format_npy_header(type, fmt::format("({},)", values.size())),
          {reinterpret_cast<const char*>(values.data()), values.size_bytes()}};
}

}  // namespace

/// Compressed sparse rows, as SciPy stores them.
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
