// What every fuzz target asks of a reader: a graph or an `Error`, nothing else; and a graph that
// was read, once written, reads back the same. Its bytes choose options of the reader, and the
// format that it is written in.
#pragma once

#include <apsp/io.hpp>

#include <cstddef>
#include <cstdint>

namespace apsp::fuzz {

/// Aborts on a finding. `format` empty: recognised, archives unpacked.
void check_reader(const std::uint8_t* data, std::size_t size, std::optional<GraphFormat> format);

}  // namespace apsp::fuzz
