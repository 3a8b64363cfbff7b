#include "store/journal.hpp"

#include <algorithm>
#include <charconv>
#include <span>

#include "base/fail.hpp"
#include "base/json.hpp"
#include "store/crc32c.hpp"
#include "store/tiling.hpp"
#include "store/zarr_root.hpp"
#include "store/zarr_vectors.hpp"

namespace apsp::store {
namespace {

constexpr std::string_view kOthersPrefix = ".ledger-";  // followed by the process number
// The first words of lines of the ledger. They are part of the format.
constexpr std::string_view kBandWord = "band ", kCheckpointWord = "cut ";
constexpr std::size_t kSealBytes = 1 + 8;  // a space and eight hexadecimal digits

std::string sealed(const std::string& payload) {
  return fmt::format("{} {:08x}\n", payload, crc32c(std::as_bytes(std::span(payload))));
}

/// Removes the next intact line from `text`.
std::optional<std::string_view> next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == text.npos || end < kSealBytes) return std::nullopt;
  const std::string_view payload = text.substr(0, end - kSealBytes);
  if (text.substr(0, end + 1) != sealed(std::string(payload))) return std::nullopt;
  text.remove_prefix(end + 1);
  return payload;
}

std::string first_line(const JournalHead& head) {
  const Recipe& recipe = head.recipe;
  const nlohmann::json result = {{"algorithm", recipe.algorithm},
                                 {"rounding", recipe.rounding},
                                 {"options", base::json_of(recipe.options)}};
  const std::string document = root_document({.layout = head.layout,
                                              .compress = head.compress,
                                              .digest = recipe.graph,
                                              .attributes = base::json_text(result)});
  return base::json_text(base::json_of<nlohmann::ordered_json>(document));
}

/// Throws `Error` (input) or the parser's exception if the version differs.
JournalHead parse_first_line(FileSystem& files, const std::string& line,
                             const std::string& partial) {
  const std::string path = join(partial, kJournalName);
  const ZarrRoot root = parse_root_document(line, path);
  const nlohmann::json result = base::json_of(root.attributes);
  JournalHead head{root.layout, root.compress, {}};
  head.layout.selection = read_selection(ZarrGroup(files, partial, root.compress), root.layout.n,
                                         root.sources, root.targets);
  head.recipe = {root.digest.value_or(""), result.at("algorithm").get<std::string>(),
                 result.at("rounding").get<std::string>(), base::json_text(result.at("options"))};
  return head;
}

std::optional<std::int64_t> parse_number(std::string_view line, std::string_view word) {
  if (!line.starts_with(word)) return std::nullopt;
  line.remove_prefix(word.size());
  std::int64_t number = -1;
  const char* const last = line.data() + line.size();
  const auto [end, failure] = std::from_chars(line.data(), last, number);
  if (failure != std::errc() || end != last || number < 0) return std::nullopt;
  return number;
}

std::optional<std::int64_t> parse_band(std::string_view line, std::int64_t bands) {
  const auto band = parse_number(line, kBandWord);
  return band && *band < bands ? band : std::nullopt;
}

/// "cut PIVOTS in GENERATION".
constexpr std::string_view kInWord = " in ";

std::optional<Checkpoint> parse_checkpoint(std::string_view line, std::int64_t n) {
  const std::size_t in = line.find(kInWord);
  if (in == line.npos) return std::nullopt;
  const auto pivots = parse_number(line.substr(0, in), kCheckpointWord);
  const auto generation = parse_number(line.substr(in), kInWord);
  if (!pivots || !generation || *pivots > n || *generation > 1) return std::nullopt;
  return Checkpoint{*pivots, static_cast<int>(*generation)};
}

Tiling tiling_of(const Layout& layout) { return {layout.rows(), layout.tile}; }

std::vector<std::string> paths_of_others(const FileSystem& files, const std::string& partial) {
  std::vector<std::string> paths;
  for (const std::string& name : files.list(partial)) {
    if (name.starts_with(kOthersPrefix)) paths.push_back(join(partial, name));
  }
  return paths;
}

std::set<std::int64_t> bands_of_others(const FileSystem& files, const std::string& partial,
                                       std::int64_t count) {
  std::set<std::int64_t> bands;
  for (const std::string& path : paths_of_others(files, partial)) {
    const std::string text = files.read_text(path);
    std::string_view rest = text;
    while (const std::optional<std::string_view> line = next_line(rest)) {
      const auto band = parse_band(*line, count);
      if (!band) break;
      bands.insert(*band);
    }
  }
  return bands;
}

/// A tile larger than the matrix equals one of the matrix's size.
std::int64_t side_of(const Layout& layout) {
  return std::min(std::max(layout.rows(), layout.cols()), layout.tile);
}

std::string names_of(const std::vector<Plane>& planes) {
  std::string names;
  for (const Plane plane : planes) names += (names.empty() ? "" : "+") + std::string(name(plane));
  return names;
}

}  // namespace

std::int64_t JournalContents::done() const {
  if (checkpoint) return checkpoint->pivots;
  std::int64_t rows = 0;
  for (const std::int64_t band : bands) rows += tiling_of(head.layout).extent(band);
  return rows;
}

std::optional<JournalContents> read_journal(FileSystem& files, const std::string& partial) {
  const std::string path = join(partial, kJournalName);
  if (files.kind(path) != FileKind::file) return std::nullopt;
  const std::string all = files.read_text(path);
  std::string_view rest = all;
  const std::optional<std::string_view> first = next_line(rest);
  if (!first) return std::nullopt;
  JournalContents contents;
  try {
    contents.head = parse_first_line(files, std::string(*first), partial);
  } catch (const nlohmann::json::exception& failure) {
    base::fail_input(path, "{}", failure.what());
  }
  std::set<std::int64_t> bands;
  for (;;) {
    contents.bytes = static_cast<std::int64_t>(all.size() - rest.size());
    const std::optional<std::string_view> line = next_line(rest);
    if (!line) break;
    if (const auto checkpoint = parse_checkpoint(*line, contents.head.layout.n)) {
      contents.checkpoint = checkpoint;
      continue;
    }
    const auto band = parse_band(*line, tiling_of(contents.head.layout).count());
    if (!band) break;
    bands.insert(*band);
  }
  for (const std::int64_t band :
       bands_of_others(files, partial, tiling_of(contents.head.layout).count())) {
    if (bands.insert(band).second) contents.of_others.push_back(band);
  }
  contents.bands.assign(bands.begin(), bands.end());
  return contents;
}

std::vector<std::string> differences(const JournalHead& there, const JournalHead& here) {
  std::vector<std::string> found;
  const auto compare = [&](const char* what, const auto& a, const auto& b) {
    if (a != b) found.push_back(fmt::format("{}: there {}, here {}", what, a, b));
  };
  const auto count = [](const VertexList& list) {
    return list.is_all() ? "all" : std::to_string(list.listed().size());
  };
  const auto compare_lists = [&](const char* what, const VertexList& x, const VertexList& y) {
    if (x.listed().size() != y.listed().size()) return compare(what, count(x), count(y));
    if (x != y) found.push_back(std::string(what) + ": others there than here");
  };
  const auto word = [](bool compress) { return compress ? "zstd" : "none"; };
  const Layout &a = there.layout, &b = here.layout;
  compare("graph", there.recipe.graph, here.recipe.graph);
  compare("vertices", a.n, b.n);
  compare_lists("sources", a.selection.sources, b.selection.sources);
  compare_lists("targets", a.selection.targets, b.selection.targets);
  compare("semiring", apsp::name(a.semiring), apsp::name(b.semiring));
  compare("value type", apsp::name(a.type), apsp::name(b.type));
  compare("planes", names_of(a.planes), names_of(b.planes));
  compare("compression", std::string(word(there.compress)), std::string(word(here.compress)));
  compare("side of a tile", side_of(a), side_of(b));
  compare("algorithm", there.recipe.algorithm, here.recipe.algorithm);
  compare("what rounding depends on", there.recipe.rounding, here.recipe.rounding);
  return found;
}

Journal::Journal(FileSystem& files, const std::string& partial, const JournalHead& head)
    : files_(files), partial_(partial), file_(files.create(join(partial, kJournalName))) {
  append(first_line(head));
}

Journal::Journal(FileSystem& files, const std::string& partial, int process)
    : files_(files),
      partial_(partial),
      file_(files.create(join(partial, std::string(kOthersPrefix) + std::to_string(process)))) {}

Journal::Journal(FileSystem& files, const std::string& partial, const JournalContents& contents)
    : files_(files),
      partial_(partial),
      file_(files.reopen(join(partial, kJournalName), contents.bytes)),
      bytes_(contents.bytes),
      bands_(contents.bands.begin(), contents.bands.end()) {
  if (contents.of_others.empty()) return;
  for (const std::int64_t band : contents.of_others) bands_.erase(band);
  for (const std::int64_t band : contents.of_others) note(band);
  file_->sync();
  remove_others();
}

void Journal::append(const std::string& payload) {
  const std::string line = sealed(payload);
  file_->write(bytes_, std::as_bytes(std::span(line)));
  bytes_ += static_cast<std::int64_t>(line.size());
}

void Journal::note(std::int64_t band) {
  const std::lock_guard lock(mutex_);
  if (bands_.contains(band)) return;
  append(std::string(kBandWord) + std::to_string(band));
  bands_.insert(band);
}

void Journal::note(const Checkpoint& checkpoint) {
  const std::lock_guard lock(mutex_);
  append(
      fmt::format("{}{}{}{}", kCheckpointWord, checkpoint.pivots, kInWord, checkpoint.generation));
  file_->sync();
}

bool Journal::empty() const {
  const std::lock_guard lock(mutex_);
  return bands_.empty() && bands_of_others(files_, partial_, INT64_MAX).empty();
}

void Journal::remove_others() {
  for (const std::string& path : paths_of_others(files_, partial_)) files_.remove_all(path);
}

}  // namespace apsp::store
