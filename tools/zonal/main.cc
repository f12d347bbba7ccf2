// SPDX-License-Identifier: MIT
// `zonal`: picks the subcommand. Called `fio`, through a link, it is `zonal run`.
#include <cstdio>
#include <exception>
#include <iostream>
#include <string_view>

#include "command.h"
#include "exit_codes.h"
#include "fio/documents.h"

namespace zonal::cli {
namespace {

struct Subcommand {
  std::string_view name;
  int (*run)(const Arguments&);
  std::string_view summary;
};

constexpr Subcommand kSubcommands[] = {
    {"create", Create, "make an emulated drive in a file"},
    {"info", Info, "a device's facts, limits, counters and zones by condition"},
    {"report", Report, "a device's zones, one line each or as a map"},
    {"zone", ManageZones, "reset, open, close or finish zones"},
    {"run", RunWorkloads, "run workloads described by fio's options"},
};

void PrintOverview(std::ostream& out) {
  out << "zonal " ZONAL_VERSION
         ": zoned storage, real or emulated\n\n"
         "Usage: zonal SUBCOMMAND [arguments]\n\n";
  for (const Subcommand& subcommand : kSubcommands) {
    out << "  zonal " << subcommand.name << std::string(8 - subcommand.name.size(), ' ')
        << subcommand.summary << '\n';
  }
  out << "\nzonal SUBCOMMAND --help tells more, with an example. A device is named by its path\n"
         "(/dev/nvme0n1), the file of an emulated drive, or emu,zones=64,zone_size=16MiB,...\n\n"
      << kExitCodeHelp << '\n';
}

// Documents that the build makes from the option table: `zonal --generate=man`.
int Generate(std::string_view what) {
  std::vector<std::string_view> names;
  for (const Subcommand& subcommand : kSubcommands) names.push_back(subcommand.name);
  if (what == "man") {
    std::cout << fio::ManPage(ZONAL_VERSION);
  } else if (what == "bash") {
    std::cout << fio::BashCompletion(names);
  } else if (what == "zsh") {
    std::cout << fio::ZshCompletion(names);
  } else {
    return Fail("", "--generate: expected man, bash or zsh", kRefused);
  }
  return kDone;
}

bool IsCalledFio(std::string_view program) {
  return program.substr(program.rfind('/') + 1) == "fio";
}

// What was printed must have arrived: a full disk is not a success.
int Finish(std::string_view name, int code) {
  const bool printed = std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (printed || code != kDone) return code;
  return Fail(name, "standard output could not be written", kIoFailed);
}

int Main(const Arguments& arguments) {
  if (arguments.empty()) {
    PrintOverview(std::cout);
    return kDone;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    PrintOverview(std::cout);
    return kDone;
  }
  if (name == "--version") {
    std::cout << "zonal " ZONAL_VERSION "\n";
    return kDone;
  }
  constexpr std::string_view kGenerate = "--generate=";
  if (name.substr(0, kGenerate.size()) == kGenerate) {
    return Finish("", Generate(std::string_view(name).substr(kGenerate.size())));
  }
  for (const Subcommand& subcommand : kSubcommands) {
    if (subcommand.name != name) continue;
    return Finish(name, subcommand.run({arguments.begin() + 1, arguments.end()}));
  }
  return Fail("", "there is no subcommand \"" + name + "\"; `zonal --help` lists them", kRefused);
}

}  // namespace
}  // namespace zonal::cli

int main(int argc, char** argv) {
  try {
    const zonal::cli::Arguments arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (argc > 0 && zonal::cli::IsCalledFio(argv[0])) {
      return zonal::cli::Finish("fio", zonal::cli::RunAsFio(arguments));
    }
    return zonal::cli::Main(arguments);
  } catch (const std::exception& error) {
    return zonal::cli::Fail("", std::string("internal error: ") + error.what(),
                            zonal::cli::kInternal);
  }
}
