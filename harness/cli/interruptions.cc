#include "harness/cli/interruptions.h"

namespace heddle::cli {
namespace {

// Null: no other thread has sent it.
const Event* sending_of(const StoredTrace& run, size_t handler) {
  const Event& h = run.events[handler];
  for (size_t i = handler; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.kind == Kind::signal_send && e.value == h.value && e.finished()) return e.thread == h.thread ? nullptr : &e;
  }
  return nullptr;
}

// A handler has the position of the operation that the thread was about to do.
bool is_interrupted(const Event& e, const Event& handler) {
  return e.thread == handler.thread && e.site == handler.site && e.kind != Kind::signal_handle;
}

}  // namespace

std::vector<Order> orders_of_interruptions(const StoredTrace& run) {
  std::vector<Order> out;
  for (size_t i = 0; i < run.events.size(); ++i) {
    const Event& handler = run.events[i];
    const Event* const sent = handler.kind == Kind::signal_handle && handler.finished() ? sending_of(run, i) : nullptr;
    if (sent == nullptr) continue;
    for (size_t k = i; k-- > 0;) {
      if (run.events[k].thread != handler.thread || !run.events[k].finished()) continue;
      out.push_back({element_of(run, run.events[k]), element_of(run, *sent)});
      break;
    }
    for (size_t k = i + 1; k < run.events.size(); ++k) {
      if (!is_interrupted(run.events[k], handler)) continue;
      out.push_back({element_of(run, *sent), element_of(run, run.events[k])});
      out.push_back({element_of(run, handler), element_of(run, run.events[k])});
      break;
    }
  }
  return out;
}

}  // namespace heddle::cli
