// Which of two values comes out first depends on the order of two sends; both always happen.
#pragma once

#include <heddle/csp.h>

#include <cassert>

namespace {
[[maybe_unused]] void two_sends(int wrong) {
  const heddle::chan<int> c = heddle::make_chan<int>(2);
  heddle::go([c] { c.send(0); });
  heddle::go([c] { c.send(1); });
#ifdef FIXED
  wrong = 2;
#endif
  const std::optional<int> a = c.receive();
  assert(*a != wrong);
}
}  // namespace
