// NumPy's files: a dense matrix in an .npy, and .npz archives with a sparse matrix of
// scipy.sparse.save_npz (csr, csc, coo, bsr) or a square matrix of numpy.savez.
//
// Entry [i, j] is the arc i → j. Dense matrices: "no path" of the value type (infinity; 2^30−1 for
// i4, 2^15−1 for u2) means no arc, zero is an arc of length zero, and diagonal entries count only
// if negative; values stay in the mapping (numpy.hpp lists the converted types). Sparse
// matrices: a stored zero is an arc of length 0, except in blocks of a bsr, which are padded with
// zeros. Matrices are written as f4 if that is exact, else as f8.

#include <algorithm>
#include <apsp/matrix.hpp>
#include <apsp/near.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <system_error>

#include "base/joined.hpp"
#include "base/units.hpp"
#include "graph/mirrored.hpp"
#include "io/formats.hpp"
#include "io/number.hpp"
#include "io/numpy.hpp"
#include "semiring/semirings.hpp"

namespace apsp::io {
namespace {

template <class T>
using HeldAs = std::conditional_t<
    std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint16_t>, T,
    std::conditional_t<sizeof(T) <= 2 || std::is_same_v<T, float>, float, double>>;

/// Converts `count` values. Returns the number before the first inexact one.
template <class From>
std::int64_t convert_values(const char* from, bool swapped, std::int64_t count, char* to) {
  using To = HeldAs<From>;
  for (std::int64_t i = 0; i < count; ++i) {
    const From value = npy_value<From>(from + i * std::int64_t{sizeof(From)}, swapped);
    if (!exact_in_f8(value)) return i;
    const To weight = static_cast<To>(weight_of(value));
    std::memcpy(to + i * std::int64_t{sizeof(To)}, &weight, sizeof(To));
  }
  return count;
}

[[noreturn]] void refuse_entry(const MatrixInFile& matrix, std::int64_t place,
                               const std::string& name) {
  const std::int64_t line = place / matrix.n, at = place % matrix.n;
  base::fail_input(name,
                   "the entry [{}, {}] (row, column; counted from 0) {}; if it means no edge, "
                   "save infinity there, in a matrix of f8",
                   matrix.by_columns ? at : line, matrix.by_columns ? line : at,
                   describe({}, NumberFault::inexact_integer));
}

bool usable_in_place(const MatrixInFile& matrix) {
  return !matrix.header.swapped && with_npy_type(matrix.header, "", [&]<class T>(T) {
    return std::is_same_v<T, HeldAs<T>> &&
           reinterpret_cast<std::uintptr_t>(matrix.data) % sizeof(T) == 0;
  });
}

/// The position of the values in an .npy, without ownership. `type` is the type after conversion.
/// Throws `Error` (input) that begins with `name`.
MatrixInFile locate_matrix(std::span<const char> bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, name);
  if (header.shape.size() != 2 || header.shape[0] != header.shape[1]) {
    base::fail_input(name, "an array of shape ({}) is not a graph: a graph is a square matrix",
                     base::joined(header.shape, ", "));
  }
  MatrixInFile matrix;
  matrix.type = with_npy_type(header, name, [](auto value) -> ValueType {
    return detail::ValueTypeOf<HeldAs<decltype(value)>>::value;
  });
  require_values(header, bytes, name);
  matrix.n = header.shape[0];
  matrix.by_columns = header.fortran_order;
  matrix.data = bytes.data() + header.data_offset;
  matrix.header = header;
  return matrix;
}

/// Converts the values. Throws `Error` (input), with row and column, for an integer that is not
/// exact, and the exceptions of `progress`.
MatrixInFile converted(const MatrixInFile& matrix, const std::string& name,
                       ReadProgress& progress) {
  constexpr std::int64_t kAtOnce = std::int64_t{1} << 18;
  const auto convert = with_npy_type(matrix.header, name,
                                     [](auto value) { return &convert_values<decltype(value)>; });
  const std::int64_t item = matrix.header.item_size;
  const std::int64_t count = matrix.n * matrix.n, size = size_of(matrix.type);
  const char* const values = static_cast<const char*>(matrix.data);
  StreamedBytes stream;
  for (std::int64_t first = 0; first < count; first += kAtOnce) {
    const std::int64_t some = std::min(kAtOnce, count - first);
    const auto bytes = static_cast<std::size_t>(some * size);
    const std::int64_t exact =
        convert(values + first * item, matrix.header.swapped, some, stream.spare(bytes).data());
    if (exact < some) refuse_entry(matrix, first + exact, name);
    stream.added(bytes);
    progress.reached(matrix.header.data_offset + static_cast<std::size_t>((first + some) * item));
  }
  const HeldBytes held = stream.finish();
  MatrixInFile result = matrix;
  result.data = held.bytes.data();
  held.give_to(result);
  return result;
}

/// Remarks on values with other meanings elsewhere: 0, -1 and the greatest integer of a type often
/// mean "no edge", and our value for that may be a weight.
Graph with_remarks_of_type(const Graph& graph, const NpyHeader& header) {
  const double greatest = with_npy_type(header, "", [](auto value) {
    return static_cast<double>(weight_of(std::numeric_limits<decltype(value)>::max()));
  });
  const bool integers = header.kind == 'i' || header.kind == 'u';
  Graph remarked = graph;
  const auto remark_on = [&](double weight, const std::string& what) {
    remarked = remarked.with_remark(fmt::format(
        "entries of {}{} are edges of that weight; if they mean no edge, save infinity there, in a "
        "matrix of f8",
        base::format_value(weight), what));
  };
  const std::int64_t n = graph.vertex_count();
  const std::int64_t missing = n * (n - 1) - (graph.arc_count() - graph.loop_count());
  if (graph.arc_count() > 0) {
    const auto& [least, most] =
        std::pair(graph.weight_facts().least, graph.weight_facts().greatest);
    if (missing == 0 && (least == 0 || least == -1)) remark_on(least, "");
    if (integers && most == greatest)
      remark_on(greatest, fmt::format(", the greatest value of {},", type_name(header)));
  }
  if (!integers) return remarked;
  const bool narrow = header.item_size == 2;
  const bool has_no_path = header.kind == (narrow ? 'u' : 'i') && (narrow || header.item_size == 4);
  if (!has_no_path || missing == 0) return remarked;
  const int no_path =
      narrow ? WeightMatrix::no_arc<std::uint16_t>() : WeightMatrix::no_arc<std::int32_t>();
  return remarked.with_remark(fmt::format(
      "{} of {}, which means no path in {}, {} not {}", base::counted(missing, "entry", "entries"),
      base::format_value(no_path), type_name(header), missing == 1 ? "is" : "are",
      missing == 1 ? "an edge" : "edges"));
}

template <class T>
void write_values(const Graph& graph, OutputFile& out) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<T> row(n);
  for (std::size_t u = 0; u < n; ++u) {
    std::ranges::fill(row, semiring::Infinity<T>::plus);
    row[u] = T(0);
    graph.for_each_arc(static_cast<Vertex>(u),
                       [&](Vertex v, double weight) { row[v] = static_cast<T>(weight); });
    out.put(std::string_view(reinterpret_cast<const char*>(row.data()), n * sizeof(T)));
    out.end_rows();
  }
}

bool exact_in_f4(const Graph& graph) {
  bool exact = true;
  for (Vertex u = 0; u < graph.vertex_count() && exact; ++u) {
    graph.for_each_arc(u, [&](Vertex, double weight) {
      exact = exact && std::abs(weight) <= std::numeric_limits<float>::max() &&
              static_cast<double>(static_cast<float>(weight)) == weight;
    });
  }
  return exact;
}

/// The graph with the requested direction; undirected requires symmetry. Throws `Error` (input).
Graph with_direction(const Graph& graph, const std::string& name, const ReadOptions& options) {
  if (options.directed.value_or(true)) return graph;
  if (graph.symmetric()) return graph.as_undirected();
  const Edge lone = find_unmirrored(graph, options.threads).value();
  base::fail_input(name,
                   "not an undirected graph: the entries [{0}, {1}] and [{1}, {0}] "
                   "(counted from 0) differ",
                   lone.from, lone.to);
}

Graph read_numpy(const Source& source) {
  MatrixInFile matrix = locate_matrix(source.bytes, source.name);
  if (source.held.owner != nullptr && usable_in_place(matrix)) {
    source.held.give_to(matrix);
  } else {
    matrix = converted(matrix, source.name, source.progress);
  }
  Graph graph = matrix_graph(std::move(matrix), nullptr, source.name, source.options);
  source.progress.reached(source.bytes.size());
  return graph;
}

void write_numpy(const Graph& graph, OutputFile& out) {
  const auto refuse = [](const char* what) {
    base::fail(ErrorKind::usage, "an .npy matrix cannot hold {}: use .mtx, .gr or .txt", what);
  };
  if (!graph.labels().empty()) refuse("the vertices' labels");
  if (has_parallel_arcs(graph)) refuse("parallel edges");
  const bool narrow = exact_in_f4(graph);
  out.put(format_npy_header(narrow ? "<f4" : "<f8", graph.vertex_count(), graph.vertex_count()));
  narrow ? write_values<float>(graph, out) : write_values<double>(graph, out);
}

std::optional<GraphHeader> peek_numpy(const Source& source) {
  const NpyHeader npy = parse_npy_header(source.bytes, source.name);
  if (npy.shape.size() != 2 || npy.shape[0] != npy.shape[1]) return std::nullopt;
  return GraphHeader{.vertices = npy.shape[0], .matrix = true};
}

}  // namespace

Graph matrix_graph(MatrixInFile matrix, std::shared_ptr<const graph::MatrixScan> scan,
                   const std::string& name, const ReadOptions& options) {
  const NpyHeader header = matrix.header;
  GraphBuilder builder(matrix.n);
  builder.set_threads(options.threads);
  builder.set_matrix(std::move(matrix), std::move(scan));
  Graph graph = base::of_file(name, [&] { return std::move(builder).build(); });
  return with_direction(with_remarks_of_type(graph, header), name, options);
}

std::optional<MatrixInFile> map_matrix(const std::string& path, const ReadOptions& options) {
  std::error_code failure;
  const bool otherwise = options.format && *options.format != GraphFormat::numpy;
  if (otherwise || !options.coordinates.empty() || path == "-" ||
      !std::filesystem::is_regular_file(path, failure)) {
    return std::nullopt;
  }
  const HeldBytes held = hold_input(path, {});
  if (!held.mapped || !has_npy_magic(held.bytes)) return std::nullopt;
  require_useful(options, GraphFormat::numpy, path);
  if (options.on_header) {
    if (const auto header = peek_header(held.bytes, path, options)) options.on_header(*header);
  }
  MatrixInFile matrix = locate_matrix(held.bytes, path);
  if (!usable_in_place(matrix)) {
    ReadProgress progress(options.control, held.bytes.size());
    return converted(matrix, path, progress);
  }
  held.give_to(matrix);
  return matrix;
}

extern const Format numpy_format = {
    .name = "numpy",
    .suffixes = {".npy"},
    .recognises = [](std::string_view text) { return has_npy_magic(text); },
    .read = read_numpy,
    .write = write_numpy,
    .peek = peek_numpy};

namespace {

class NpzReader {
 public:
  explicit NpzReader(const Source& source) : source_(source) {
    for (ZipMember& member : zip_members(text_of(source), source.name)) {
      std::string name = member.name;
      members_[std::move(name)] = std::move(member);
    }
  }

  Graph read() {
    if (!members_.contains("format.npy")) return read_matrix();
    const NpyArray format = array("format");
    std::string kind;
    for (const char c : format.values()) {
      if (c != '\0') kind += c;  // 'S3', or 'U3' with four bytes per character
    }
    read_shape();
    GraphBuilder builder(n_);
    builder.set_threads(source_.options.threads);
    if (kind == "csr" || kind == "csc") {
      read_rows(builder, kind == "csc", 1);
    } else if (kind == "bsr") {
      const std::vector<std::int64_t> shape = array("data").header().shape;
      if (shape.size() != 3 || shape[1] != shape[2] || shape[1] < 1 || n_ % shape[1] != 0) {
        base::fail_input(source_.name,
                         "blocks of a bsr that are not square are not read: save tocsr() of it");
      }
      read_rows(builder, false, shape[1]);
    } else if (kind == "coo") {
      adds_twins_ = true;
      read_pairs(builder);
    } else {
      base::fail_input(source_.name,
                       "a sparse matrix of the kind '{}' is not read: save tocsr() of it", kind);
    }
    return finished(std::move(builder));
  }

 private:
  HeldBytes unpacked(const std::string& member) const {
    return unpacked_member(members_.at(member), source_.name + "/" + member,
                           source_.options.control);
  }

  NpyArray array(const std::string& name) const {
    const std::string member = name + ".npy";
    if (!members_.contains(member))
      base::fail_input(source_.name, "the sparse matrix has no array '{}'", name);
    NpyArray array(unpacked(member), source_.name + "/" + member);
    if (array.header().fortran_order && array.header().shape.size() > 1) {
      base::fail_input(array.name(), "an array in Fortran's order is not read here");
    }
    return array;
  }

  Graph read_matrix() const {
    if (members_.size() != 1) {
      std::vector<std::string_view> names;
      for (const auto& [name, member] : members_) names.push_back(name);
      base::fail_input(
          source_.name,
          "the archive has {} arrays, and is no sparse matrix of SciPy: save one of {} as .npy",
          names.size(), base::joined(names, ", "));
    }
    const std::string& member = members_.begin()->first;
    HeldBytes held = unpacked(member);
    const std::span<const char> bytes = held.bytes;
    const std::string name = source_.name + "/" + member;
    return numpy_format.read({bytes, name, source_.options, source_.progress, std::move(held)});
  }

  void read_shape() {
    const NpyArray shape = array("shape");
    if (shape.size() != 2 || shape.index(0) != shape.index(1)) {
      base::fail_input(source_.name,
                       "the matrix is not square, and the adjacency matrix of a graph is");
    }
    n_ = shape.index(0);
    if (n_ < 0 || n_ > std::numeric_limits<Vertex>::max() ||
        !plausible_vertex_count(static_cast<std::uint64_t>(n_), source_.bytes.size())) {
      base::fail_input(source_.name, "a matrix of {} rows in a file of {} bytes", n_,
                       source_.bytes.size());
    }
  }

  Vertex vertex(const NpyArray& indices, std::int64_t i, std::int64_t most) const {
    const std::int64_t v = indices.index(i);
    if (v < 0 || v >= most) {
      base::fail_input(indices.name(), "entry {} (from 0): {} is outside of 0 to {}", i, v,
                       most - 1);
    }
    return static_cast<Vertex>(v);
  }

  static double finite(const NpyArray& data, std::int64_t i) {
    const double number = data.number(i);
    if (number == 0 && data.header().kind == 'b')
      base::fail_input(data.name(),
                       "entry {} (from 0) is a stored False, an edge of length 0 in SciPy: "
                       "eliminate_zeros() before saving",
                       i);
    if (std::isfinite(number)) return number;
    base::fail_input(data.name(), "entry {} (from 0) is {}, which is no weight", i, number);
  }

  /// Reads compressed rows (csr) or columns of `side` × `side` blocks.
  void read_rows(GraphBuilder& builder, bool by_columns, std::int64_t side) {
    const NpyArray begins = array("indptr"), indices = array("indices"), data = array("data");
    const std::int64_t rows = n_ / side, block = side * side;
    if (begins.size() != rows + 1 || begins.index(0) != 0 || begins.index(rows) > indices.size() ||
        data.size() < indices.size() * block) {
      base::fail_input(source_.name, "the arrays of the sparse matrix contradict each other");
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t end = begins.index(row + 1);
      if (begins.index(row) > end || end > indices.size()) {
        base::fail_input(begins.name(), "entry {} (from 0) is not between its neighbours", row + 1);
      }
      for (std::int64_t at = begins.index(row); at < end; ++at) {
        const std::int64_t column = vertex(indices, at, rows);
        for (std::int64_t i = 0; i < block; ++i) {
          if (side > 1 && data.number(at * block + i) == 0) {
            ++zeros_;
            continue;
          }
          const double weight = finite(data, at * block + i);
          const auto u = static_cast<Vertex>(row * side + i / side);
          const auto v = static_cast<Vertex>(column * side + i % side);
          by_columns ? builder.add_edge(v, u, weight) : builder.add_edge(u, v, weight);
        }
      }
    }
  }

  void read_pairs(GraphBuilder& builder) {
    const bool named = members_.contains("row.npy");  // SciPy 1.13 and later also have "coords"
    const NpyArray data = array("data");
    const NpyArray rows = array(named ? "row" : "coords");
    const NpyArray columns = named ? array("col") : rows;
    const std::int64_t count = data.size(), shift = named ? 0 : count;
    if (rows.size() < count || columns.size() < count + shift) {
      base::fail_input(source_.name, "the arrays of the sparse matrix contradict each other");
    }
    for (std::int64_t i = 0; i < count; ++i) {
      builder.add_edge(vertex(rows, i, n_), vertex(columns, i + shift, n_), finite(data, i));
    }
  }

  Graph finished(GraphBuilder builder) const {
    Graph graph = base::of_file(source_.name, [&] { return std::move(builder).build(); });
    if (adds_twins_ && has_parallel_arcs(graph)) {
      base::fail_input(source_.name,
                       "entries of the coo come twice at one place, and SciPy adds these: save "
                       "tocsr() of it");
    }
    if (zeros_ > 0) {
      graph = graph.with_remark(fmt::format("{} in the blocks of the bsr {} not edges",
                                            base::counted(zeros_, "zero", "zeros"),
                                            zeros_ == 1 ? "is" : "are"));
    }
    source_.progress.reached(source_.bytes.size());
    return with_direction(graph, source_.name, source_.options);
  }

  const Source& source_;
  std::map<std::string, ZipMember, std::less<>> members_;
  std::int64_t n_ = 0, zeros_ = 0;
  bool adds_twins_ = false;  ///< SciPy adds entries at one place
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

void write_npz(const SparseDistances& pairs, const std::string& path, const Control& control) {
  const std::vector<std::int64_t> shape = {std::ssize(pairs.row_begin) - 1, pairs.vertices};
  // SciPy expects one type for both index arrays: 32 bits if sufficient.
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
