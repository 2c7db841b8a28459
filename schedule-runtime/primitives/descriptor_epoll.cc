// Epolls. The kernel keeps the list and reports what is ready. This file adds what the kernel does not tell: what each registration waits
// for, and the user's data word. (In the kernel's list, heddle's own number is in its place.)
#include <errno.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"
#include "primitives/descriptor.h"
#include "primitives/tcp_flow.h"

namespace heddle::rt::primitives {
namespace {

constexpr size_t kMaxRegistrations = 1 << 17;
// As deep as the kernel lets epolls watch epolls.
constexpr int kMaxNesting = 5;

struct Registration {
  int descriptor;
  bool alive;
  uint32_t events;
  epoll_data_t data;
  const Description* target;  // null: outside
  uint32_t next;              // index + 1, in the order of registration
};
constinit ReservedArray<Registration> g_all;

template <typename Visit>
void each(const Description& epoll, Visit visit) {
  for (uint32_t i = epoll.first_registration; i != 0; i = g_all[i - 1].next) {
    if (g_all[i - 1].alive) visit(g_all[i - 1]);
  }
}

Registration* find(const Description& epoll, int descriptor) {
  Registration* found = nullptr;
  each(epoll, [&](Registration& r) {
    if (r.descriptor == descriptor) found = &r;
  });
  return found;
}

uint64_t number_of(const Registration& r) { return static_cast<uint64_t>(&r - g_all.data()); }

void append(Description& epoll, Registration& r) {
  uint32_t* last = &epoll.first_registration;
  while (*last != 0) last = &g_all[*last - 1].next;
  *last = static_cast<uint32_t>(number_of(r) + 1);
}

long control(int epoll, int operation, int target, const Registration& r) {
  epoll_event event = {};
  event.events = r.target != nullptr && (r.events & EPOLLONESHOT) == 0 && is_full(*r.target) ? r.events & ~unsigned{EPOLLOUT} : r.events;
  event.data.u64 = number_of(r);
  return raw_syscall(SYS_epoll_ctl, static_cast<uintptr_t>(epoll), static_cast<uintptr_t>(operation), static_cast<uintptr_t>(target),
                     word(&event));
}

long fetch(const Description& epoll, epoll_event* events, size_t capacity) {
  return raw_syscall(SYS_epoll_pwait, static_cast<uintptr_t>(epoll.number), word(events), capacity, 0, 0, 8);
}

// The number by which the kernel can be asked. The number of the registration may be closed or reused, while a duplicate keeps the
// description in the list.
int number_now(const Registration& r) { return r.target != nullptr ? r.target->number : r.descriptor; }

const Registration& behind(const epoll_event& e) { return g_all[e.data.u64]; }

// When a level-triggered registration is reported, it stays in the kernel's list and moves to its end.
bool comes_again(const Registration& r) { return (r.events & (EPOLLET | EPOLLONESHOT)) == 0; }

// Rotates the kernel's list until the wanted registration is first, if that loses no event. Returns the number of events taken: 0 or 1.
long fetch_first(const PollWait& wait, epoll_event& out) {
  const int wanted = wait.cases[static_cast<size_t>(wait.first)].fd;
  for (size_t turn = 0; turn <= wait.cases.size(); ++turn) {
    if (fetch(*wait.epoll, &out, 1) <= 0) return 0;
    if (number_now(behind(out)) == wanted || !comes_again(behind(out))) return 1;
  }
  return 0;
}

}  // namespace

uint32_t count_registrations(const Description& epoll) {
  uint32_t n = 0;
  each(epoll, [&](const Registration&) { ++n; });
  return n;
}

long fetch_events(const PollWait& wait) {
  const std::span<epoll_event> out = wait.events;
  size_t n = 0;
  if (wait.first >= 0) n = static_cast<size_t>(fetch_first(wait, out[0]));
  const uint64_t first = n != 0 ? out[0].data.u64 : 0;
  if (n < out.size()) {
    const long more = fetch(*wait.epoll, &out[n], out.size() - n);
    if (more < 0 && n == 0) return more;
    const size_t end = n + static_cast<size_t>(more > 0 ? more : 0);
    const bool again = n != 0;
    for (size_t i = n; i < end; ++i) {
      if (!again || out[i].data.u64 != first) out[n++] = out[i];
    }
  }
  bool gone = false;
  for (epoll_event& e : out.first(n)) {
    gone |= !comes_again(behind(e));
    e.data = behind(e).data;
  }
  if (gone) outside_changed();
  return static_cast<long>(n);
}

long epoll_poll(Description& epoll, std::span<pollfd> cases, std::span<epoll_event> events, uint64_t limit, Place place) {
  size_t n = 0;
  each(epoll, [&](const Registration& r) { cases[n++] = {number_now(r), static_cast<short>(r.events & 0x3FFF), 0}; });
  PollWait wait{.cases = cases.first(n), .limit = limit, .epoll = &epoll, .events = events};
  enter_description(epoll);
  const long result = descriptor_poll(wait, place);
  leave_description(epoll);
  return result;
}

long epoll_change(int descriptor, int operation, int target, epoll_event* event, Place place) {
  auto call = [&](int, iovec*, int) -> long {
    Description* const epoll = find_description(descriptor);
    if (epoll == nullptr || epoll->sort != DescriptorSort::epoll || (operation != EPOLL_CTL_DEL && event == nullptr)) {
      return raw_syscall(SYS_epoll_ctl, static_cast<uintptr_t>(descriptor), static_cast<uintptr_t>(operation),
                         static_cast<uintptr_t>(target), word(event));
    }
    Registration* r = find(*epoll, target);
    Registration changed = {target, true, event != nullptr ? event->events : 0, {}, find_description(target), 0};
    if (event != nullptr) changed.data = event->data;
    if (r == nullptr) {
      g_all.reserve(kMaxRegistrations);
      check(!g_all.full(), "more than 131,072 epoll registrations in one execution");
      r = &g_all.push();
      *r = changed;
      const long result = control(epoll->number, operation, target, *r);
      if (result == 0) append(*epoll, *r);
      else g_all.resize(g_all.size() - 1);
      return result;
    }
    if (operation == EPOLL_CTL_DEL) changed = *r;
    changed.next = r->next;
    const Registration before = *r;
    *r = changed;
    const long result = control(epoll->number, operation, target, *r);
    if (result != 0) *r = before;
    else if (operation == EPOLL_CTL_DEL) r->alive = false;
    return result;
  };
  return descriptor_change(Kind::descriptor_write, descriptor, RawCall(call), place);
}

// The kernel would take more. A change of a registration also reports again what is edge-triggered.
void output_has_changed(const Description& d) {
  for (Description* epoll = next_description(nullptr); epoll != nullptr; epoll = next_description(epoll)) {
    if (epoll->sort != DescriptorSort::epoll) continue;
    each(*epoll, [&](const Registration& r) {
      if (r.target == &d && (r.events & EPOLLOUT) != 0 && (r.events & EPOLLONESHOT) == 0) control(epoll->number, EPOLL_CTL_MOD, number_now(r), r);
    });
  }
}

uint64_t due_of_registered(const Description& epoll, int depth) {
  uint64_t due = kNever;
  if (depth > kMaxNesting) return due;
  each(epoll, [&](const Registration& r) {
    if (r.target == nullptr) return;
    const uint64_t own = r.target->sort == DescriptorSort::epoll ? due_of_registered(*r.target, depth + 1) : due_of(*r.target);
    if (own < due) due = own;
  });
  return due;
}

void forget_registrations() { g_all.clear(); }

void forget_registered(const Description& d) {
  for (Registration& r : g_all) {
    if (r.target == &d) r.alive = false;
  }
}

}  // namespace heddle::rt::primitives
