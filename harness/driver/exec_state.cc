#include "harness/driver/exec_state.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

namespace heddle::driver {
namespace {

std::string working_directory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof path) != nullptr ? path : "";
}

bool alarm_is_set() {
  itimerval timer = {};
  return getitimer(ITIMER_REAL, &timer) == 0 && (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0);
}

}  // namespace

std::bitset<ExecState::kDescriptors> ExecState::open_descriptors() {
  pollfd asked[kDescriptors];
  for (int file = 0; file < kDescriptors; ++file) asked[file] = {file, 0, 0};
  std::bitset<kDescriptors> open;
  if (poll(asked, kDescriptors, 0) < 0) return open.set();  // a low limit: then none is taken for new
  for (int file = 0; file < kDescriptors; ++file) open[static_cast<size_t>(file)] = (asked[file].revents & POLLNVAL) == 0;
  return open;
}

ExecState::ExecState() : mask_(umask(0)), directory_(working_directory()), alarm_(alarm_is_set()), open_(open_descriptors()) {
  umask(mask_);
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked_);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action = {};
    ignored_[static_cast<size_t>(number)] = sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
  }
}

void ExecState::put_back() const {
  const std::bitset<kDescriptors> opened = open_descriptors() & ~open_;
  for (int file = 0; file < kDescriptors; ++file) {
    if (opened[static_cast<size_t>(file)]) fcntl(file, F_SETFD, FD_CLOEXEC);
  }
  if (!alarm_) alarm(0);
  if (!directory_.empty() && chdir(directory_.c_str()) != 0) return;
  umask(mask_);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction now = {};
    if (sigaction(number, nullptr, &now) != 0) continue;
    const bool ignored = ignored_[static_cast<size_t>(number)];
    // Handlers do not outlive execve.
    if ((now.sa_handler == SIG_IGN) == ignored) continue;
    now = {};
    now.sa_handler = ignored ? SIG_IGN : SIG_DFL;
    sigaction(number, &now, nullptr);
  }
  pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
}

}  // namespace heddle::driver
