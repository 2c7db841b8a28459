// heddle: expect=pass runs=20000 options=report_leaks=0 engine=-rss_limit_mb=300
// Every execution leaves threads behind that wait in a send, a receive, a select, the channel of a stopped timer, a
// wait group and a once. Everything that they hold must be gone in the next one.
#include <heddle/csp.h>

#include <chrono>
#include <string>

using namespace std::chrono_literals;

HEDDLE_FUZZ_TEST(abandoned) {
  static heddle::wait_group never;
  static heddle::once stuck;
  const heddle::chan<int> numbers = heddle::make_chan<int>();
  const heddle::chan<std::string> texts = heddle::make_chan<std::string>(1);
  texts.send(std::string(100, 'a'));
  never.add(1);
  heddle::go([numbers] { numbers.send(1); });
  heddle::go([texts] { texts.send(std::string(100, 'b')); });
  heddle::go([] { heddle::make_chan<int>().receive(); });
  heddle::go([=] {
    const std::string held(100, 'c');
    const heddle::chan<int> other = heddle::make_chan<int>();
    heddle::select(heddle::on_receive(other), heddle::on_send(texts, held), heddle::on_send(other, 1));
  });
  heddle::go([] {
    heddle::timer timer(1ms);
    timer.stop();
    timer.channel().receive();
  });
  heddle::go([] { never.wait(); });
  heddle::go([] { stuck.call([] { never.wait(); }); });
  heddle::go([] { stuck.call([] {}); });
}
