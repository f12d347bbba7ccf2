// SPDX-License-Identifier: MIT
// Texts made from the option table: help, the list of engines, the man page,
// shell completion. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace zonal::fio {

// "all": a line for each option; else what one option takes and means.
std::string OptionHelp(std::string_view name);
// "": a line for each engine; else what there is to say about one, and about its
// option after a comma.
std::string EngineHelp(std::string_view engine);

// zonal-run(1), in roff.
std::string ManPage(std::string_view version);
// Completion of `zonal` with these subcommands, of which `run` has the table's
// options; others complete to files.
std::string BashCompletion(std::span<const std::string_view> subcommands);
std::string ZshCompletion(std::span<const std::string_view> subcommands);

// True for engines that run here, under their own name or as psync.
bool IsEngine(std::string_view name);
// What to use in place of an engine of fio's; empty if fio has no such engine.
std::string_view InsteadOfEngine(std::string_view name);

}  // namespace zonal::fio
