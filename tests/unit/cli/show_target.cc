// A target for pages and pictures of runs. Its first data byte says what it does: n, a number of operations by four threads that lose counts; p, the same, which passes; d, a
// deadlock; w, a lost notification; s, channels, a select and a crash; m, a change of the file mask; q, nothing wrong. Its texts try to end the page that they are shown in.
#include <sys/stat.h>

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <heddle/chan.h>
#include <heddle/select.h>

namespace {

const char* const kHostile = "</script><script>window.taken=1</script><!-- ]]> @DATA@ @TITLE@ \" \\";

void count(int operations, bool may_lose) {
  std::atomic<int> hits{0};
  std::mutex mutex;
  int guarded = 0;
  const int each = operations / 9 + 1;
  const auto hit = [&] {
    for (int i = 0; i < each; ++i) {
      if (i % 8 == 0) {
        const std::lock_guard lock(mutex);
        ++guarded;
      }
      hits = hits + 1;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(hit);
  for (std::thread& thread : threads) thread.join();
  assert((may_lose || hits == 4 * each) && "</script><script>window.taken=1</script><!-- <img src=x onerror=taken=1>");
}

void deadlock() {
  std::mutex a, b;
  std::thread one([&] {
    const std::lock_guard first(a);
    const std::lock_guard second(b);
  });
  std::thread other([&] {
    const std::lock_guard first(b);
    const std::lock_guard second(a);
  });
  one.join();
  other.join();
}

void lost_notification() {
  std::mutex m;
  std::condition_variable changed;
  std::thread waiter([&] {
    std::unique_lock lock(m);
    changed.wait(lock);
  });
  std::thread notifier([&] {
    const std::lock_guard lock(m);
    changed.notify_one();
  });
  waiter.join();
  notifier.join();
}

void channels() {
  auto numbers = heddle::make_chan<int>(), stop = heddle::make_chan<int>();
  std::thread sender([&] { numbers.send(1), stop.send(2); });
  int got = 0;
  heddle::select(heddle::on_receive(numbers, [&](std::optional<int> n) { got += *n; }), heddle::on_receive(stop, [&](std::optional<int> n) { got += *n; }));
  stop.receive();
  sender.join();
  if (got == 1) std::abort();
}

void file_mask() {
  std::atomic<bool> changed{false};
  std::thread other([&] {
    umask(0);
    changed = true;
  });
  assert(!changed);
  other.join();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string what(reinterpret_cast<const char*>(data), size);
  if (what[0] == 'n' || what[0] == 'p') count(std::atoi(what.c_str() + 1), what[0] == 'p');
  if (what[0] == 'd') deadlock();
  if (what[0] == 'w') lost_notification();
  if (what[0] == 's') channels();
  if (what[0] == 'm') file_mask();
  if (what[0] == 'q') std::thread([] {}).join();
  return kHostile[0] == 0;
}
