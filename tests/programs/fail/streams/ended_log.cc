// heddle: expect=heap-use-after-free budget=1000
// The log ends while another thread still writes to it: operator<< is in the library.
#include <heddle/heddle.h>

#include <memory>
#include <sstream>
#include <thread>

HEDDLE_FUZZ_TEST(ended_log) {
  auto log = std::make_unique<std::ostringstream>();
  std::thread writer([&log = *log] { log << 17 << "lines"; });
#ifdef FIXED
  writer.join();
  log.reset();
#else
  log.reset();
  writer.join();
#endif
}
