// SPDX-License-Identifier: MIT
// Sentences for people about why a worker ended. Asks the device for a fresh
// report of the zone concerned. Cold.
#pragma once

#include <string>

#include "engine/setup.h"
#include "zonal/errc.h"

namespace zonal::engine {

// "write of 4096 bytes at offset 8192 failed: ... (errno 5); zone 2 starts at ...".
std::string ExplainFailure(const WorkerSetup& setup, const std::string& operation,
                           const IoResult& result, std::uint64_t asked_bytes);
std::string ExplainNothingReadable(const WorkerSetup& setup);
std::string ExplainNothingToTrim(const WorkerSetup& setup);
std::string ExplainNothingWritable(const WorkerSetup& setup);
std::string ExplainLessRoom(const WorkerSetup& setup, std::uint64_t written);
// Every writer waits for something none of them can give.
std::string ExplainStuck(const WorkerSetup& setup, bool for_targets);

}  // namespace zonal::engine
