// Signals as data of a descriptor (signalfd). The kernel's object behind it is an eventfd. Its count is 1 while the thread that asks would find a
// signal there, so that poll and epoll find the same as with a signalfd. A read takes the signals from the lists that sigwait takes them from, and is
// an operation on the same object.
#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "base/raw_syscall.h"
#include "primitives/closed_number.h"
#include "primitives/descriptor.h"
#include "primitives/signal_wait.h"

namespace heddle::rt::primitives {
namespace {

// True if a signalfd was made in this execution. Otherwise the table need not be searched.
constinit uint64_t g_execution = 0;
constinit SignalInformation g_information = nullptr;

template <typename F>
void each_signal_file(F f) {
  if (!any_signal_file()) return;
  for (Description* d = nullptr; (d = next_description(d)) != nullptr;) {
    if (d->sort == DescriptorSort::signalfd) f(*d);
  }
}

uint64_t pending_for(const Thread& t, const Description& d) { return d.signals & (t.pending_signals | process_signals()); }

void show_to(Thread& asking, Description& d) {
  if ((d.signals & asking.blocked_signals & signal_bit(SIGALRM)) != 0) alarm_rings_for_process();
  const bool has_signal = pending_for(asking, d) != 0;
  if (has_signal == d.has_signal) return;
  d.has_signal = has_signal;
  uint64_t count = 1;
  raw_syscall(has_signal ? SYS_write : SYS_read, static_cast<uintptr_t>(d.number), word(&count), sizeof count);
}

signalfd_siginfo as_data(const siginfo_t& info) {
  signalfd_siginfo data = {};
  data.ssi_signo = static_cast<uint32_t>(info.si_signo);
  data.ssi_code = info.si_code;
  data.ssi_pid = static_cast<uint32_t>(info.si_pid);
  data.ssi_uid = getuid();
  data.ssi_int = info.si_value.sival_int;
  data.ssi_ptr = reinterpret_cast<uintptr_t>(info.si_value.sival_ptr);
  return data;
}

// Copies to the bytes from `at` on.
void put(const signalfd_siginfo& data, const iovec* parts, int count, size_t at) {
  const auto* from = reinterpret_cast<const char*>(&data);
  size_t left = sizeof data;
  for (const iovec* part = parts; part != parts + count && left != 0; ++part) {
    if (at >= part->iov_len) {
      at -= part->iov_len;
      continue;
    }
    const size_t n = std::min(left, part->iov_len - at);
    memcpy(static_cast<char*>(part->iov_base) + at, from, n);
    from += n;
    left -= n;
    at = 0;
  }
}

}  // namespace

bool any_signal_file() { return g_execution == engine().begun(); }

void settle_for(Thread& asking) {
  settle_timers();
  each_signal_file([&](Description& d) { show_to(asking, d); });
}

void signal_files_changed() {
  each_signal_file([](Description& d) { descriptor_changed(*d.in); });
}

int make_signal_file(uint64_t signals, int flags, SignalInformation information, Place place) {
  if ((flags & ~(SFD_CLOEXEC | SFD_NONBLOCK)) != 0) return -EINVAL;
  const int own = EFD_NONBLOCK | ((flags & SFD_CLOEXEC) != 0 ? EFD_CLOEXEC : 0);
  const auto descriptor = static_cast<int>(open_number([&] { return raw_syscall(SYS_eventfd2, 0, static_cast<uintptr_t>(own)); }, place));
  if (descriptor < 0) return descriptor;
  Description& d = add_description(DescriptorSort::signalfd, descriptor, (flags & SFD_NONBLOCK) != 0);
  d.signals = signals;
  read_from(d, add_stream_on(signals_object(place)));
  g_information = information;
  g_execution = engine().begun();
  return descriptor;
}

long change_signal_file(int descriptor, uint64_t signals, Place place) {
  auto call = [&](int, iovec*, int) -> long {
    Description* const d = find_description(descriptor);
    if (d == nullptr) return -EBADF;
    if (d->sort != DescriptorSort::signalfd) return -EINVAL;
    d->signals = signals;
    return 0;
  };
  return descriptor_change(Kind::descriptor_write, descriptor, RawCall(call), place);
}

Description* signal_file(int number) {
  Description* found = nullptr;
  each_signal_file([&](Description& d) {
    if (d.number == number) found = &d;
  });
  return found;
}

long take_signals(Description& d, const iovec* parts, int count) {
  Thread& t = *current_thread();
  size_t room = 0, taken = 0;
  for (int i = 0; i < count; ++i) room += parts[i].iov_len;
  if (room < sizeof(signalfd_siginfo)) return -EINVAL;
  for (uint64_t pending; taken + sizeof(signalfd_siginfo) <= room && (pending = pending_for(t, d)) != 0; taken += sizeof(signalfd_siginfo)) {
    const int number = __builtin_ctzll(pending) + 1;
    take_pending_signal((t.pending_signals & signal_bit(number)) != 0 ? &t : nullptr, number);
    take_sent(&t, number);
    put(as_data(g_information(number)), parts, count, taken);
  }
  return taken != 0 ? static_cast<long>(taken) : -EAGAIN;
}

}  // namespace heddle::rt::primitives
