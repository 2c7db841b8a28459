// What a process hands on when it becomes another program by execve, and constructors may have changed: blocked and ignored signals, the working
// directory, the file mode mask, the timer of alarm(), and descriptors. constructors.cc puts it back before it starts the process again.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <bitset>
#include <string>

namespace heddle::driver {

class ExecState {
 public:
  // As the process is now.
  ExecState();
  void put_back() const;

 private:
  // Descriptors above that are not looked at: one question for all must be cheap at each start.
  static constexpr int kDescriptors = 256;
  static std::bitset<kDescriptors> open_descriptors();

  sigset_t blocked_;
  std::bitset<NSIG> ignored_;
  mode_t mask_;
  std::string directory_;
  bool alarm_;
  std::bitset<kDescriptors> open_;
};

}  // namespace heddle::driver
