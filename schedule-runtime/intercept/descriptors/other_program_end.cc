#include "intercept/descriptors/other_program_end.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>

#include "base/raw_syscall.h"

namespace heddle::rt {
namespace {

// Real time. A program that waits for something else than its parent, such as the disk, is seldom found waiting several times in a row.
constexpr timespec kBetweenLooks = {0, 250'000'000};
constexpr int kLooksInARow = 4;
constexpr int kDescriptors = 64;  // of either process that are looked at
constexpr int kDeepest = 8;       // generations of processes

// The beginning of a file of a process in /proc. False: it cannot be read.
bool read_proc(pid_t process, const char* file, char* text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", process, file);
  const long opened = raw_syscall(SYS_openat, static_cast<uintptr_t>(AT_FDCWD), word(path), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return false;
  const long n = raw_syscall(SYS_read, static_cast<uintptr_t>(opened), word(text), size - 1);
  raw_syscall(SYS_close, static_cast<uintptr_t>(opened));
  text[n < 0 ? 0 : n] = 0;
  return n > 0;
}

bool look_at(const char* path, struct stat& found) {
  return raw_syscall(SYS_newfstatat, static_cast<uintptr_t>(AT_FDCWD), word(path), word(&found), 0) == 0;
}

// Does this process have the other end of that descriptor? Both ends of a pipe are one file. Of a socket it cannot be told; it can be.
bool shares(pid_t other, unsigned long descriptor) {
  char path[64];
  struct stat theirs = {}, own = {};
  snprintf(path, sizeof path, "/proc/%d/fd/%lu", other, descriptor);
  if (!look_at(path, theirs)) return false;
  if (!S_ISFIFO(theirs.st_mode) && !S_ISSOCK(theirs.st_mode)) return false;
  for (int n = 0; n < kDescriptors; ++n) {
    if (raw_syscall(SYS_fstat, static_cast<uintptr_t>(n), word(&own)) != 0) continue;
    if (S_ISFIFO(theirs.st_mode) ? own.st_dev == theirs.st_dev && own.st_ino == theirs.st_ino : S_ISSOCK(own.st_mode)) return true;
  }
  return false;
}

bool shares_any(pid_t other) {
  for (unsigned long n = 0; n < kDescriptors; ++n) {
    if (shares(other, n)) return true;
  }
  return false;
}

// Calls `look` for each child of the process until it says true.
template <typename Look>
bool any_child(pid_t process, Look look) {
  char file[32], text[512];
  snprintf(file, sizeof file, "task/%d/children", process);
  if (!read_proc(process, file, text, sizeof text)) return false;
  for (char *at = text, *end; const long child = strtol(at, &end, 10); at = end) {
    if (look(static_cast<pid_t>(child))) return true;
  }
  return false;
}

// By the system call in which its main thread sleeps.
bool waits_for_us(pid_t process, int depth) {
  char text[256];
  if (!read_proc(process, "syscall", text, sizeof text)) return false;
  char* rest = nullptr;
  const long call = strtol(text, &rest, 10);
  if (rest == text) return false;  // "running"
  const unsigned long first = strtoul(rest, nullptr, 16);
  switch (call) {
    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_write:
    case SYS_writev:
    case SYS_sendto:
    case SYS_sendmsg: return shares(process, first);
#ifdef SYS_poll
    case SYS_poll:
    case SYS_select:
    case SYS_epoll_wait:
#endif
    case SYS_ppoll:
    case SYS_pselect6:
    case SYS_epoll_pwait: return shares_any(process);
    case SYS_wait4:
    case SYS_waitid: return depth < kDeepest && any_child(process, [=](pid_t child) { return waits_for_us(child, depth + 1); });
    default: return false;
  }
}

// What it has started would otherwise stay.
void end_all(pid_t process, int depth) {
  raw_syscall(SYS_kill, static_cast<uintptr_t>(process), SIGSTOP);
  if (depth < kDeepest) any_child(process, [=](pid_t child) { return end_all(child, depth + 1), false; });
  raw_syscall(SYS_kill, static_cast<uintptr_t>(process), SIGKILL);
}

}  // namespace

bool wait_for_other_program(pid_t process, int& status) {
  const long end = raw_syscall(SYS_pidfd_open, static_cast<uintptr_t>(process), 0);
  int in_a_row = 0;
  while (end >= 0 && in_a_row < kLooksInARow) {
    pollfd ended = {static_cast<int>(end), POLLIN, 0};
    timespec limit = kBetweenLooks;
    if (raw_syscall(SYS_ppoll, word(&ended), 1, word(&limit), 0, 0) > 0) break;
    in_a_row = waits_for_us(process, 0) ? in_a_row + 1 : 0;
  }
  if (end >= 0) raw_syscall(SYS_close, static_cast<uintptr_t>(end));
  const bool stuck = in_a_row == kLooksInARow;
  if (stuck) end_all(process, 0);
  while (raw_syscall(SYS_wait4, static_cast<uintptr_t>(process), word(&status), __WALL, 0) == -EINTR) {
  }
  return !stuck;
}

}  // namespace heddle::rt
