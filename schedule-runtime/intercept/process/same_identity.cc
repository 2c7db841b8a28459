#include "intercept/process/same_identity.h"

#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include <algorithm>

#include "base/raw_syscall.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kLeaveIt = UINT32_MAX;

struct Identity {
  uint32_t real = 0, effective = 0, saved = 0;
};

Identity identity(long call) {
  Identity now;
  raw_syscall(call, reinterpret_cast<uintptr_t>(&now.real), reinterpret_cast<uintptr_t>(&now.effective), reinterpret_cast<uintptr_t>(&now.saved));
  return now;
}

bool same(Word wanted, uint32_t now) {
  return static_cast<uint32_t>(wanted) == kLeaveIt || static_cast<uint32_t>(wanted) == now;
}

// setuid and setgid: all three for a privileged process, else the effective one. Which one this is, a capability decides; so all must be it.
bool keeps_all(Word wanted, const Identity& now) {
  const auto id = static_cast<uint32_t>(wanted);
  return id == now.real && id == now.effective && id == now.saved;
}

// setreuid and setregid may also set the saved one to the effective one.
bool keeps_pair(Word real, Word effective, const Identity& now) {
  return same(real, now.real) && same(effective, now.effective) && now.saved == now.effective;
}

// In any order: the kernel sorts its list.
bool keeps_groups(size_t count, const gid_t* wanted) {
  constexpr size_t kMost = 256;
  gid_t now[kMost];
  const long found = raw_syscall(SYS_getgroups, kMost, reinterpret_cast<uintptr_t>(now));
  return found >= 0 && static_cast<size_t>(found) == count &&
         std::is_permutation(now, now + count, wanted);
}

}  // namespace

bool keeps_identity(std::string_view call, Word a, Word b, Word c) {
  if (call == "setgroups") return keeps_groups(a, reinterpret_cast<const gid_t*>(b));
  const bool user = call.ends_with("uid");
  if (!call.starts_with("set") || (!user && !call.ends_with("gid"))) return false;
  const Identity now = identity(user ? SYS_getresuid : SYS_getresgid);
  const std::string_view kind = call.substr(3, call.size() - 6);
  if (kind.empty()) return keeps_all(a, now);
  if (kind == "e") return static_cast<uint32_t>(a) == now.effective;
  if (kind == "re") return keeps_pair(a, b, now);
  if (kind == "res") return same(a, now.real) && same(b, now.effective) && same(c, now.saved);
  return false;
}

}  // namespace heddle::rt
