// apsp distance --sources … --targets …: a table of distances.
#pragma once

#include <apsp/io.hpp>
#include <apsp/report.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/arguments.hpp"
#include "cli/context.hpp"
#include "cli/path_output.hpp"

namespace apsp::cli {

struct TableRequest {
  std::string sources, targets;
  std::string second;
  std::optional<EdgeListColumns> second_columns{};
  TableOptions::Layout layout = TableOptions::Layout::automatic;
  std::uint64_t seed = 1;

  bool asked() const { return !sources.empty() || !targets.empty(); }
};

void declare_table_request(Arguments& arguments, TableRequest& request);

/// Throws `Error` (usage) for options that exclude each other. `output`: the file; empty: standard
/// output.
void check_table_request(const Context& context, const TableRequest& request, const Asked& asked,
                         const std::string& output);

int run_table(Context& context, const TableRequest& request, Asked& asked,
              const std::string& output);

}  // namespace apsp::cli
