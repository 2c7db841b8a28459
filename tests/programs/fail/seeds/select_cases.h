// A select of many cases, two of which have a sender, and the code of one of these is wrong.
#pragma once

#include <heddle/csp.h>

#include <cassert>
#include <vector>

namespace {
// `wrong`: the position of the case, one of the two with a partner.
[[maybe_unused]] void select_cases(size_t cases, size_t one, size_t two, size_t wrong, bool with_default) {
  std::vector<heddle::chan<int>> channels;
  heddle::selector any;
  for (size_t i = 0; i < cases; ++i) {
    channels.push_back(heddle::make_chan<int>());
    any.receive(channels.back());
  }
  if (with_default) any.otherwise();
  heddle::go([c = channels[one]] { c.send(1); });
  heddle::go([c = channels[two]] { c.send(1); });
#ifdef FIXED
  wrong = cases + 1;
#endif
  const size_t taken = any.wait();
  assert(taken != wrong);
}
}  // namespace
