// Timers as descriptors (timerfd), in virtual time. The kernel's object behind it is an eventfd. When the timer expires, its count grows by the
// number of expirations, so that read, poll and epoll find the same as with a timerfd.
#include <errno.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "base/raw_syscall.h"
#include "primitives/closed_number.h"
#include "primitives/descriptor.h"
#include "primitives/signal_wait.h"
#include "primitives/timing.h"

namespace heddle::rt::primitives {
namespace {

// True if a timer was armed in this execution. Otherwise the table need not be searched.
constinit uint64_t g_execution = 0;

bool any_timer() { return g_execution == engine().begun(); }

void drain(const Description& d) {
  uint64_t count;
  raw_syscall(SYS_read, static_cast<uintptr_t>(d.number), word(&count), sizeof count);
}

}  // namespace

void settle_timers() {
  if (!any_timer()) return;
  const uint64_t now = engine().now();
  for (Description* d = nullptr; (d = next_description(d)) != nullptr;) {
    if (d->sort != DescriptorSort::timerfd) continue;
    VirtualTimer& t = d->timer;
    if (t.due > now) continue;
    const uint64_t expirations = t.interval == 0 ? 1 : 1 + (now - t.due) / t.interval;
    t.due = t.interval == 0 ? kNever : t.due + expirations * t.interval;
    raw_syscall(SYS_write, static_cast<uintptr_t>(d->number), word(&expirations), sizeof expirations);
    ++d->in->changes;
  }
}

uint64_t due_of(const Description& d) {
  if (d.sort == DescriptorSort::epoll) return any_timer() || any_signal_file() ? due_of_registered(d, 0) : kNever;
  if (d.sort == DescriptorSort::signalfd) return alarm_due_for(d.signals);
  return d.sort == DescriptorSort::timerfd ? d.timer.due : kNever;
}

int timer_create(clockid_t clock, int flags, Place place) {
  const bool known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME ||
                     clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM;
  if (!known || (flags & ~(TFD_CLOEXEC | TFD_NONBLOCK)) != 0) return -EINVAL;
  const int own = EFD_NONBLOCK | ((flags & TFD_CLOEXEC) != 0 ? EFD_CLOEXEC : 0);
  const auto descriptor = static_cast<int>(open_number([&] { return raw_syscall(SYS_eventfd2, 0, static_cast<uintptr_t>(own)); }, place));
  if (descriptor < 0) return descriptor;
  Description& d = add_description(DescriptorSort::timerfd, descriptor, (flags & TFD_NONBLOCK) != 0);
  d.timer.clock = clock == CLOCK_REALTIME_ALARM ? CLOCK_REALTIME : clock;
  Stream& s = add_stream(place);
  label_stream(s, "timerfd %d", descriptor);
  read_from(d, s);
  g_execution = engine().begun();
  return descriptor;
}

long timer_set(int descriptor, int flags, const itimerspec* value, itimerspec* old, Place place) {
  if (value == nullptr) return -EFAULT;
  const itimerspec wanted = *value;
  if (!valid_for_timer(wanted)) return -EINVAL;
  auto call = [&](int, iovec*, int) -> long {
    Description* const d = find_description(descriptor);
    if (d == nullptr) return -EBADF;
    if (d->sort != DescriptorSort::timerfd) return -EINVAL;
    settle_timers();
    VirtualTimer& t = d->timer;
    if (old != nullptr) *old = timer_left(t.due, t.interval);
    drain(*d);
    t.interval = nanoseconds_of(wanted.it_interval);
    t.due = timer_due(t.clock, (flags & TFD_TIMER_ABSTIME) != 0, wanted.it_value);
    return 0;
  };
  return descriptor_change(Kind::descriptor_write, descriptor, RawCall(call), place);
}

long timer_get(int descriptor, itimerspec* value, Place place) {
  // A thread that reads a timer reads a clock, so time goes on.
  const Description* d = find_description(descriptor);
  if (d->sort != DescriptorSort::timerfd) return -EINVAL;
  read_clock(d->timer.clock, place);
  d = find_description(descriptor);
  if (d == nullptr || d->sort != DescriptorSort::timerfd) return -EBADF;
  settle_timers();
  *value = timer_left(d->timer.due, d->timer.interval);
  return 0;
}

}  // namespace heddle::rt::primitives
