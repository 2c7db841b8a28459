// One operation on channels: a send, a receive, or a select over many.
#include <string.h>

#include "primitives/channel.h"
#include "primitives/panic.h"
#include "primitives/select_log.h"
#include "primitives/timing.h"

namespace heddle::rt::primitives {
namespace {

constexpr int32_t kNoCase = -1;
constexpr int32_t kDefault = -2;

unsigned char* cell_at(heddle_channel& c, uint32_t slot) { return c.cells + static_cast<size_t>(slot) * c.cell_size; }

// The part of a value that is recorded: nothing that depends on addresses.
uint32_t value_of(const heddle_channel& c, const void* cell) {
  if (!c.numbers || c.cell_size > sizeof(uint64_t)) return 0;
  uint64_t value = 0;
  memcpy(&value, cell, c.cell_size);
  return static_cast<uint32_t>(value ^ value >> 32);
}

ChannelWaiter& waiter_of(const Pending& p) { return *reinterpret_cast<ChannelWaiter*>(p.detail); }

bool never(const Pending&) { return false; }

bool any_ready(const Pending& p) {
  const ChannelWaiter& w = waiter_of(p);
  if (w.taken >= 0) return true;
  if (w.only >= 0) return case_ready(w.cases[static_cast<size_t>(w.only)], w);
  for (const heddle_channel_case& c : w.cases) {
    if (case_ready(c, w)) return true;
  }
  return false;
}

bool none_ready(const Pending& p) { return !any_ready(p); }

class Operation {
 public:
  Operation(std::span<heddle_channel_case> cases, Kind kind, bool otherwise, Place place)
      : place_(place), kind_(kind), waiter_{.op = nullptr, .cases = cases, .only = kNoCase, .otherwise = otherwise,
                                            .wants_default = false, .taken = kNoCase, .partner = kNoEvent, .value = 0} {}
  int32_t run();

 private:
  bool is_select() const { return kind_ == Kind::select; }
  heddle_channel_case& at(int32_t i) { return waiter_.cases[static_cast<size_t>(i)]; }
  // For a send or receive, the object is looked up once: after the other half has met it, the channel may be destroyed before this half
  // goes on.
  Object& object_of(const heddle_channel_case& c) {
    return !is_select() && spec_.object != nullptr ? *spec_.object : channel_object(c.channel, place_);
  }
  OpSpec make_spec();
  bool one_sided() { return !is_select() && (at(0).channel == nullptr || at(0).channel->capacity != 0); }
  int32_t run_one_sided();
  int32_t preferred() const;
  int32_t follow_preference();
  int32_t draw_ready();
  void wait(MayGo may_go, bool prefers);
  void set_queued(bool queued);
  void log_cases();
  uint32_t commit(Object* o, Commit how, int32_t taken);
  int32_t take(int32_t i, uint8_t flags = 0);
  void send(heddle_channel_case& c, Object& o, Commit how, int32_t i);
  void receive(heddle_channel_case& c, Object& o, Commit how, int32_t i);
  void meet(heddle_channel_case& c, heddle_channel_case& other, Object& o, Commit how, int32_t i);
  int32_t go_on_with_partner(uint8_t flags = 0);
  int32_t take_default(uint8_t flags = 0);

  Engine& e_ = engine();
  Place place_;
  Kind kind_;
  ChannelWaiter waiter_;
  OpSpec spec_{};
  SelectLog log_;
};

OpSpec Operation::make_spec() {
  OpSpec spec{.kind = kind_, .place = place_, .detail = reinterpret_cast<uintptr_t>(&waiter_)};
  for (heddle_channel_case& c : waiter_.cases) {
    c.result = heddle_case_none;
    if (c.channel == nullptr) continue;
    Object& o = object_of(c);
    if (spec.object == nullptr) spec.object = &o;
  }
  return spec;
}

// A send or receive on a buffered channel goes or waits like an operation on any other object.
int32_t Operation::run_one_sided() {
  const heddle_channel* channel = at(0).channel;
  spec_.may_go = channel != nullptr ? any_ready : never;
  bool early_preferred = false;
  if (channel != nullptr && kind_ == Kind::channel_receive && channel->due != HEDDLE_NEVER) {
    spec_.deadline = channel->due;
    spec_.may_time_out_early = draws_early_timeout(spec_, early_preferred);
  }
  waiter_.op = &e_.arrive(spec_);
  return take(0, early_preferred ? kEventPreferred : 0);
}

int32_t Operation::preferred() const {
  if (!is_select() || waiter_.cases.size() + waiter_.otherwise < 2) return kNoCase;
  const SelectPreference* s = engine().preference(spec_);
  if (s == nullptr) return kNoCase;
  if (s->choice < 0) return waiter_.otherwise ? kDefault : kNoCase;
  const size_t i = static_cast<uint32_t>(s->choice) % waiter_.cases.size();
  return waiter_.cases[i].channel != nullptr ? static_cast<int32_t>(i) : kNoCase;
}

int32_t Operation::run() {
  spec_ = make_spec();
  if (one_sided()) return run_one_sided();
  const int32_t preference = preferred();
  waiter_.op = &e_.arrive(spec_);
  log_cases();
  if (preference != kNoCase) {
    waiter_.wants_default = preference == kDefault;
    waiter_.only = preference == kDefault ? kNoCase : preference;
    if (follow_preference() != kNoCase) return preference == kDefault ? -1 : preference;
    waiter_.wants_default = false;
    waiter_.only = kNoCase;
  }
  for (;;) {
    const int32_t i = draw_ready();
    if (i >= 0) return take(i);
    if (waiter_.otherwise) return take_default();
    set_queued(true);
    wait(any_ready, false);
    set_queued(false);
    if (waiter_.taken >= 0) return go_on_with_partner();
  }
}

// Waits for that case alone until nothing else can run (GFuzz's time window, exact). kNoCase: the case did not come.
int32_t Operation::follow_preference() {
  const MayGo wanted = waiter_.wants_default ? none_ready : any_ready;
  if (!wanted(*waiter_.op)) {
    set_queued(true);
    wait(wanted, true);
    set_queued(false);
  }
  if (waiter_.taken >= 0) return go_on_with_partner(kEventPreferred);
  if (!wanted(*waiter_.op)) return kNoCase;
  if (waiter_.wants_default) {
    take_default(kEventPreferred);
    return kDefault;
  }
  return take(waiter_.only, kEventPreferred);
}

// Every ready case is as likely as the others.
int32_t Operation::draw_ready() {
  uint32_t ready = 0;
  for (uint32_t i = 0; i < waiter_.cases.size(); ++i) {
    const bool now = case_ready(waiter_.cases[i], waiter_);
    ready += now;
    log_.set_ready(i, now);
  }
  if (ready == 0) return kNoCase;
  uint32_t skip = e_.draw(spec_, ready, 1);
  for (uint32_t i = 0;; ++i) {
    if (case_ready(waiter_.cases[i], waiter_) && skip-- == 0) return static_cast<int32_t>(i);
  }
}

void Operation::wait(MayGo may_go, bool prefers) {
  uint64_t deadline = kNever;
  for (uint32_t i = 0; i < waiter_.cases.size(); ++i) {
    const heddle_channel_case& c = waiter_.cases[i];
    if (c.channel == nullptr || waiter_.wants_default || (waiter_.only >= 0 && i != static_cast<uint32_t>(waiter_.only))) continue;
    if (c.channel->due < deadline) deadline = c.channel->due;
  }
  bool early = false;
  if (deadline != kNever) {
    bool preferred;
    // The preferred case is a timer: the others wait until it expires.
    early = prefers ? !e_.assumes(kPatientTimeouts) : draws_early_timeout(spec_, preferred);
  }
  e_.park(*waiter_.op, may_go, deadline, early, prefers);
}

void Operation::set_queued(bool queued) {
  for (uint32_t i = 0; i < waiter_.cases.size(); ++i) {
    heddle_channel_case& c = waiter_.cases[i];
    if (c.channel == nullptr || (waiter_.only >= 0 && i != static_cast<uint32_t>(waiter_.only))) continue;
    Object& o = object_of(c);
    if (queued) enqueue(o, c, waiter_);
    else dequeue(o, c);
  }
}

// --- what is recorded ----------------------------------------------------------------------------

void Operation::log_cases() {
  if (!is_select() || !log_.begin(*waiter_.op, waiter_.cases.size() + waiter_.otherwise)) return;
  for (uint32_t i = 0; i < waiter_.cases.size(); ++i) {
    const heddle_channel_case& c = waiter_.cases[i];
    log_.add(c.channel != nullptr ? object_of(c).index : 0, i, c.send ? CaseDirection::send : CaseDirection::receive,
             case_ready(c, waiter_));
  }
  if (waiter_.otherwise) log_.add(0, kDefaultCase, CaseDirection::otherwise, true);
}

uint32_t Operation::commit(Object* o, Commit how, int32_t taken) {
  Pending& p = *waiter_.op;
  if (is_select()) {
    how.choice = taken >= 0 ? static_cast<uint32_t>(taken) : kDefaultChoice;
    if (o != nullptr) Engine::settle_on(p, o);
  }
  const uint32_t event = e_.commit(p, how);
  log_.close(event);
  if (o != nullptr) wake_waiting(*o);
  return event;
}

// --- going ---------------------------------------------------------------------------------------

int32_t Operation::take(int32_t i, uint8_t flags) {
  heddle_channel_case& c = at(i);
  settle_timer(*c.channel);
  const Commit how{.flags = flags, .news = true};
  if (c.send) send(c, object_of(c), how, i);
  else receive(c, object_of(c), how, i);
  return i;
}

void Operation::send(heddle_channel_case& c, Object& o, Commit how, int32_t i) {
  heddle_channel& channel = *c.channel;
  ChannelState& s = o.as<ChannelState>();
  if (is_select()) how.outcome = Outcome::success;
  if (channel.closed) {
    if (is_select()) waiter_.op->decision = static_cast<uint32_t>(i) + 1;
    panic(FindingType::send_on_closed_channel, &o, place_, s.close_event);
    c.result = heddle_case_closed;
    how.outcome = Outcome::failure;
    how.partner = s.close_event;
    how.stored = false;
    commit(&o, how, i);
    return;
  }
  c.result = heddle_case_passed;
  how.value = value_of(channel, c.cell);
  if (channel.capacity == 0) return meet(c, *partner_of(c, waiter_), o, how, i);
  const uint32_t slot = (channel.head + channel.count) % channel.capacity;
  memcpy(cell_at(channel, slot), c.cell, channel.cell_size);
  how.partner = channel.notes[slot];
  ++channel.count;
  if (s.record != kNoEvent && recorder().channels[s.record].peak < channel.count) recorder().channels[s.record].peak = channel.count;
  channel.notes[slot] = commit(&o, how, i);
}

void Operation::receive(heddle_channel_case& c, Object& o, Commit how, int32_t i) {
  heddle_channel& channel = *c.channel;
  how.outcome = Outcome::success;
  if (channel.count != 0) {
    const uint32_t slot = channel.head;
    memcpy(c.cell, cell_at(channel, slot), channel.cell_size);
    c.result = heddle_case_passed;
    how.value = value_of(channel, c.cell);
    how.partner = channel.notes[slot];
    channel.head = (slot + 1) % channel.capacity;
    --channel.count;
    channel.notes[slot] = commit(&o, how, i);
    return;
  }
  if (heddle_channel_case* sender = channel.capacity == 0 ? partner_of(c, waiter_) : nullptr) {
    c.result = heddle_case_passed;
    return meet(c, *sender, o, how, i);
  }
  c.result = heddle_case_closed;
  how.outcome = Outcome::failure;
  how.partner = o.as<ChannelState>().close_event;
  how.stored = false;
  commit(&o, how, i);
}

// The other half waits in the queue. Its event is recorded when it goes on. The two events have each other as partners.
void Operation::meet(heddle_channel_case& c, heddle_channel_case& other, Object& o, Commit how, int32_t i) {
  ChannelWaiter& partner = *static_cast<ChannelWaiter*>(other.owner);
  if (c.send) memcpy(other.cell, c.cell, c.channel->cell_size);
  else memcpy(c.cell, other.cell, c.channel->cell_size);
  how.value = value_of(*c.channel, c.cell);
  how.partner_thread = partner.op->thread_index;
  other.result = heddle_case_passed;
  partner.taken = static_cast<int32_t>(&other - partner.cases.data());
  partner.value = how.value;
  partner.partner = commit(&o, how, i);
  e_.wake(*partner.op);
}

int32_t Operation::go_on_with_partner(uint8_t flags) {
  const int32_t i = waiter_.taken;
  heddle_channel_case& c = at(i);
  Commit how{.value = waiter_.value, .partner = waiter_.partner, .flags = flags, .news = true};
  if (is_select() || !c.send) how.outcome = Outcome::success;
  log_.set_ready(static_cast<uint32_t>(i), true);
  const uint32_t event = commit(&object_of(c), how, i);
  if (waiter_.partner != kNoEvent) recorder().events[waiter_.partner].partner = event;
  return i;
}

int32_t Operation::take_default(uint8_t flags) {
  commit(nullptr, {.outcome = Outcome::failure, .flags = flags, .stored = false}, kNoCase);
  return kNoCase;
}

}  // namespace

int32_t channel_wait(std::span<heddle_channel_case> cases, heddle_channel_operation operation, bool otherwise, Place place) {
  // An operation that need not wait is a choice between two outcomes: a select of one case.
  const Kind kind = otherwise                               ? Kind::select
                    : operation == heddle_operation_send    ? Kind::channel_send
                    : operation == heddle_operation_receive ? Kind::channel_receive
                                                            : Kind::select;
  return Operation(cases, kind, otherwise, place).run();
}

}  // namespace heddle::rt::primitives
