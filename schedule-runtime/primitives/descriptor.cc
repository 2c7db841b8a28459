#include "primitives/descriptor.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "base/raw_syscall.h"
#include "primitives/closed_number.h"
#include "primitives/descriptor_made.h"
#include "primitives/interruption.h"
#include "primitives/outcome.h"
#include "primitives/signal_wait.h"
#include "primitives/tcp_flow.h"
#include "primitives/tcp_ports.h"
#include "primitives/timing.h"
#include "races/race_detector.h"
#include "trace/transfer_notes.h"

namespace heddle::rt::primitives {
namespace {

// The data that a try-operation checks while the schedule prefers one of its outcomes.
struct Look {
  int descriptor;
  short events;
};

bool would_go(const Pending& p) {
  const Look& look = *reinterpret_cast<const Look*>(p.detail);
  settle_for(*p.owner);
  pollfd one = {look.descriptor, look.events, 0};
  return raw_poll(&one, 1) != 0;
}

bool would_not_go(const Pending& p) { return !would_go(p); }

Stream* stream_of(const Description* d, Kind kind) { return d == nullptr ? nullptr : kind == Kind::descriptor_read ? d->in : d->out; }

// What an operation on this number conflicts with. `s`: of its description; null if there is none, or if it has no such end.
Object* object_of(const Stream* s, const Description* d, int descriptor) {
  return s != nullptr ? s->object : d == nullptr ? closed_object(descriptor) : nullptr;
}

// A socket's own time limit (SO_RCVTIMEO, SO_SNDTIMEO).
uint64_t socket_limit(const Description& d, Kind kind) {
  if (d.sort != DescriptorSort::socket) return kNever;
  timeval time = {0, 0};
  socklen_t size = sizeof time;
  raw_syscall(SYS_getsockopt, static_cast<uintptr_t>(d.number), SOL_SOCKET,
              kind == Kind::descriptor_read ? SO_RCVTIMEO : SO_SNDTIMEO, word(&time), word(&size));
  if (time.tv_sec == 0 && time.tv_usec == 0) return kNever;
  return deadline_in({time.tv_sec, time.tv_usec * 1000});
}

// No descriptor is left that could read what this would write.
bool is_broken(const Description& d) {
  return d.out != nullptr && d.out->known_reader && d.out->readers == 0;
}

// A listener of AF_UNIX that was shut down reports this only to a call that waits.
bool never_accepts(int listener) {
  pollfd one = {listener, 0, 0};
  return raw_poll(&one, 1) > 0 && (one.revents & POLLHUP) != 0;
}

// A thread that blocks the signal only finds it pending.
bool pipe_signal_kills(const Thread& t) {
  struct sigaction now = {};
  return (t.blocked_signals & signal_bit(SIGPIPE)) == 0 && sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL &&
         (now.sa_flags & SA_SIGINFO) == 0;
}

// To a pipe that may have no reader. The kernel knows neither mask nor handlers of the thread: its signal only says whether a reader was missed.
long write_in_vain(const Transfer& t) {
  const uint64_t pipe = signal_bit(SIGPIPE);
  uint64_t before = 0;
  const timespec now = {};
  raw_syscall(SYS_rt_sigprocmask, SIG_BLOCK, word(&pipe), word(&before), sizeof before);
  const long result = t.run_on(t.descriptor);
  const bool missed = raw_syscall(SYS_rt_sigtimedwait, word(&pipe), 0, word(&now), sizeof pipe) == SIGPIPE;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, word(&before), 0, sizeof before);
  return missed ? -EPIPE : result;
}

// What the thread has just moved. The parts are those of the whole call: the bytes of a counter are at their begin.
void note_transfer(const Transfer& t, const Description& d, long result) {
  if (!race_detector_watches() || recorder().full() || result < 0) return;
  const bool counter = d.sort == DescriptorSort::eventfd || d.sort == DescriptorSort::timerfd;
  uint64_t amount = static_cast<uint64_t>(result);
  if (counter) {
    if (t.parts.empty() || t.parts.front().iov_len < sizeof amount) return;
    memcpy(&amount, t.parts.front().iov_base, sizeof amount);
  } else if (t.accepted != nullptr || (d.sort != DescriptorSort::pipe && d.sort != DescriptorSort::socket)) {
    return;
  }
  TransferNote& note = transfer_notes().add(static_cast<uint32_t>(recorder().events.size()) - 1);
  note.counter = counter;
  note.amount = amount;
}

}  // namespace

long transfer(const Transfer& t, Place place) {
  Engine& e = engine();
  Description* d = find_description(t.descriptor);
  Stream* s = stream_of(d, t.kind);
  const short events = t.events != 0 ? t.events : t.kind == Kind::descriptor_read ? POLLIN : POLLOUT;
  OpSpec spec{.kind = t.kind, .object = object_of(s, d, t.descriptor), .place = place};
  Look look{t.descriptor, events};
  if (d != nullptr && (d->nonblocking || t.dont_wait)) {
    spec.detail = reinterpret_cast<uintptr_t>(&look);
    prefer_outcome(spec, would_go, would_not_go);
  }
  Pending& p = e.arrive(spec);
  const uint8_t flags = preference_flag(p);
  // Other threads have run. The number may now refer to another description, or to none.
  d = find_description(t.descriptor);
  s = stream_of(d, t.kind);
  Engine::settle_on(p, object_of(s, d, t.descriptor));
  if (s == nullptr) {
    const long result = t.run_on(t.descriptor);
    e.commit(p, {.outcome = Outcome::failure, .value = transfer_value(t.kind, result), .flags = flags, .stored = false});
    return result;
  }
  const bool waits = !d->nonblocking && !t.dont_wait;
  const bool broken = d->sort == DescriptorSort::pipe && t.kind == Kind::descriptor_write && is_broken(*d);
  enter_description(*d);
  if (t.accepted != nullptr) label_stream(*s, "listening socket %d", d->number);
  DescriptorWaiter w{.op = &p, .description = d, .stream = s, .events = events};
  Outcome outcome = Outcome::none;
  long result = broken ? write_in_vain(t) : 0;
  for (bool first = true; !broken || result == -EAGAIN; first = false) {
    settle_for(*current_thread());
    w.tried = s->changes;
    result = call_counted(t, *d, *s);
    if (result != -EAGAIN || !waits) break;
    if (t.accepted != nullptr && never_accepts(d->number)) {
      result = -EINVAL;
      break;
    }
    if (first) w.limit = std::min(t.limit, socket_limit(*d, t.kind));
    if (w.limit <= e.now()) {
      outcome = Outcome::timeout;
      break;
    }
    if (p.asked_at_end) {
      result = kWaitsOutside;
      break;
    }
    wait_for_change(w, spec, w.limit == kNever && may_end_outside(*d), false);
    if (was_interrupted()) {
      leave_description(*d);
      return -EINTR;
    }
  }
  bool signals = false;
  // The kernel's call raised no signal.
  if (result == -EPIPE && t.kind == Kind::descriptor_write && !t.no_signal) {
    if (pipe_signal_kills(*current_thread())) {
      e.misuse(FindingType::broken_pipe, s->object, place);
    } else {
      signals = broken || d->sort == DescriptorSort::socket;
    }
  }
  if (!waits) outcome = result >= 0 ? Outcome::success : Outcome::failure;
  else if (result < 0 && outcome == Outcome::none) outcome = Outcome::failure;
  e.commit(p, {.outcome = outcome, .value = transfer_value(t.kind, result), .flags = flags, .stored = result > 0, .news = result > 0});
  note_transfer(t, *d, result);
  if (result >= 0) descriptor_changed(*s);
  // The listener's number may have been closed meanwhile, and belong to another one.
  if (t.accepted != nullptr && result >= 0) {
    *t.accepted = take_connection(*d);
    if (*t.accepted == nullptr) d->addressed = true;
  }
  leave_description(*d);
  if (signals) raise(SIGPIPE);
  return result;
}

std::span<iovec> rest_of(std::span<iovec> parts, size_t bytes) {
  while (!parts.empty() && parts.front().iov_len <= bytes) {
    bytes -= parts.front().iov_len;
    parts = parts.subspan(1);
  }
  if (!parts.empty()) parts.front() = {static_cast<char*>(parts.front().iov_base) + bytes, parts.front().iov_len - bytes};
  return parts;
}

long transfer_all(const Transfer& t, Place place) {
  Transfer next = t;
  long written = 0;
  for (;;) {
    const long result = transfer(next, place);
    if (result < 0) return written != 0 ? written : result;
    written += result;
    next.parts = rest_of(next.parts, static_cast<size_t>(result));
    const Description* d = find_description(t.descriptor);
    if (next.parts.empty() || result == 0 || d == nullptr || d->nonblocking || t.dont_wait) return written;
  }
}

long descriptor_close(int descriptor, RawCall call, Place place) {
  Engine& e = engine();
  const Description* d = find_description(descriptor);
  const auto stream = [&]() -> const Stream* { return d == nullptr ? nullptr : d->out != nullptr ? d->out : d->in; };
  Pending& p = e.arrive({.kind = Kind::descriptor_close, .object = object_of(stream(), d, descriptor), .place = place});
  d = find_description(descriptor);
  Engine::settle_on(p, object_of(stream(), d, descriptor));
  const bool last = d != nullptr && d->descriptors == 1;
  e.commit(p, {.outcome = d != nullptr ? Outcome::none : Outcome::failure, .value = static_cast<uint32_t>(descriptor), .stored = d != nullptr, .news = last});
  if (last && d->users == 0 && is_last_end(*d)) leave_no_connection(descriptor);
  keep_description(descriptor);
  const long result = call(descriptor);
  forget_descriptor(descriptor);
  if (d == nullptr && result >= 0) outside_changed();
  return result;
}

long descriptor_change(Kind kind, int descriptor, RawCall call, Place place) {
  Engine& e = engine();
  const Description* d = find_description(descriptor);
  const auto stream = [kind](const Description* of) { return of->out != nullptr && kind != Kind::descriptor_read ? of->out : of->in; };
  Stream* s = stream(d);
  Pending& p = e.arrive({.kind = kind, .object = s != nullptr ? s->object : nullptr, .place = place});
  d = find_description(descriptor);
  s = d != nullptr ? stream(d) : nullptr;
  Engine::settle_on(p, s != nullptr ? s->object : nullptr);
  const long result = call(descriptor);
  e.commit(p, {.outcome = result < 0 ? Outcome::failure : Outcome::none, .stored = result >= 0, .news = result >= 0});
  if (d == nullptr || result < 0) return result;
  if (d->in != nullptr) descriptor_changed(*d->in);
  if (d->out != nullptr && d->out != d->in) descriptor_changed(*d->out);
  return result;
}

}  // namespace heddle::rt::primitives
