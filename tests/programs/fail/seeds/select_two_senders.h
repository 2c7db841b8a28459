// Two senders and a select: worth more mutations than a mere receive, since both cases have a partner.
#pragma once

#include <heddle/csp.h>

#include <cassert>

namespace {
[[maybe_unused]] void select_two_senders(size_t wrong) {
  const heddle::chan<int> x = heddle::make_chan<int>();
  const heddle::chan<int> a = heddle::make_chan<int>();
  heddle::go([x] { x.send(1); });
  heddle::go([a] { a.send(1); });
#ifdef FIXED
  wrong = 2;
#endif
  const size_t taken = heddle::select(heddle::on_receive(x), heddle::on_receive(a));
  assert(taken != wrong);
}
}  // namespace
