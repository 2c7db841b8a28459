// heddle: expect=blocked_threads budget=500
// A server at a port that the kernel has chosen is stopped before it listens: the order to stop is lost, and no client ever comes.
#include <heddle/heddle.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {

class Server {
 public:
  Server() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert(bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && listen(listener_, 4) == 0);
  }
  ~Server() { close(listener_); }
  void serve() {
#ifdef FIXED
    int idle = 0;
    if (!state_.compare_exchange_strong(idle, 1)) return;
#else
    state_ = 1;
#endif
    for (int client; (client = accept(listener_, nullptr, nullptr)) >= 0;) close(client);
  }
  void stop() {
#ifdef FIXED
    if (state_.exchange(2) == 1) shutdown(listener_, SHUT_RDWR);
#else
    if (state_ == 1) shutdown(listener_, SHUT_RDWR);
#endif
  }

 private:
  const int listener_ = socket(AF_INET, SOCK_STREAM, 0);
  std::atomic<int> state_{0};  // 1: it serves; 2: it was stopped
};

}  // namespace

HEDDLE_FUZZ_TEST(stopped_too_early) {
  Server server;
  std::thread serving([&] { server.serve(); });
  server.stop();
  serving.join();
}
