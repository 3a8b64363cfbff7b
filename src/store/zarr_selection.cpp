#include "store/zarr_selection.hpp"

#include <apsp/error.hpp>
#include <span>

namespace apsp::store {
namespace {

constexpr const char *kSource = "source", *kTarget = "target";

ArraySpec selection_spec(const ZarrGroup& group, const char* name, std::int64_t count) {
  return vector_spec(name, count, "uint32", sizeof(Vertex), 0, name, group.compress());
}

void write_list(const ZarrGroup& group, const char* name, const std::vector<Vertex>& list) {
  if (list.empty()) return;
  group.write_vector(selection_spec(group, name, std::ssize(list)), std::span(list));
}

std::vector<Vertex> read_list(const ZarrGroup& group, const char* name, std::int64_t count,
                              std::int64_t n) {
  if (count == 0) return {};
  std::vector<Vertex> list = group.read_vector<Vertex>(selection_spec(group, name, count));
  try {
    require_distinct(list, n, name);
  } catch (const Error& error) {
    throw Error::malformed({group.path(name), 0, 0}, error.what());
  }
  return list;
}

}  // namespace

void write_selection(const ZarrGroup& group, const Selection& selection) {
  write_list(group, kSource, selection.sources);
  write_list(group, kTarget, selection.targets);
}

Selection read_selection(const ZarrGroup& group, std::int64_t n, std::int64_t sources,
                         std::int64_t targets) {
  return {read_list(group, kSource, sources, n), read_list(group, kTarget, targets, n)};
}

}  // namespace apsp::store
