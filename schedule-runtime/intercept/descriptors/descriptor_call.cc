#include "intercept/descriptors/descriptor_call.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "base/asan.h"
#include "base/raw_syscall.h"
#include "engine/program_exit.h"
#include "intercept/plain_access.h"
#include "intercept/refuse.h"

namespace heddle::rt {
namespace {

constexpr const char kAdvice[] =
    "nothing is ready, and a real wait would stop all controlled threads. Use a time-out, or create both ends in the body";
// Both ends can be the program's: the other one is its parent's, which stands still.
constexpr const char kChildAdvice[] =
    "a child process runs to its end inside fork(), while its parent stands still, so this wait would never end. Run the tests in one process";
constexpr size_t kWatched = 1 << 16;  // so many bytes of a buffer are reported to the race detector

const char* advice() { return in_child_process() ? kChildAdvice : kAdvice; }

}  // namespace

long descriptor_answer(const char* call, long result, Place place) {
  if (result == primitives::kWaitsOutside) refuse(call, place, advice());
  return through_errno(result);
}

void wait_outside(const char* call, int descriptor, short events, int flags, Place place) {
  if ((flags & MSG_DONTWAIT) != 0) return;
  pollfd p = {descriptor, events, 0};
  if (primitives::raw_poll(&p, 1) != 0) return;
  const long status = raw_syscall(SYS_fcntl, static_cast<uintptr_t>(descriptor), F_GETFL);
  if (status < 0 || (status & O_NONBLOCK) != 0) return;
  primitives::PollWait wait{.cases = {&p, 1}, .limit = kNever};
  if (primitives::descriptor_poll(wait, place) == primitives::kWaitsOutside) refuse(call, place, advice());
}

void buffers_accessed(const iovec* parts, int count, size_t size, bool write, Place place) {
  for (int i = 0; i < count && size != 0; ++i) {
    const size_t here = parts[i].iov_len < size ? parts[i].iov_len : size;
    size -= here;
    if (here == 0) continue;
    asan_check(parts[i].iov_base, here, write, place.pc, place.frame);
    const auto address = reinterpret_cast<uintptr_t>(parts[i].iov_base);
    plain_access(*current_thread(), address, here < kWatched ? here : kWatched, write, place);
  }
}

}  // namespace heddle::rt
