#include "harness/cli/deadline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::cli {

Deadline::Clock::time_point Deadline::current_ = Clock::time_point::max();

Deadline::Deadline(double seconds) : outer_(current_) {
  if (std::isinf(seconds)) return;
  const auto length = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::max(0.0, seconds)));
  current_ = std::min(outer_, Clock::now() + length);
}

void Deadline::last_at_least(double seconds) {
  const auto length = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  current_ = std::min(outer_, std::max(current_, Clock::now() + length));
}

double Deadline::of_command(unsigned seconds) {
  constexpr double kLeast = 2;  // for starts of processes and their reports
  constexpr double kMore =
      0.45;  // nearly half as many more: what has to end then also takes a moment
  return seconds + std::max(kLeast, kMore * seconds);
}

Deadline::~Deadline() { current_ = outer_; }

double Deadline::left() {
  if (current_ == Clock::time_point::max()) return std::numeric_limits<double>::infinity();
  return std::max(0.0, std::chrono::duration<double>(current_ - Clock::now()).count());
}

int Deadline::milliseconds_left(unsigned most) {
  const double left_now = 1000 * left();
  return left_now < most ? static_cast<int>(std::ceil(left_now)) : static_cast<int>(most);
}

}  // namespace heddle::cli
