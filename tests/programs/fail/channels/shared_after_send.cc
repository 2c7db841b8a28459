// heddle: expect=assertion budget=1000
// A pointer is sent, and the sender goes on changing what it points to.
#include <heddle/csp.h>

#include <cassert>
#include <memory>
#include <mutex>

namespace {
struct Message {
  std::mutex m;
  int number = 1;
};
}  // namespace

HEDDLE_FUZZ_TEST(shared_after_send) {
  const heddle::chan<std::shared_ptr<Message>> c = heddle::make_chan<std::shared_ptr<Message>>(1);
  heddle::go([c] {
    auto message = std::make_shared<Message>();
    c.send(message);
#ifdef FIXED
    message = std::make_shared<Message>();
#endif
    const std::lock_guard lock(message->m);
    message->number = 2;
  });
  const std::shared_ptr<Message> got = *c.receive();
  const std::lock_guard lock(got->m);
  assert(got->number == 1);
}
