#include "harness/cli/progress_line.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace heddle::cli {
namespace {

constexpr std::chrono::seconds kQuiet{2};
constexpr std::chrono::milliseconds kBetween{200};

}  // namespace

Progress::Progress(std::string name) : name_(std::move(name)), terminal_(isatty(2) != 0) {}

void Progress::show(const std::string& text) {
  const auto now = Clock::now();
  if (!terminal_ || now - begun_ < kQuiet || now - shown_ < kBetween) return;
  shown_ = now;
  visible_ = true;
  fmt::print(stderr, "\r\x1b[K{}: {}", name_, text);
  std::fflush(stderr);
}

void Progress::clear() {
  if (visible_) fmt::print(stderr, "\r\x1b[K");
  visible_ = false;
}

}  // namespace heddle::cli
