#include "library_access_lab.h"

#include <pthread.h>

#include "engine/engine.h"
#include "races/race_detector.h"
#include "schema/codec.h"
#include "schema/schedule.h"

namespace heddle::test {
namespace {

constexpr size_t kRoom = 256;
alignas(16) char g_from[kRoom], g_to[kRoom];
std::function<void()> g_call;
char g_from_seen[kRoom + 1], g_to_seen[kRoom + 1];

void look(const char* at, char* seen) {
  const uint32_t thread = rt::current_thread()->index;
  for (size_t i = 0; i < kRoom; ++i) {
    const auto address = reinterpret_cast<uintptr_t>(at + i);
    const bool read = rt::race_detector_knows(thread, address, 1, false), written = rt::race_detector_knows(thread, address, 1, true);
    seen[i] = read ? (written ? 'b' : 'r') : (written ? 'w' : '.');
  }
}

void* nothing(void*) { return nullptr; }

int body(const uint8_t*, size_t) {
  rt::engine().watch_from_the_start();
  pthread_t other;  // of a thread that has always been alone nothing need be known
  pthread_create(&other, nullptr, nothing, nullptr);
  pthread_join(other, nullptr);
  g_call();
  look(g_from, g_from_seen);
  look(g_to, g_to_seen);
  return 0;
}

std::string shortened(const char* seen) {
  std::string s = seen;
  s.resize(s.find_last_not_of('.') + 1);
  return s;
}

}  // namespace

char* volatile from = g_from;
char* volatile to = g_to;

std::string accesses(const char* in_from, const char* in_to, std::function<void()> call) {
  for (size_t i = 0; i < kRoom; ++i) g_from[i] = g_to[i] = 'x';
  for (size_t i = 0; i == 0 || in_from[i - 1] != 0; ++i) g_from[i] = in_from[i];
  for (size_t i = 0; i == 0 || in_to[i - 1] != 0; ++i) g_to[i] = in_to[i];
  g_call = std::move(call);
  Schedule schedule;
  schedule.seed = 1;
  rt::run_one(encode_schedule(schedule), body);
  return shortened(g_from_seen) + "|" + shortened(g_to_seen);
}

}  // namespace heddle::test
