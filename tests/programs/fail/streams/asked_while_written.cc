// heddle: expect=assertion budget=2000
// A text is asked for while it is being put together: str() is in the headers, and operator<< in the library.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <sstream>
#include <thread>

HEDDLE_FUZZ_TEST(asked_while_written) {
  std::ostringstream text;
  std::mutex m;
  std::thread writes([&] {
    const std::lock_guard lock(m);
    text << "key=";
    text << "value";
  });
  std::string seen;
  {
#ifdef FIXED
    const std::lock_guard lock(m);
#endif
    seen = text.str();
  }
  writes.join();
  assert(seen.empty() || seen == "key=value");
}
