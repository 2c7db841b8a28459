// heddle: expect=assertion budget=500
// A request is answered and given up at the same time. Both threads have also looked at the map of requests.
#include <heddle/heddle.h>

#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace {
struct Client {
  std::mutex mutex;
  std::map<int, std::shared_ptr<std::promise<int>>> waiting;

  void answered(int id, int value) {
    std::shared_ptr<std::promise<int>> promise;
    {
      std::lock_guard lock(mutex);
      const auto found = waiting.find(id);
      if (found == waiting.end()) return;
      promise = found->second;
#ifdef FIXED
      waiting.erase(found);
#endif
    }
    promise->set_value(value);
  }
  void give_up() {
    std::map<int, std::shared_ptr<std::promise<int>>> lost;
    {
      std::lock_guard lock(mutex);
      lost.swap(waiting);
    }
    for (auto& [id, promise] : lost) promise->set_value(-1);
  }
};
}  // namespace

HEDDLE_FUZZ_TEST(answered_and_lost) {
  Client client;
  client.waiting[1] = std::make_shared<std::promise<int>>();
  auto answer = client.waiting[1]->get_future();
  std::thread io([&] { client.answered(1, 7); });
  std::thread network([&] { client.give_up(); });
  answer.get();
  io.join();
  network.join();
}
