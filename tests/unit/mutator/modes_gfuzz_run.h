// Hand-built runs with channels and selects.
#pragma once

#include <initializer_list>

#include "parent.h"

namespace heddle::mutator {

struct ChannelParent : Parent {
  static constexpr uint32_t kUnbuffered = 0;

  // Made at the site; its object.
  uint32_t channel(SiteId site, uint32_t capacity, uint32_t peak = 0, bool closed = false, bool made = true) {
    const auto object = static_cast<uint32_t>(channels.size() + 1);
    channels.push_back({site, object, capacity, peak, made, closed, 0});
    return object;
  }
  static SelectCase on(uint32_t object, CaseDirection direction, bool ready = false) {
    return {0, object, 0, static_cast<uint8_t>(direction), ready};
  }
  static SelectCase receive(uint32_t object, bool ready = false) { return on(object, CaseDirection::receive, ready); }
  static SelectCase send(uint32_t object, bool ready = false) { return on(object, CaseDirection::send, ready); }
  static SelectCase otherwise() { return on(0, CaseDirection::otherwise, true); }

  // A select that took the case; -1: the default one. Its number.
  uint32_t select(uint32_t thread, SiteId site, int32_t taken, std::initializer_list<SelectCase> cases) {
    const auto event = static_cast<uint32_t>(events.size());
    const uint32_t object = (cases.begin() + (taken < 0 ? 0 : taken))->object;
    add(thread, site, Kind::select, object, taken < 0 ? Outcome::failure : Outcome::success).choice = static_cast<uint32_t>(taken);
    list(event, cases);
    return event;
  }
  uint32_t blocked_select(uint32_t thread, SiteId site, std::initializer_list<SelectCase> cases) {
    const auto event = static_cast<uint32_t>(events.size());
    blocked(thread, site, Kind::select, cases.begin()->object);
    list(event, cases);
    return event;
  }
  // The value goes from one to the other. Unbuffered: each is the other's partner.
  void passes(uint32_t send, uint32_t receive, bool rendezvous) {
    events[receive].partner = send;
    if (rendezvous) events[send].partner = receive;
  }
  uint32_t last() const { return static_cast<uint32_t>(events.size() - 1); }

  RunSummary summary() const {
    RunSummary run = Parent::summary();
    run.select_cases = select_cases.data();
    run.channels = channels.data();
    run.select_case_count = static_cast<uint32_t>(select_cases.size());
    run.channel_count = static_cast<uint32_t>(channels.size());
    return run;
  }

  std::vector<SelectCase> select_cases;
  std::vector<ChannelRecord> channels;

 private:
  void list(uint32_t event, std::initializer_list<SelectCase> cases) {
    uint16_t index = 0;
    for (SelectCase c : cases) {
      c.event = event;
      c.index = c.direction == static_cast<uint8_t>(CaseDirection::otherwise) ? kDefaultCase : index++;
      select_cases.push_back(c);
    }
  }
};

// Two threads compete for a lock and signal a condition for which two wait; one sleeps; and one takes a lock that is its own.
inline ChannelParent without_selects() {
  ChannelParent p;
  p.add(1, 10, Kind::mutex_trylock, 1, Outcome::success);
  p.add(2, 20, Kind::mutex_trylock, 1, Outcome::failure);
  p.add(2, 21, Kind::mutex_trylock, 2, Outcome::success);
  p.add(1, 11, Kind::cond_signal, 3, Outcome::success).value = 2;
  p.add(2, 22, Kind::sleep, 0, Outcome::timeout);
  return p;
}

struct ChannelRun : KnownRun {
  explicit ChannelRun(const ChannelParent& p) { assign(p.summary()); }
};

}  // namespace heddle::mutator
