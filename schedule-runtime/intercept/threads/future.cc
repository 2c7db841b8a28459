// Promises that become ready when the thread ends (set_value_at_thread_exit, make_ready_at_thread_exit). libstdc++'s shared library does
// this at the end of the thread, with an invisible store to the future's status. Here, an atomic operation of the promise comes before that
// store.
#include <dlfcn.h>

#include <memory>

#include "intercept/real.h"
#include "primitives/atomic.h"

using namespace heddle::rt;
using heddle::Kind;

namespace {

// std::__future_base::_State_baseV2::_Make_ready: an entry in the list of work for the thread's end.
struct MakeReady {
  void* next;
  void (*callback)(void*);
  std::weak_ptr<void> state;
};

// The status in the state object, after its virtual-table pointer and the pointer to its result. A future's wait loads it.
constexpr size_t kStatus = 2 * sizeof(void*);
constexpr uint32_t kReady = 1;  // what the library stores there

constinit void (*g_callback)(void*) = nullptr;

void announced(void* entry) {
  Thread* const t = current_thread();
  const std::shared_ptr<void> state = static_cast<MakeReady*>(entry)->state.lock();
  if (t != nullptr && state != nullptr) {
    auto* status = reinterpret_cast<uint32_t*>(static_cast<char*>(state.get()) + kStatus);
    primitives::AtomicOp<uint32_t> op(Kind::atomic_rmw, status, __ATOMIC_RELEASE, true, {t->start_pc, 0});
    if (graph::active()) {
      primitives::WeakOp weak = op.weak(status);
      weak.update_newest();
      weak.stores();
      weak.commit_store({.value = *status}, {kReady, 0});
    } else {
      op.commit({.value = *status, .partner = op.source()});
    }
  }
  g_callback(entry);
}

}  // namespace

HEDDLE_SHIM void heddle_make_ready(MakeReady* entry) asm("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
void heddle_make_ready(MakeReady* entry) {
  static const auto real = reinterpret_cast<void (*)(MakeReady*)>(dlsym(RTLD_NEXT, "_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv"));
  real(entry);
  if (current_thread() == nullptr) return;
  g_callback = entry->callback;
  entry->callback = announced;
}
