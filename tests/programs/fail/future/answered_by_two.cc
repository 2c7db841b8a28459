// heddle: expect=assertion budget=2000
// A request is sent to two mirrors, and the first answer is passed on. Whether it was the first is checked before the promise
// is set, and noted after that.
#include <heddle/heddle.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace {
class Request {
 public:
  std::future<std::string> result() { return promise_.get_future(); }
  void on_answer(const std::string& body) {
#ifdef FIXED
    if (answered_.exchange(true)) return;
    promise_.set_value(body);
#else
    if (answered_.load()) return;
    promise_.set_value(body);
    answered_.store(true);
#endif
  }

 private:
  std::promise<std::string> promise_;
  std::atomic<bool> answered_{false};
};

std::string fetch(const char* mirror) { return std::string("from ") + mirror; }
}  // namespace

HEDDLE_FUZZ_TEST(answered_by_two) {
  Request request;
  auto result = request.result();
  std::vector<std::thread> mirrors;
  for (const char* name : {"east", "west"}) mirrors.emplace_back([&request, name] { request.on_answer(fetch(name)); });
  result.get();
  for (auto& m : mirrors) m.join();
}
