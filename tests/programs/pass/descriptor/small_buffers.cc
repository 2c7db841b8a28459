// heddle: expect=pass runs=100
// A connection with small buffers: the writer has room again as soon as the reader has read. With buffers of the kernel's it waits for an
// acknowledgement, in real time.
#include <heddle/heddle.h>
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

HEDDLE_FUZZ_TEST(small_buffers) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0), size = 4096;
  assert(setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) == 0);
  int got_size = 0;
  socklen_t got_length = sizeof got_size;
  assert(getsockopt(listener, SOL_SOCKET, SO_SNDBUF, &got_size, &got_length) == 0 && got_size == 2 * size);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  assert(bind(listener, (sockaddr*)&address, sizeof address) == 0 && listen(listener, 1) == 0);
  assert(getsockname(listener, (sockaddr*)&address, &length) == 0);
  assert(connect(client, (sockaddr*)&address, sizeof address) == 0);
  const int server = accept(listener, nullptr, nullptr);
  char c = 0;
  for (int i = 0; i < 4; ++i) {
    assert(write(client, "c", 1) == 1 && read(server, &c, 1) == 1 && write(server, "s", 1) == 1 && read(client, &c, 1) == 1);
  }
  fcntl(server, F_SETFL, O_NONBLOCK);
  constexpr size_t kBytes = 200000;
  std::thread writer([&] {
    static char data[8192];
    for (size_t done = 0; done < kBytes;) {
      const ssize_t n = write(server, data, sizeof data);
      if (n > 0) { done += n; continue; }
      assert(errno == EAGAIN);
      pollfd p{server, POLLOUT, 0};
      assert(poll(&p, 1, -1) == 1);
    }
    close(server);
  });
  static char into[8192];
  size_t got = 0;
  for (ssize_t n; (n = read(client, into, sizeof into)) > 0;) got += n;
  assert(got >= kBytes);
  writer.join();
  close(client);
  close(listener);
}
