// SPDX-License-Identifier: MIT
#include "support/oracle_device.h"

#include <cstring>

namespace zonal::test {
namespace {

bool IsModelled(IoOp op) {
  return op == IoOp::kRead || op == IoOp::kWrite || op == IoOp::kAppend || op == IoOp::kManage;
}

model::Command ToCommand(const IoRequest& request, std::vector<std::byte>& data) {
  model::Command command;
  command.offset = request.offset;
  command.bytes = request.bytes;
  command.op = request.zone_op;
  const auto* bytes = static_cast<const std::byte*>(request.buffer);
  switch (request.op) {
    case IoOp::kRead:
      command.kind = model::Command::Kind::kRead;
      data.resize(request.bytes);
      command.target = data;
      break;
    case IoOp::kWrite:
      command.kind = model::Command::Kind::kWrite;
      break;
    case IoOp::kAppend:
      command.kind = model::Command::Kind::kAppend;
      break;
    default:
      command.kind = model::Command::Kind::kManage;
      break;
  }
  if (request.op == IoOp::kWrite || request.op == IoOp::kAppend) {
    command.source = {bytes, request.bytes};
  }
  return command;
}

}  // namespace

void OracleQueue::Expect(const IoRequest& request) {
  if (!IsModelled(request.op)) return;
  Expected expected;
  expected.request = request;
  ++oracle_.commands;
  expected.outcome = oracle_.drive.Apply(ToCommand(request, expected.data));
  if (!expected.outcome.ok()) {
    oracle_.refused.push_back(std::string(ToString(request.op)) + " at " +
                              std::to_string(request.offset) + ": " +
                              std::string(Describe(expected.outcome.errc)));
  }
  expected_.emplace(request.user_data, std::move(expected));
}

std::size_t OracleQueue::Submit(std::span<const IoRequest> requests) noexcept {
  const std::size_t taken = under().Submit(requests);
  for (const IoRequest& request : requests.first(taken)) Expect(request);
  return taken;
}

std::size_t OracleQueue::Poll(std::span<Completion> out, std::size_t min,
                              nanoseconds wait) noexcept {
  const std::size_t count = under().Poll(out, min, wait);
  for (const Completion& completion : out.first(count)) {
    const auto at = expected_.find(completion.user_data);
    if (at == expected_.end()) continue;
    Compare(at->second, completion);
    expected_.erase(at);
  }
  return count;
}

void OracleQueue::Compare(const Expected& expected, const Completion& completion) {
  const model::Outcome& o = expected.outcome;
  const IoResult& r = completion.result;
  const auto say = [&](const std::string& what) {
    oracle_.differences.push_back(std::string(ToString(expected.request.op)) + " at " +
                                  std::to_string(expected.request.offset) + "+" +
                                  std::to_string(expected.request.bytes) + ": " + what);
  };
  if (o.errc != r.errc || o.origin != r.origin || o.raw != r.raw) {
    say("model says " + std::string(ToString(o.errc)) + ", drive " + std::string(ToString(r.errc)));
  } else if (r.ok() && expected.request.op != IoOp::kManage &&
             (o.offset != r.offset || o.bytes != r.bytes)) {
    say("model lands at " + std::to_string(o.offset) + ", drive at " + std::to_string(r.offset));
  }
  if (expected.request.op == IoOp::kRead && r.ok() &&
      std::memcmp(expected.request.buffer, expected.data.data(), expected.data.size()) != 0) {
    say("data differ");
  }
}

}  // namespace zonal::test
