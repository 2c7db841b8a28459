// Until when a command may take, in real time. Whatever waits for a target in its scope waits no
// longer: a machine that is busy with other things makes what is found smaller, and not the command
// longer.
#pragma once

#include <chrono>

#include "harness/cli/files.h"

namespace heddle::cli {

// The command has one thread, and its waits are deep in what many commands share. So the deadline
// of a scope is no argument.
class Deadline {
 public:
  // From now. The earlier one of a surrounding scope stays; infinite: only that one.
  explicit Deadline(double seconds);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  // For what a command must do at its end, such as looking up source lines: it has so many seconds from
  // now, also if the time is over because the machine has become busy.
  void last_at_least(double seconds);

  // Seconds until the innermost one. Never negative; infinite if there is none.
  static double left();
  static bool passed() { return left() == 0; }
  // For a wait of at most so long.
  static int milliseconds_left(unsigned most);

  // In real time a command takes no longer than this, if its searches take `seconds` of processor
  // time.
  static double of_command(unsigned seconds);

 private:
  using Clock = std::chrono::steady_clock;
  static Clock::time_point current_;
  const Clock::time_point outer_;
};

// What was waited for was ended by a deadline.
class OutOfTime : public Failure {
 public:
  OutOfTime() : Failure(kInternal, "there was not enough time (more: --seconds)") {}
};

}  // namespace heddle::cli
