// All-pairs shortest paths: the whole public interface.
#pragma once

#include <apsp/error.hpp>
#include <apsp/fields.hpp>
#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/matrix.hpp>
#include <apsp/near.hpp>
#include <apsp/own_rows.hpp>
#include <apsp/progress.hpp>
#include <apsp/report.hpp>
#include <apsp/semiring.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
