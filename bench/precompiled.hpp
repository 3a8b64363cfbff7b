// What nearly every program that measures or tries the library includes, read once for all of them
// (APSP_UNITY).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>
