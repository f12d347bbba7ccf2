// SPDX-License-Identifier: MIT
// Catch2 under one name: v2 ships one header, v3 several.
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
