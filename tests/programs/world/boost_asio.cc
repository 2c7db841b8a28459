// heddle: expect=pass runs=500 options=report_races=1
// misuse: expect=assertion budget=10000 seeds=20
// Boost.Asio: a small server with two threads in run(): requests come over a socket pair, a timer ticks, and all that touches the shared
// count goes through a strand. Misuse: the strand is forgotten.
#include <heddle/heddle.h>

#include <array>
#include <boost/asio.hpp>
#include <cassert>
#include <chrono>
#include <thread>

namespace asio = boost::asio;

HEDDLE_FUZZ_TEST(boost_asio) {
  asio::io_context context;
  auto strand = asio::make_strand(context);
#ifdef MISUSE
  auto serial = context.get_executor();
#else
  auto serial = strand;
#endif
  int count = 0;
  auto add = [&] {
    const int before = count;
    count = before + 1;
  };
  asio::local::stream_protocol::socket client(context), server(context);
  asio::local::connect_pair(client, server);
  std::array<char, 2> request;
  asio::async_read(server, asio::buffer(request), asio::bind_executor(serial, [&](boost::system::error_code error, size_t size) {
    assert(!error && size == 2 && request[0] == 'h');
    add();
  }));
  asio::steady_timer timer(context, std::chrono::milliseconds(5));
  timer.async_wait(asio::bind_executor(serial, [&](boost::system::error_code) { add(); }));
  asio::post(serial, add);
  asio::post(serial, add);
  std::thread writer([&] { asio::write(client, asio::buffer("hi", 2)); });
  std::thread a([&] { context.run(); }), b([&] { context.run(); });
  writer.join();
  a.join();
  b.join();
  assert(count == 4);
}
