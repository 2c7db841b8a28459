#include "engine/time_stamp.h"

#include <link.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstring>

#include "base/fault.h"
#include "base/line.h"
#include "base/raw_syscall.h"
#include "engine/engine.h"
#include "fiber/thread_locals.h"

namespace heddle::rt {

constinit TimeStamp g_time_stamp;

namespace {

// The size of the instruction at `code`. 0: another instruction.
size_t instruction_size(const unsigned char* code, size_t size) {
  if (size >= 2 && code[0] == 0x0F && code[1] == 0x31) return 2;                      // rdtsc
  if (size >= 3 && code[0] == 0x0F && code[1] == 0x01 && code[2] == 0xF9) return 3;  // rdtscp
  return 0;
}

// shl $32 of a 64-bit register.
bool moves_half_up(const unsigned char* code) {
  return (code[0] == 0x48 || code[0] == 0x49) && code[1] == 0xC1 && (code[2] & 0xF8) == 0xE0 && code[3] == 32;
}

}  // namespace

bool reads_time_stamp(const unsigned char* code, size_t size) {
  constexpr size_t kNear = 32, kShift = 4;
  const unsigned char* const end = code + size;
  for (const unsigned char* at = code; at < end; ++at) {
    at = static_cast<const unsigned char*>(memchr(at, 0x0F, static_cast<size_t>(end - at)));
    if (at == nullptr) return false;
    const size_t bytes = instruction_size(at, static_cast<size_t>(end - at));
    if (bytes == 0) continue;
    for (const unsigned char* next = at + bytes; next + kShift <= end && next <= at + bytes + kNear; ++next) {
      if (moves_half_up(next)) return true;
    }
  }
  return false;
}

#if defined(__x86_64__)

namespace {

int look_in(dl_phdr_info* module, size_t, void* found) {
  // The program's time never comes from these. (The dynamic linker reads the counter to time itself.)
  if (fiber::thread_locals::is_system_library(module->dlpi_name)) return 0;
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & (PF_X | PF_R)) != (PF_X | PF_R)) continue;
    if (reads_time_stamp(reinterpret_cast<const unsigned char*>(module->dlpi_addr + segment.p_vaddr), segment.p_filesz)) {
      *static_cast<bool*>(found) = true;
      return 1;
    }
  }
  return 0;
}

void set_trap(bool on) { raw_syscall(SYS_prctl, PR_SET_TSC, on ? PR_TSC_SIGSEGV : PR_TSC_ENABLE, 0, 0, 0); }

// A caller that is no controlled thread of the program gets the real time: a shim that calls out, or the C library's own clock. (The two
// halves are not combined here. Otherwise look_in would find this code.)
void read_counter(greg_t& low, greg_t& high) {
  if (Thread* const t = current_thread(); t != nullptr) {
    const uint64_t ticks = engine().read_time(*t);
    low = static_cast<greg_t>(ticks & 0xFFFF'FFFF);
    high = static_cast<greg_t>(ticks >> 32);
    return;
  }
  set_trap(false);
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  set_trap(true);
}

constinit bool g_has_faulted = false;

bool mend(int signal, const siginfo_t* info, void* context) {
  if (signal != SIGSEGV || info->si_code != SI_KERNEL) return false;
  g_has_faulted = true;
  greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  // Reading code[1] is safe: the processor has fetched a whole instruction.
  const auto* const code = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
  const size_t bytes = code[0] == 0x0F ? instruction_size(code, code[1] == 0x31 ? 2 : 3) : 0;
  if (bytes == 0) return false;
  read_counter(registers[REG_RAX], registers[REG_RDX]);
  if (bytes == 3) registers[REG_RCX] = 0;  // the processor's number, the same as from sched_getcpu
  registers[REG_RIP] += static_cast<greg_t>(bytes);
  return true;
}

// Shared, because each execution of a forked search is a process and finds it out again. Null: there was no memory.
constinit bool* g_said = nullptr;

// Some virtual machines do not pass the setting on to the processor.
bool faults_when_asked() {
  uint32_t low, high;
  set_trap(true);
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  set_trap(false);
  return g_has_faulted;
}

}  // namespace

void TimeStamp::initialise() {
  dl_iterate_phdr(look_in, &present_);
  present_ = present_ && add_fault_mender(mend);
  if (!present_) return;
  const long page = raw_syscall(SYS_mmap, 0, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, ~uintptr_t{0}, 0);
  if (page > 0) g_said = reinterpret_cast<bool*>(page);
}

void TimeStamp::set(bool on) {
  if (on == trapped_ || !g_faults_are_mended || (on && given_up_)) return;
  if (!tried_) {
    tried_ = true;
    if (!faults_when_asked()) {
      present_ = false;
      if (g_said != nullptr && __atomic_exchange_n(g_said, true, __ATOMIC_RELAXED)) return;
      print_line(2, "heddle: note: the program may read the processor's time stamp counter (rdtsc), and this machine gives it real time: its runs may differ\n");
      return;
    }
  }
  trapped_ = on;
  set_trap(on);
}

#else

void TimeStamp::initialise() {}
void TimeStamp::set(bool) {}

#endif

}  // namespace heddle::rt
