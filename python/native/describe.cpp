#include "describe.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <apsp/fields.hpp>

#include "arrays.hpp"
#include "text.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

nb::object told(const VertexPair& pair) { return nb::make_tuple(pair.from, pair.to); }

nb::object told(const Advice& advice) {
  nb::dict options;
  for (const auto& [option, value] : advice) options[nb::str(option.c_str())] = value;
  return options;
}

/// A report as a dictionary, with the keys of the command line's JSON. Pairs of vertices are tuples
/// of their numbers, and what is not known is None.
template <class T>
nb::object told(const T& value);

template <class T>
nb::object told(const std::optional<T>& value) {
  return value ? told(*value) : nb::none();
}

template <class T>
nb::object told(const std::vector<T>& values) {
  nb::list list;
  for (const T& value : values) list.append(told(value));
  return list;
}

template <class T>
nb::dict fields_of(const T& report) {
  nb::dict fields;
  visit_fields(report,
               [&](const char* key, const auto& field, Presence) { fields[key] = told(field); });
  return fields;
}

template <class T>
nb::object told(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return nb::cast(name(value));
  } else if constexpr (HasFields<T>) {
    return fields_of(value);
  } else {
    return nb::cast(value);
  }
}

}  // namespace

nb::dict describe(const Graph& graph) {
  nb::dict told;
  told["vertices"] = graph.vertex_count();
  told["edges"] = graph.edge_count();
  told["arcs"] = graph.arc_count();
  told["loops"] = graph.loop_count();
  told["directed"] = graph.directed();
  told["symmetric"] = graph.symmetric();
  told["labelled"] = !graph.labels().empty();
  told["weights"] = fields_of(graph.weight_facts());
  nb::list remarks;
  for (const std::string& remark : graph.remarks()) remarks.append(to_python(remark));
  told["remarks"] = remarks;
  told["bytes"] = graph.memory_bytes();
  return told;
}

nb::list describe(const std::vector<Advice>& list) { return nb::cast<nb::list>(told(list)); }

nb::dict describe(const PlanReport& plan) {
  nb::dict fields = fields_of(plan);
  nb::dict rows;
  for (const auto& [subject, choice] : plan.rows) rows[nb::str(subject.c_str())] = choice;
  fields["rows"] = rows;
  fields["fits"] = plan.what_would_fit.empty();
  return fields;
}

nb::dict describe(const SolveReport& report) { return fields_of(report); }

nb::dict describe(const Statistics& statistics) {
  nb::dict fields = fields_of(statistics);
  const auto add = [&](const char* key, const std::vector<double>& values) {
    fields[key] = values.empty() ? nb::none() : array_of(std::vector<double>(values));
  };
  add("eccentricity", statistics.eccentricity);
  add("closeness", statistics.closeness);
  add("harmonic", statistics.harmonic);
  return fields;
}

nb::dict describe(const VerifyReport& report) { return fields_of(report); }

}  // namespace apsp::python
