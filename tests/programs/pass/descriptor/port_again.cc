// heddle: expect=pass runs=2000
// Each execution listens on the port of the first one. The server's end of the connection ends first, so the kernel would keep the port for a minute.
// The ends are closed, or left open, or shut down before they are closed.
#include <heddle/heddle.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace {

HEDDLE_KEEP in_port_t port = 0;  // 0: the kernel chooses
HEDDLE_KEEP unsigned executions = 0;

sockaddr_in here() {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = port;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = here();
  assert(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && listen(listener, 4) == 0);
  socklen_t size = sizeof address;
  assert(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port = address.sin_port;
  const unsigned way = ++executions % 3;
  const auto end = [way](int connection) {
    if (way == 1) shutdown(connection, SHUT_RDWR);
    if (way != 0) close(connection);
  };

  std::thread server([&] {
    const int connection = accept(listener, nullptr, nullptr);
    assert(write(connection, "x", 1) == 1);
    end(connection);
  });
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  char byte = 0;
  assert(read(client, &byte, 1) == 1 && byte == 'x');
  server.join();
  end(client);
  close(listener);
  return 0;
}
