#include "mutator/knowledge/channel_ops.h"

namespace heddle::mutator {

ChannelOps::ChannelOps(const KnownRun& run) : run_(run) {
  if (!run.select_cases.empty()) first_case_.resize(run.events.size());
  for (uint32_t i = 0; i < run.select_cases.size(); ++i) {
    uint32_t& first = first_case_[run.select_cases[i].event];
    if (first != 0) continue;
    first = i + 1;
    if (!run.events[run.select_cases[i].event].finished()) unfinished_.push_back(run.select_cases[i].event);
  }
  if (!run.channels.empty()) record_.resize(run.objects.size());
  for (uint32_t i = 0; i < run.channels.size(); ++i) record_[run.channels[i].object] = i + 1;
}

std::span<const SelectCase> ChannelOps::cases(uint32_t event) const {
  if (first_case_.empty() || first_case_[event] == 0) return {};
  const uint32_t first = first_case_[event] - 1;
  uint32_t end = first;
  while (end < run_.select_cases.size() && run_.select_cases[end].event == event) ++end;
  return std::span(run_.select_cases).subspan(first, end - first);
}

const SelectCase* ChannelOps::taken(uint32_t event) const {
  const Event& e = run_.events[event];
  if (!e.finished() || e.choice == kDefaultChoice) return nullptr;
  for (const SelectCase& c : cases(event)) {
    if (c.index == e.choice && c.direction != static_cast<uint8_t>(CaseDirection::otherwise)) return &c;
  }
  return nullptr;
}

ChannelOp ChannelOps::op(uint32_t event) const {
  switch (run_.events[event].kind) {
    case Kind::channel_send: return ChannelOp::send;
    case Kind::channel_receive: return ChannelOp::receive;
    case Kind::channel_close: return ChannelOp::close;
    case Kind::select: break;
    default: return ChannelOp::none;
  }
  const SelectCase* c = taken(event);
  if (c == nullptr) return ChannelOp::none;
  return c->direction == static_cast<uint8_t>(CaseDirection::send) ? ChannelOp::send : ChannelOp::receive;
}

const ChannelRecord* ChannelOps::channel(uint32_t object) const {
  if (record_.empty() || record_[object] == 0) return nullptr;
  return &run_.channels[record_[object] - 1];
}

}  // namespace heddle::mutator
