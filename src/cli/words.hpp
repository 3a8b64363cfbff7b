// Words that were probably meant: for unknown verbs, options, values and vertex names.
//
// Distance: insertions, deletions, replacements and swaps of neighbours (optimal string alignment,
// a restricted Damerau-Levenshtein), letters' case ignored. O(|a|·|b|) a candidate.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsp::cli {

int edit_distance(std::string_view a, std::string_view b);

/// Up to `count` candidates that differ from `word` in at most one letter in three (at least one),
/// nearest first, ties in the order given.
std::vector<std::string> nearest(std::string_view word, std::span<const std::string> candidates,
                                 std::size_t count = 3);

/// "; did you mean 'a' or 'b'?", or nothing if no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// "a, b or c".
std::string alternatives(std::span<const std::string> words);

}  // namespace apsp::cli
