// Descriptors that go through sockets (SCM_RIGHTS). A received descriptor has its own number, but is the same description as the one sent. The
// kernel can tell that (kcmp) only while a number names the description. The sender may close its number while the message is in transit. So each
// message counts as a user of what it carries, and the runtime keeps a number for it.
//
// The kernel hands over all descriptors of a message at once, with its first byte. It closes those for which the receiver has no room: all of them if
// the receiver calls read().
#include <linux/kcmp.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"
#include "primitives/descriptor_table.h"

namespace heddle::rt::primitives {
namespace {

constexpr size_t kMaxPassed = 1 << 16;

struct Passed {
  Description* description;
  const Stream* through;  // null: the reader is unknown
  uint64_t message;
};
constinit ReservedArray<Passed> g_passed;
constinit uint64_t g_messages = 0;

// The first message that this is true for has arrived or is lost.
template <typename F>
bool take_one(F holds) {
  for (size_t i = 0; i < g_passed.size(); ++i) {
    if (!holds(g_passed[i])) continue;
    Description& d = *g_passed[i].description;
    for (; i + 1 < g_passed.size(); ++i) g_passed[i] = g_passed[i + 1];
    g_passed.resize(g_passed.size() - 1);
    leave_description(d);
    return true;
  }
  return false;
}

}  // namespace

uint64_t next_message() { return ++g_messages; }

void pass_description(int descriptor, const Description& socket, uint64_t message) {
  Description* const d = find_description(descriptor);
  if (d == nullptr || socket.out == nullptr) return;
  g_passed.reserve(kMaxPassed);
  check(!g_passed.full(), "more than 65,536 descriptors in transit through sockets at once");
  enter_description(*d);
  g_passed.push() = {d, socket.out->known_reader ? socket.out : nullptr, message};
}

bool receive_description(int descriptor, bool peeked) {
  const auto process = static_cast<uintptr_t>(raw_syscall(SYS_getpid));
  for (Description* d = nullptr; (d = next_description(d)) != nullptr;) {
    const long order = raw_syscall(SYS_kcmp, process, process, KCMP_FILE, word(descriptor), word(d->number));
    if (order < 0) return false;
    if (order != 0) continue;
    alias_description(*d, descriptor);
    if (!peeked) take_one([d](const Passed& p) { return p.description == d; });
    return true;
  }
  return true;
}

uint64_t message_in_transit(const Description& socket) {
  if (socket.in == nullptr) return 0;
  for (const Passed& p : g_passed) {
    if (p.through == socket.in) return p.message;
  }
  return 0;
}

void lose_message(uint64_t message) {
  while (take_one([=](const Passed& p) { return p.message == message; })) {
  }
}

void lose_passed(const Stream& unread) {
  while (take_one([&](const Passed& p) { return p.through == &unread; })) {
  }
}

void forget_passed() {
  g_passed.clear();
  g_messages = 0;
}

}  // namespace heddle::rt::primitives
