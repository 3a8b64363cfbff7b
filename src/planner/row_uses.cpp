#include "planner/row_uses.hpp"

#include <array>
#include <cstddef>

namespace apsp::planner {
namespace {

constexpr RowUses kMatrix{};
constexpr RowUses kAskedLater{.keeps_matrix = false, .computes_rows = false};
constexpr RowUses kPassedOn{.keeps_matrix = false};
constexpr RowUses kColumns{.keeps_matrix = false, .gives_columns = true};
constexpr RowUses kWritten{.keeps_matrix = false, .fills_rooms = true};
constexpr RowUses kStays{.keeps_matrix = false, .stays_on_device = true};
constexpr RowUses kCountedToo{.keeps_matrix = false, .counts_columns = true};
constexpr RowUses kCountedAndWritten{
    .keeps_matrix = false, .counts_columns = true, .fills_rooms = true};
constexpr RowUses kCountedAndStays{
    .keeps_matrix = false, .counts_columns = true, .stays_on_device = true};

// Rows: `RowTakers`; columns: `Counting`.
constexpr std::array<std::array<RowUses, 3>, 5> kTable{{
    // nobody       by_rows    by_columns
    {{kAskedLater, kPassedOn, kColumns}},         // nobody
    {{kMatrix, kMatrix, kMatrix}},                // matrix
    {{kWritten, kPassedOn, kCountedAndWritten}},  // one_place
    {{kStays, kPassedOn, kCountedAndStays}},      // device_callback
    {{kPassedOn, kPassedOn, kCountedToo}},        // several
}};

}  // namespace

RowUses uses_of(RowTakers takers, Counting counting) {
  return kTable[static_cast<std::size_t>(takers)][static_cast<std::size_t>(counting)];
}

}  // namespace apsp::planner
