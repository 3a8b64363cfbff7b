// All-pairs shortest paths: the whole public interface.
#pragma once

#include <apsp/betweenness.hpp>
#include <apsp/eccentricity.hpp>
#include <apsp/error.hpp>
#include <apsp/fields.hpp>
#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <apsp/loads.hpp>
#include <apsp/local_efficiency.hpp>
#include <apsp/matrix.hpp>
#include <apsp/near.hpp>
#include <apsp/own_rows.hpp>
#include <apsp/path_counts.hpp>
#include <apsp/path_steps.hpp>
#include <apsp/progress.hpp>
#include <apsp/report.hpp>
#include <apsp/semiring.hpp>
#include <apsp/snap.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <apsp/table.hpp>
#include <apsp/turns.hpp>
