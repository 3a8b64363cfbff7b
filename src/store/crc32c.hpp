// CRC-32C (Castagnoli), the checksum of every chunk of a .zarr.
//
// The reflected polynomial is 0x82F63B78 (RFC 3720, appendix B.4). SSE 4.2 processes eight bytes
// per instruction. Other processors use eight tables (Kounavis, Berry: "A systematic approach to
// building high performance software-based CRC generators", 2005).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace apsp::store {

std::uint32_t crc32c(std::span<const std::byte> bytes);
/// Computes one checksum a row. Four rows are interleaved, since the instruction has a latency of
/// three cycles and a throughput of one.
void crc32c_of_rows(const std::byte* first, std::int64_t stride, std::int64_t row_bytes,
                    std::span<std::uint32_t> rows);
std::uint32_t crc32c_by_tables(std::span<const std::byte> bytes);

}  // namespace apsp::store
