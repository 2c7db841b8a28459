// Threads that are parked inside an operation on descriptors.
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/raw_syscall.h"
#include "primitives/descriptor.h"
#include "primitives/interruption.h"
#include "primitives/tcp_flow.h"
#include "primitives/timing.h"

namespace heddle::rt::primitives {
namespace {

constinit DescriptorWaiter* g_first = nullptr;
constinit uint64_t g_execution = 0;

DescriptorWaiter& waiter_of(const Pending& p) { return *reinterpret_cast<DescriptorWaiter*>(p.detail); }

bool may_go(const Pending& p) {
  const DescriptorWaiter& w = waiter_of(p);
  settle_for(*p.owner);
  if (w.many != nullptr) return poll_ready(*w.many, w.only);
  if (w.stream->changes == w.tried) return false;
  pollfd one = {w.description->number, w.events, 0};
  return raw_poll(&one, 1) > 0;
}

uint64_t deadline_of(const DescriptorWaiter& w) {
  uint64_t deadline = w.limit;
  const auto consider = [&](const Description* d) {
    if (d == nullptr) return;
    const uint64_t due = due_of(*d);
    if (due < deadline) deadline = due;
  };
  if (w.many == nullptr) {
    consider(w.description);
  } else if (w.many->epoll != nullptr) {
    consider(w.many->epoll);
  } else {
    for (const pollfd& c : w.many->cases) consider(find_description(c.fd));
  }
  return deadline;
}

// Entries of an earlier execution are stale: its threads were dropped at an arbitrary place.
void begin() {
  if (g_execution == engine().begun()) return;
  g_execution = engine().begun();
  g_first = nullptr;
}

// Where the kernel would take more than a connection is to hold. Returns how many cases are no longer ready.
long hide_full(std::span<pollfd> cases) {
  long hidden = 0;
  for (pollfd& c : cases) {
    if ((c.revents & POLLOUT) == 0) continue;
    const Description* const d = find_description(c.fd);
    if (d == nullptr || !is_full(*d)) continue;
    c.revents = static_cast<short>(c.revents & ~(POLLOUT | POLLWRNORM | POLLWRBAND));
    hidden += c.revents == 0;
  }
  return hidden;
}

}  // namespace

// A signal of the fuzzing engine may interrupt. The kernel does not restart a poll after a handler, even with SA_RESTART.
int raw_poll(pollfd* cases, size_t count) {
  for (;;) {
    const timespec zero = {0, 0};
    long ready = raw_syscall(SYS_ppoll, word(cases), count, word(&zero));
    if (ready == -EINTR) continue;
    if (ready > 0) ready -= hide_full({cases, count});
    return static_cast<int>(ready);
  }
}

bool ready_by_itself(int descriptor, short events) {
  pollfd p = {descriptor, events, 0};
  const timespec limit = {1, 0};
  long ready = -EINTR;
  while (ready == -EINTR) ready = raw_syscall(SYS_ppoll, word(&p), 1, word(&limit));
  return ready != 0;
}

void wait_for_change(DescriptorWaiter& w, const OpSpec& spec, bool outside, bool prefers) {
  if (handler_ends_wait(spec, *w.op)) return;
  begin();
  w.previous = nullptr;
  w.next = g_first;
  if (g_first != nullptr) g_first->previous = &w;
  g_first = &w;
  Pending& p = *w.op;
  p.detail = reinterpret_cast<uintptr_t>(&w);
  const uint64_t deadline = deadline_of(w);
  p.asks_at_end = outside;
  bool early = w.early;
  // A timer's expiration, or a socket's time limit, may come early, like the end of a sleep. A poll has already drawn this for itself.
  if (deadline != kNever && (deadline != w.limit || w.many == nullptr) && !prefers && engine().preference(spec) == nullptr) {
    bool preferred;
    early = draws_early_timeout(spec, preferred);
  }
  engine().park(p, may_go, deadline, early, prefers);
  (w.previous != nullptr ? w.previous->next : g_first) = w.next;
  if (w.next != nullptr) w.next->previous = w.previous;
  if (Thread& t = *current_thread(); t.interrupt != nullptr && t.interrupt(t, spec, &p)) engine().arrive(spec);
}

void outside_changed() {
  if (g_first == nullptr) return;
  begin();
  for (DescriptorWaiter* w = g_first; w != nullptr; w = w->next) {
    if (w->many != nullptr) engine().wake(*w->op);
  }
}

void descriptor_changed(Stream& s) {
  ++s.changes;
  begin();
  Engine& e = engine();
  e.touched(*s.object);
  for (DescriptorWaiter* w = g_first; w != nullptr; w = w->next) {
    if (w->many == nullptr && w->stream != &s) {
      if (s.known_reader) continue;
      ++w->stream->changes;
    }
    e.wait_until(*w->op, deadline_of(*w));
    e.wake(*w->op);
  }
}

}  // namespace heddle::rt::primitives
