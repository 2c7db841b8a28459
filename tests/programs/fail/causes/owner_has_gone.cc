// heddle: expect=assertion budget=500
// A callback asks for the owner when the last reference is gone: the count is the cause.
#include <heddle/heddle.h>

#include <memory>
#include <mutex>
#include <thread>

namespace {
struct Session : std::enable_shared_from_this<Session> {
  std::mutex mutex;
  int bytes = 0;

  void received(int count) {
#ifdef FIXED
    const auto self = weak_from_this().lock();
    if (self == nullptr) return;
#else
    const auto self = shared_from_this();
#endif
    std::lock_guard lock(mutex);
    bytes += count;
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(owner_has_gone) {
  std::unique_ptr<Session> memory(new Session);
  std::shared_ptr<Session> session(memory.get(), [](Session*) {});
  std::thread io([raw = memory.get()] { raw->received(3); });
  session.reset();
  io.join();
}
