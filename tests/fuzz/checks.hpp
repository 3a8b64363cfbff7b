// What each fuzz target asks. All abort on a finding. The reader's is in round_trip.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace apsp::fuzz {

/// A .zarr, plain or compressed, all of it or a selection, or an .npy: damaged, opened, read.
void check_store(const std::uint8_t* data, std::size_t size);
/// A small graph with odd weights, solved in any way: what is found passes its verification. Or
/// asked for near pairs, or betweenness.
void check_solve(const std::uint8_t* data, std::size_t size);
/// A result of each kind, damaged, as users open it: paths, statistics, pages, tables, updates.
void check_result(const std::uint8_t* data, std::size_t size);
/// What a run that was ended left, damaged: listed, gone on from, cleaned.
void check_ledger(const std::uint8_t* data, std::size_t size);
/// What a solve that was ended left, damaged: solved to its end, with other options too.
void check_resume(const std::uint8_t* data, std::size_t size);
/// A product of matrices, or a matrix solved in place, in each semiring and type.
void check_matrices(const std::uint8_t* data, std::size_t size);
/// A problem of the differential campaign, compared with exact arithmetic.
void check_problem(const std::uint8_t* data, std::size_t size);
/// Calls of the C interface in any order.
void check_c_interface(const std::uint8_t* data, std::size_t size);
/// A stored factor, damaged: read whole, asked for pairs, and for pairs without reading all.
void check_factor(const std::uint8_t* data, std::size_t size);
/// What a user gives beside a graph: vertices, pairs, weights, quantities, places, in a file.
void check_lists(const std::uint8_t* data, std::size_t size);
/// Bytes of another process of a job.
void check_messages(const std::uint8_t* data, std::size_t size);
/// The cache of rates, and the description of a cluster, for which solves are predicted.
void check_machine(const std::uint8_t* data, std::size_t size);
/// A command line: it ends with one of its exit codes.
void check_arguments(const std::uint8_t* data, std::size_t size);
/// Lines that succeed, each with every option of its verb and every odd value: one of so many.
/// Returns how many there are.
int check_each_option(int every);

}  // namespace apsp::fuzz
