#include "restore/touched_state.h"

namespace heddle::rt {
namespace {

constinit TouchedState* g_touched = nullptr;

}  // namespace

bool TouchedState::touch() {
  if (touched_) return false;
  touched_ = true;
  next_ = g_touched;
  g_touched = this;
  return true;
}

void put_back_touched_state() {
  while (TouchedState* const state = g_touched) {
    g_touched = state->next_;
    state->touched_ = false;
    if (state->put_back_ != nullptr) state->put_back_();
  }
}

}  // namespace heddle::rt
