// The tree of contexts that are cancelled together.
#ifndef HEDDLE_DETAIL_CONTEXT_STATE_H_
#define HEDDLE_DETAIL_CONTEXT_STATE_H_

#include <heddle/detail/operations.h>

#include <cstring>

namespace heddle {

enum class context_error : uint8_t {
  none,               // it goes on
  canceled,           // somebody cancelled it, or a context that it was made from
  deadline_exceeded,  // its time is over
};

namespace detail {

// Its done channel is all that says whether it is over; `canceled` is set before somebody closes
// it, and not when it closes by itself. A child keeps its parent; the parent's list is guarded by
// the lock of the tree, which is the root's. Under control no lock is needed: nothing here is an
// operation but the closing of the channels.
struct ContextState {
  uint32_t references;
  real::Lock lock;
  ContextState* root;
  ContextState* parent;
  ContextState* first_child;
  ContextState* next_sibling;
  ContextState* previous_sibling;
  ContextState* next_cancelled;
  ChannelState* done;
  uint64_t deadline;
  bool canceled;
};

class TreeLocked {
 public:
  HEDDLE_UNSEEN explicit TreeLocked(ContextState* any)
      : lock_(under_control() ? nullptr : &any->root->lock) {
    if (lock_ != nullptr) lock_->lock();
  }
  HEDDLE_UNSEEN ~TreeLocked() {
    if (lock_ != nullptr) lock_->unlock();
  }
  TreeLocked(const TreeLocked&) = delete;
  TreeLocked& operator=(const TreeLocked&) = delete;

 private:
  real::Lock* const lock_;
};

HEDDLE_UNSEEN inline void drop_context(ContextState* context) {
  while (context != nullptr && drop(&context->references)) {
    ContextState* parent = context->parent;
    if (parent != nullptr) {
      TreeLocked locked(context);
      (context->previous_sibling != nullptr ? context->previous_sibling->next_sibling
                                            : parent->first_child) = context->next_sibling;
      if (context->next_sibling != nullptr)
        context->next_sibling->previous_sibling = context->previous_sibling;
    }
    drop_channel(context->done);
    ::operator delete(context);
    context = parent;
  }
}

// From now on the channel does not close by itself. False if it has.
HEDDLE_UNSEEN inline bool disarm(ChannelState& channel) {
  if (!under_control()) return real::disarm(channel);
  if (channel.closed != 0 || channel.due <= now()) return false;
  channel.due = HEDDLE_NEVER;
  heddle_channel_touched(&channel);
  return true;
}

// Those that a call has cancelled, and has to close when the tree is free again. Each is kept.
struct Cancelled {
  ContextState* first;
  ContextState* last;
};

// A context whose time is over has only children whose time is over.
HEDDLE_UNSEEN inline void mark_cancelled(ContextState* context, Cancelled& list) {
  if (context->canceled || !disarm(*context->done)) return;
  // One that is going away has no more users, nor children.
  if (!keep_if_any(&context->references)) return;
  context->canceled = true;
  context->next_cancelled = nullptr;
  (list.last != nullptr ? list.last->next_cancelled : list.first) = context;
  list.last = context;
}

HEDDLE_UNSEEN inline void cancel(ContextState* context, Caller caller) {
  Cancelled list{nullptr, nullptr};
  {
    TreeLocked locked(context);
    mark_cancelled(context, list);
    for (ContextState* next = list.first; next != nullptr; next = next->next_cancelled) {
      for (ContextState* child = next->first_child; child != nullptr; child = child->next_sibling)
        mark_cancelled(child, list);
    }
  }
  while (list.first != nullptr) {
    ContextState* next = list.first;
    list.first = next->next_cancelled;
    try_close(next->done, caller);
    drop_context(next);
  }
}

// With one reference. `parent`: null for the background.
HEDDLE_UNSEEN inline ContextState* make_context(ContextState* parent, uint64_t deadline,
                                                uint32_t cell_size, Caller caller) {
  if (parent != nullptr && parent->deadline < deadline) deadline = parent->deadline;
  const auto timer = deadline == HEDDLE_NEVER ? heddle_timer_none : heddle_timer_closes;
  ChannelState* done = make_channel(0, {cell_size, false, nullptr, timer, deadline, 0}, caller);
  void* block;
  try {
    block = ::operator new(sizeof(ContextState));
  } catch (...) {
    drop_channel(done);
    throw;
  }
  auto* context = static_cast<ContextState*>(std::memset(block, 0, sizeof(ContextState)));
  context->references = 1;
  context->done = done;
  context->deadline = deadline;
  context->root = parent != nullptr ? parent->root : context;
  if (parent == nullptr) return context;
  keep(&parent->references);
  context->parent = parent;
  bool too_late;
  {
    TreeLocked locked(parent);
    too_late = parent->canceled;
    context->next_sibling = parent->first_child;
    if (parent->first_child != nullptr) parent->first_child->previous_sibling = context;
    parent->first_child = context;
  }
  if (too_late) cancel(context, caller);
  return context;
}

}  // namespace detail
}  // namespace heddle

#endif  // HEDDLE_DETAIL_CONTEXT_STATE_H_
