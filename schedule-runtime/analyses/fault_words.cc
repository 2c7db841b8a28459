#include "analyses/fault_words.h"

#include <ucontext.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace heddle::rt {
namespace {

enum class FaultAccess { unknown, reads, writes, fetches, no_address };

#if defined(__x86_64__)
FaultAccess access_of(const ucontext_t& machine) {
  constexpr greg_t kPageFault = 14, kProtection = 13, kWrite = 1 << 1, kFetch = 1 << 4;  // the processor's numbers
  const greg_t trap = machine.uc_mcontext.gregs[REG_TRAPNO], error = machine.uc_mcontext.gregs[REG_ERR];
  if (trap == kProtection) return FaultAccess::no_address;
  if (trap != kPageFault) return FaultAccess::unknown;
  return (error & kFetch) != 0 ? FaultAccess::fetches : (error & kWrite) != 0 ? FaultAccess::writes : FaultAccess::reads;
}
#else
// The kernel puts the exception's syndrome among the records after the registers.
FaultAccess access_of(const ucontext_t& machine) {
  constexpr uint32_t kSyndrome = 0x45535201;
  constexpr uint64_t kFetchLower = 0x20, kFetchSame = 0x21, kDataLower = 0x24, kDataSame = 0x25, kWrite = 1 << 6;
  struct Head {
    uint32_t magic, size;
  };
  const auto* at = reinterpret_cast<const unsigned char*>(machine.uc_mcontext.__reserved);
  const unsigned char* const end = at + sizeof machine.uc_mcontext.__reserved;
  while (static_cast<size_t>(end - at) >= sizeof(Head) + sizeof(uint64_t)) {
    Head head;
    memcpy(&head, at, sizeof head);
    if (head.magic == 0 || head.size < sizeof head || head.size > static_cast<size_t>(end - at)) break;
    if (head.magic == kSyndrome) {
      uint64_t syndrome;
      memcpy(&syndrome, at + sizeof head, sizeof syndrome);
      const uint64_t what = syndrome >> 26;
      if (what == kFetchLower || what == kFetchSame) return FaultAccess::fetches;
      if (what != kDataLower && what != kDataSame) return FaultAccess::unknown;
      return (syndrome & kWrite) != 0 ? FaultAccess::writes : FaultAccess::reads;
    }
    at += head.size;
  }
  return FaultAccess::unknown;
}
#endif

}  // namespace

void describe_fault(char* out, size_t size, const siginfo_t* info, const void* context) {
  constexpr uintptr_t kNearNull = 1 << 12;
  out[0] = 0;
  const bool memory = (info->si_signo == SIGSEGV || info->si_signo == SIGBUS) && info->si_code > 0;
  if (!memory) return;
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  const FaultAccess access = access_of(*static_cast<const ucontext_t*>(context));
  if (access == FaultAccess::no_address) {
    snprintf(out, size, "access to an address that no program can have (a pointer with wrong contents)");
    return;
  }
  const char* const words = access == FaultAccess::reads ? "read of " : access == FaultAccess::writes ? "write to " : access == FaultAccess::fetches ? "jump to " : "";
  snprintf(out, size, "%saddress 0x%012llx%s", words, static_cast<unsigned long long>(address),
           address == 0 ? " (a null pointer)" : address < kNearNull ? " (close to a null pointer)" : "");
}

}  // namespace heddle::rt
