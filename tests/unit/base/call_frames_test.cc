// What call_frames says of functions without a frame pointer, compared with what each of them knows of itself. Compiled with -fomit-frame-pointer.
#include "base/call_frames.h"

#include <alloca.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace heddle::rt {
namespace {

struct Seen {
  std::vector<uintptr_t> found, wanted;
};
Seen* g_seen = nullptr;

uintptr_t address(void* p) { return reinterpret_cast<uintptr_t>(p); }

// Stands for a shim: it keeps a frame pointer.
[[gnu::noinline]] void shim() {
  CallFrame at = caller_of_frame(address(__builtin_return_address(0)), address(__builtin_frame_address(0)));
  for (size_t i = 0; i <= g_seen->wanted.size() && at.pc != 0; ++i) {
    g_seen->found.push_back(at.pc);
    at = caller_of(at);
  }
}

#define RETURNS_HERE g_seen->wanted.push_back(address(__builtin_return_address(0)))

[[gnu::noinline]] int plain(int n) {
  RETURNS_HERE;
  shim();
  return n + 1;
}

[[gnu::noinline]] int with_room(int n) {
  RETURNS_HERE;
  volatile char room[5000];
  room[n] = 1;
  return plain(n) + room[n];
}

[[gnu::noinline]] int with_room_as_wanted(int n) {
  RETURNS_HERE;
  auto* const room = static_cast<volatile char*>(alloca(static_cast<size_t>(n) * 100));
  room[n] = 1;
  return with_room(n) + room[n];
}

[[gnu::noinline]] int with_all_registers(int a, int b, int c, int d, int e, int f) {
  RETURNS_HERE;
  const int n = with_room_as_wanted(a);
#if defined(__x86_64__)
  asm volatile("" ::: "rbx", "rbp", "r12", "r13", "r14", "r15");
#endif
  return n + a * b + c * d + e * f;
}

[[gnu::noinline]] int in_the_middle(int n) {
  RETURNS_HERE;
  if (n < 0) return n;  // leaves by another way: the state is kept and restored
  int more = 0;
  for (int i = 0; i < n; ++i) more += with_all_registers(n, i, n * i, n + i, n - i, i * i) * (i == 0);
  return more;
}

TEST(CallFrames, OfFunctionsWithoutFramePointers) {
  Seen seen;
  g_seen = &seen;
  EXPECT_NE(in_the_middle(1), 0);
  // The innermost comes first, and the return address into plain() before all.
  ASSERT_EQ(seen.wanted.size() + 1, seen.found.size());
  for (size_t i = 0; i < seen.wanted.size(); ++i) EXPECT_EQ(seen.found[i + 1], seen.wanted[seen.wanted.size() - 1 - i]) << i;
}

TEST(CallFrames, NothingIsKnownOfNoFunction) {
  EXPECT_EQ(caller_of_frame(1, 0).pc, 0u);
#if defined(__x86_64__)
  EXPECT_EQ(caller_of({16, 64, 64}).pc, 0u);
#endif
}

}  // namespace
}  // namespace heddle::rt
