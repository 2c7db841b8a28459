// heddle: expect=crash budget=3000
// After Mozilla's JavaScript engine: the garbage collector clears the script of a context between the check and the use.
#include <heddle/heddle.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {
struct Script {
  int length = 5;
};
struct Context {
  std::atomic<Script*> running{nullptr};
  std::atomic<int> requests{0};
};

void begin_request(Context& context) { context.requests.fetch_add(1); }
void end_request(Context& context) { context.requests.fetch_sub(1); }

int compile(Context& context) {
#ifdef FIXED
  Script* const script = context.running.load();
  if (script == nullptr) return 0;
  begin_request(context);
  const int length = script->length;
#else
  if (context.running.load() == nullptr) return 0;
  begin_request(context);
  const int length = context.running.load()->length;
#endif
  end_request(context);
  return length;
}

void collect(Context& context) {
  if (context.requests.load() == 0) context.running.store(nullptr);
}
}  // namespace

HEDDLE_FUZZ_TEST(script_cleared) {
  Script script;
  Context context;
  context.running = &script;
  int length = 0;
  std::thread compiler([&] { length = compile(context); });
  std::thread collector([&] { collect(context); });
  compiler.join();
  collector.join();
  assert(length == 0 || length == 5);
}
