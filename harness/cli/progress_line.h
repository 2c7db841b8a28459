// A line on a terminal while a command works for more than two seconds.
#pragma once

#include <chrono>
#include <string>

namespace heddle::cli {

class Progress {
 public:
  explicit Progress(std::string name);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Shows it in place of what was shown before, a few times a second.
  void show(const std::string& text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  const std::string name_;
  const bool terminal_;
  const Clock::time_point begun_ = Clock::now();
  Clock::time_point shown_ = {};
  bool visible_ = false;
};

}  // namespace heddle::cli
