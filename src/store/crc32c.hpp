// CRC-32C (Castagnoli), the checksum behind every chunk of a .zarr.
//
// The reflected polynomial is 0x82F63B78 (RFC 3720, appendix B.4). Where the processor has the
// instruction (SSE 4.2) eight bytes take one step; elsewhere eight tables take eight bytes at once
// (Kounavis, Berry: "A systematic approach to building high performance software-based CRC
// generators", 2005).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace apsp::store {

std::uint32_t crc32c(std::span<const std::byte> bytes);
/// Of each of `rows` rows of `row_bytes` bytes, `stride` bytes apart. Of four rows at a time, since
/// the instruction answers after three steps and begins one in each.
void crc32c_of_rows(const std::byte* first, std::int64_t stride, std::int64_t row_bytes,
                    std::span<std::uint32_t> rows);
/// The same by tables alone, on every processor.
std::uint32_t crc32c_by_tables(std::span<const std::byte> bytes);

}  // namespace apsp::store
