// heddle: expect=send_on_closed_channel budget=1000
// A batcher collects items under its lock and sends full batches on. close() takes the lock for the
// rest, but a full batch is sent after the lock was given back.
#include <heddle/csp.h>

#include <mutex>
#include <utility>
#include <vector>

namespace {
struct Batcher {
  std::mutex m;
  std::vector<int> items;
  bool closed = false;
  heddle::chan<std::vector<int>> batches = heddle::make_chan<std::vector<int>>(2);

  void add(int item) {
    std::unique_lock lock(m);
    if (closed) return;
    items.push_back(item);
    if (items.size() < 2) return;
    std::vector<int> full = std::exchange(items, {});
#ifndef FIXED
    lock.unlock();
#endif
    batches.send(std::move(full));
  }
  void close() {
    const std::lock_guard lock(m);
    closed = true;
    if (!items.empty()) batches.send(std::exchange(items, {}));
    batches.close();
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(batcher) {
  Batcher batcher;
  heddle::wait_group writers, reader;
  reader.go([&batcher] {
    for ([[maybe_unused]] const auto& batch : batcher.batches) {}
  });
  for (int w = 0; w < 2; ++w) {
    writers.go([&batcher, w] {
      for (int i = 0; i < 2; ++i) batcher.add(10 * w + i);
    });
  }
  batcher.close();
  writers.wait();
  reader.wait();
}
