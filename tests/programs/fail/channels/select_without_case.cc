// heddle: expect=blocked_threads budget=200
// A select whose list of cases has become empty never returns.
#include <heddle/csp.h>

#include <vector>

HEDDLE_FUZZ_TEST(select_without_case) {
  std::vector<heddle::chan<int>> workers{heddle::make_chan<int>(1), heddle::make_chan<int>(1)};
  for (const auto& w : workers) heddle::go([w] { w.send(1); });
#ifdef FIXED
  while (!workers.empty()) {
#else
  for (int i = 0; i < 3; ++i) {
#endif
    heddle::selector any;
    for (const auto& w : workers) any.receive(w);
    workers.erase(workers.begin() + static_cast<long>(any.wait()));
  }
}
