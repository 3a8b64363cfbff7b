// What nearly every test includes, read once for all of them (APSP_UNITY).
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <apsp/apsp.hpp>
