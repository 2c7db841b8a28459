// heddle: expect=pass runs=40
// A thread waits for clients while another one is busy for long. That no client has come by then is no reason to refuse the wait.
#include <heddle/heddle.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cassert>
#include <mutex>
#include <thread>

HEDDLE_FUZZ_TEST(listens_long) {
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = {}};
  assert(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(sa_family_t)) == 0);  // any free abstract name
  assert(listen(listener, 1) == 0);
  std::thread server([=] {
    pollfd wait = {listener, POLLIN, 0};
    assert(poll(&wait, 1, -1) == 1);
    const int client = accept(listener, nullptr, nullptr);
    assert(client >= 0);
    close(client);
  });
  std::mutex mutex;
  int work = 0;
  for (int i = 0; i < 40'000; ++i) {
    const std::lock_guard lock(mutex);
    ++work;
  }
  assert(work == 40'000);
  socklen_t size = sizeof address;
  assert(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(connect(client, reinterpret_cast<sockaddr*>(&address), size) == 0);
  server.join();
  close(client);
  close(listener);
}
