// Threads of the program use thread-locals of a library that it opens: before the first execution (HEDDLE_TEST_EARLY), or in each; HEDDLE_TEST_CLOSE: and closes.
#include <dlfcn.h>

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>

static void* open_library() {
  void* library = dlopen(getenv("HEDDLE_TEST_PLUGIN"), RTLD_NOW);
  assert(library != nullptr);
  return library;
}

static void* early = getenv("HEDDLE_TEST_EARLY") != nullptr ? open_library() : nullptr;

static int call(void* library, const char* name) { return reinterpret_cast<int (*)()>(dlsym(library, name))(); }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t*, size_t) {
  void* library = early != nullptr ? early : open_library();
  const auto use = [library] {
    assert(call(library, "count") == 1);
    assert(call(library, "object") == 5);
    assert(call(library, "count") == 2);
  };
  std::thread one(use), two(use);
  use();
  one.join();
  two.join();
  std::thread(use).join();  // where one of them ran
  // Has an object to destroy when the library is closed: it stays until then.
  std::atomic<int> used = 0, closed = 0;
  std::thread lasting([&] {
    use();
    used = 1;
    used.notify_one();
    closed.wait(0);
  });
  used.wait(0);
  if (getenv("HEDDLE_TEST_CLOSE") != nullptr) dlclose(library);
  closed = 1;
  closed.notify_one();
  lasting.join();
  return 0;
}
