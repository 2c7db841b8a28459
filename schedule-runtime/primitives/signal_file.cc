#include "primitives/signal_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "primitives/closed_number.h"
#include "primitives/signal_wait.h"
#include "trace/observer.h"

namespace heddle::rt::primitives {
namespace {

// An entry stays until the end of the execution, also when its descriptor is closed.
struct SignalFile {
  static constexpr uint32_t kUnread = 512;  // of records, what a pipe holds
  uint64_t set;
  int write_end;
  uint32_t sent;
  int numbers[kUnread];  // of the last records
};
constexpr uint32_t kMost = 64;
constinit SignalFile g_files[kMost] = {};
constinit uint32_t g_count = 0;
constinit bool g_registered = false;

void close_all() {
  for (uint32_t i = 0; i < g_count; ++i) raw_syscall(SYS_close, word(g_files[i].write_end));
  g_count = 0;
}

SignalFile* file_of(const Description& d) { return d.signal_file != 0 ? &g_files[d.signal_file - 1] : nullptr; }

// The oldest open one. Null: none.
Description* open_for(int number) {
  if (g_count == 0) return nullptr;
  for (Description* d = next_description(nullptr); d != nullptr; d = next_description(d)) {
    if (d->signal_file != 0 && (file_of(*d)->set & signal_bit(number)) != 0) return d;
  }
  return nullptr;
}

bool is_unread(const SignalFile& f, int descriptor, int number) {
  int bytes = 0;
  raw_syscall(SYS_ioctl, word(descriptor), FIONREAD, word(&bytes));
  const uint32_t unread = static_cast<uint32_t>(bytes) / sizeof(signalfd_siginfo);
  for (uint32_t i = 0; i < unread && i < f.sent; ++i) {
    if (f.numbers[(f.sent - 1 - i) % SignalFile::kUnread] == number) return true;
  }
  return false;
}

}  // namespace

long signal_file_open(uint64_t set, int flags, Place place) {
  if (!g_registered) {
    g_registered = true;
    add_observer({"signalfd", nullptr, nullptr, close_all});
  }
  if (g_count == kMost) return -EMFILE;
  int ends[2] = {};
  long made = 0;
  const auto call = [&] { return (made = raw_syscall(SYS_pipe2, word(ends), O_NONBLOCK | ((flags & SFD_CLOEXEC) != 0 ? O_CLOEXEC : 0))) == 0 ? ends[0] : made; };
  open_number(call, place);
  if (made < 0) return made;
  Description& d = add_description(DescriptorSort::signals, ends[0], (flags & SFD_NONBLOCK) != 0);
  Stream& s = add_stream(place);
  label_stream(s, "signalfd %d", ends[0]);
  read_from(d, s);
  write_to(d, s);
  d.signal_file = ++g_count;
  SignalFile& f = g_files[g_count - 1];
  f.set = set;
  f.sent = 0;
  f.write_end = to_private_number(ends[1]);
  return ends[0];
}

long signal_file_change(int descriptor, uint64_t set) {
  const Description* const d = find_description(descriptor);
  if (d == nullptr || d->signal_file == 0) return -EINVAL;
  file_of(*d)->set = set;
  return 0;
}

bool signal_file_wants(int number) { return open_for(number) != nullptr; }

void signal_file_take(int number, const signalfd_siginfo& record, Place place) {
  auto call = [&](int descriptor, iovec*, int) -> long {
    const Description* const d = find_description(descriptor);
    SignalFile* const f = d != nullptr ? file_of(*d) : nullptr;
    if (f == nullptr) return -EBADF;  // another thread has closed it
    if (number < SIGRTMIN && is_unread(*f, descriptor, number)) return 0;
    const long written = raw_syscall(SYS_write, word(f->write_end), word(&record), sizeof record);
    if (written > 0) f->numbers[f->sent++ % SignalFile::kUnread] = number;
    return written;
  };
  descriptor_change(Kind::descriptor_write, open_for(number)->number, RawCall(call), place);
}

}  // namespace heddle::rt::primitives
