// What functions of the C library read and write for the program is known to the race detector: these bytes and no others.
#include <gtest/gtest.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "engine/engine.h"
#include "memory/race_detector.h"
#include "schema/codec.h"
#include "schema/schedule.h"

extern "C" {
// As these functions are called before the runtime is combined.
int heddle_program_memcmp(const void*, const void*, size_t);
int heddle_program_bcmp(const void*, const void*, size_t);
int heddle_program_strcmp(const char*, const char*);
int heddle_program_strncmp(const char*, const char*, size_t);
int heddle_program_strcasecmp(const char*, const char*);
int heddle_program_strncasecmp(const char*, const char*, size_t);
char* heddle_program_strstr(const char*, const char*);
char* heddle_program_strcasestr(const char*, const char*);
void* heddle_program_memmem(const void*, size_t, const void*, size_t);
}

namespace heddle::test {
namespace {

constexpr size_t kRoom = 64;
char g_from[kRoom], g_to[kRoom];
std::function<void()> g_call;
// Bytes, from the first: 'r' read, 'w' written, 'b' both, '.' neither.
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

// `from` and `to` are what is in the buffers before; "bytes of from|bytes of to".
std::string accesses(const char* from, const char* to, std::function<void()> call) {
  for (size_t i = 0; i < kRoom; ++i) g_from[i] = g_to[i] = 'x';
  for (size_t i = 0; i == 0 || from[i - 1] != 0; ++i) g_from[i] = from[i];
  for (size_t i = 0; i == 0 || to[i - 1] != 0; ++i) g_to[i] = to[i];
  g_call = std::move(call);
  Schedule schedule;
  schedule.seed = 1;
  rt::run_one(encode_schedule(schedule), body);
  return shortened(g_from_seen) + "|" + shortened(g_to_seen);
}

// The compiler knows these functions and would do them itself.
char* volatile from = g_from;
char* volatile to = g_to;
volatile size_t sink;
void* (*volatile copy_bytes)(void*, const void*, size_t) = mempcpy;
const char* volatile kept;

TEST(LibraryAccess, Lengths) {
  EXPECT_EQ(accesses("abc", "", [] { sink = strlen(from); }), "rrrr|");
  EXPECT_EQ(accesses("abc", "", [] { sink = strnlen(from, 2); }), "rr|");
  EXPECT_EQ(accesses("abc", "", [] { sink = strnlen(from, 9); }), "rrrr|");
  EXPECT_EQ(accesses("", "", [] { sink = strlen(from); }), "r|");
}

TEST(LibraryAccess, Searches) {
  EXPECT_EQ(accesses("abcd", "", [] { sink = strchr(from, 'b') != nullptr; }), "rr|");
  EXPECT_EQ(accesses("abcd", "", [] { sink = strchr(from, 'z') != nullptr; }), "rrrrr|");
  EXPECT_EQ(accesses("abcd", "", [] { sink = strrchr(from, 'a') != nullptr; }), "rrrrr|");
  EXPECT_EQ(accesses("abcd", "", [] { sink = memchr(from, 'c', 8) != nullptr; }), "rrr|");
  EXPECT_EQ(accesses("abcd", "", [] { sink = memchr(from, 'z', 3) != nullptr; }), "rrr|");
  EXPECT_EQ(accesses("abcd", "c", [] { sink = strcspn(from, to); }), "rrr|rr");
}

TEST(LibraryAccess, Comparisons) {
  EXPECT_EQ(accesses("abc", "abc", [] { sink = heddle_program_memcmp(from, to, 2); }), "rr|rr");
  EXPECT_EQ(accesses("abc", "xbc", [] { sink = heddle_program_bcmp(from, to, 3); }), "rrr|rrr");
  EXPECT_EQ(accesses("abc", "abc", [] { sink = heddle_program_strcmp(from, to); }), "rrrr|rrrr");
  EXPECT_EQ(accesses("abc", "abx", [] { sink = heddle_program_strcmp(from, to); }), "rrr|rrr");
  EXPECT_EQ(accesses("ab", "abc", [] { sink = heddle_program_strcmp(from, to); }), "rrr|rrr");
  EXPECT_EQ(accesses("abc", "abc", [] { sink = heddle_program_strncmp(from, to, 2); }), "rr|rr");
  EXPECT_EQ(accesses("ABC", "abx", [] { sink = heddle_program_strcasecmp(from, to); }), "rrr|rrr");
  EXPECT_EQ(accesses("ABC", "abc", [] { sink = heddle_program_strncasecmp(from, to, 9); }), "rrrr|rrrr");
  EXPECT_EQ(accesses("abcd", "bc", [] { sink = heddle_program_strstr(from, to) != nullptr; }), "rrr|rrr");
  EXPECT_EQ(accesses("abcd", "x", [] { sink = heddle_program_strstr(from, to) != nullptr; }), "rrrrr|rr");
  EXPECT_EQ(accesses("abcd", "BC", [] { sink = heddle_program_strcasestr(from, to) != nullptr; }), "rrr|rrr");
  EXPECT_EQ(accesses("abcd", "bc", [] { sink = heddle_program_memmem(from, 4, to, 2) != nullptr; }), "rrrr|rr");
}

TEST(LibraryAccess, Copies) {
  EXPECT_EQ(accesses("abc", "", [] { strcpy(to, from); }), "rrrr|wwww");
  EXPECT_EQ(accesses("abc", "", [] { stpcpy(to, from); }), "rrrr|wwww");
  EXPECT_EQ(accesses("abc", "", [] { strncpy(to, from, 6); }), "rrrr|wwwwww");
  EXPECT_EQ(accesses("abc", "", [] { strncpy(to, from, 2); }), "rr|ww");
  EXPECT_EQ(accesses("abc", "12", [] { strcat(to, from); }), "rrrr|rrbwww");
  EXPECT_EQ(accesses("abc", "12", [] { strncat(to, from, 2); }), "rr|rrbww");
  EXPECT_EQ(accesses("abc", "12", [] { strncat(to, from, 9); }), "rrrr|rrbwww");
  EXPECT_EQ(accesses("abc", "", [] { copy_bytes(to, from, 3); }), "rrr|www");
  EXPECT_EQ(accesses("abc", "", [] {
              kept = strdup(from);
              free(const_cast<char*>(kept));
            }), "rrrr|");
  EXPECT_EQ(accesses("", "", [] { explicit_bzero(to, 3); }), "|www");
}

TEST(LibraryAccess, Printing) {
  EXPECT_EQ(accesses("", "", [] { snprintf(to, 20, "%d", 123); }), "|wwww");
  EXPECT_EQ(accesses("", "", [] { snprintf(to, 3, "%d", 123); }), "|www");
  EXPECT_EQ(accesses("", "", [] { snprintf(to, 0, "%d", 123); }), "|");
  EXPECT_EQ(accesses("", "", [] { sprintf(to, "%s!", "ab"); }), "|wwww");
}

TEST(LibraryAccess, Numbers) {
  EXPECT_EQ(accesses("12x4", "", [] { sink = static_cast<size_t>(strtol(from, nullptr, 10)); }), "rrr|");
  EXPECT_EQ(accesses("1.5", "", [] { sink = static_cast<size_t>(strtod(from, nullptr)); }), "rrrr|");
  EXPECT_EQ(accesses("77", "", [] { sink = static_cast<size_t>(atoi(from)); }), "rrr|");
}

// What they do is what they do without heddle.
TEST(LibraryAccess, TheResultIsTheLibrarys) {
  char text[32] = "";
  EXPECT_EQ(strcpy(text, "ab"), text);
  EXPECT_EQ(strcat(text, "cd"), text);
  EXPECT_STREQ(text, "abcd");
  EXPECT_EQ(snprintf(text, 4, "%s", "longer"), 6);
  EXPECT_STREQ(text, "lon");
  char* end = nullptr;
  EXPECT_EQ(strtol("42rest", &end, 10), 42);
  EXPECT_STREQ(end, "rest");
}

}  // namespace
}  // namespace heddle::test
