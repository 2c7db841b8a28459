// The tree of contexts: a context is cancelled together with its descendants.
#ifndef HEDDLE_DETAIL_CONTEXT_STATE_H_
#define HEDDLE_DETAIL_CONTEXT_STATE_H_

#include <heddle/detail/operations.h>

#include <cstring>

namespace heddle {

enum class context_error : uint8_t {
  none,               // not over
  canceled,           // the context or an ancestor was cancelled
  deadline_exceeded,  // its deadline has passed
};

namespace detail {

// Only the done channel says whether the context is over. `canceled` is set before a cancel closes
// that channel, and not if it closes by itself. A child keeps its parent alive. The lock of the
// root guards the lists of the whole tree. Under control no lock is needed: the only operations
// here are the closes of the channels.
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

// From now on the channel does not close by itself. False if it already has.
HEDDLE_UNSEEN inline bool disarm(ChannelState& channel) {
  if (!under_control()) return real::disarm(channel);
  if (channel.closed != 0 || channel.due <= now()) return false;
  channel.due = HEDDLE_NEVER;
  heddle_channel_touched(&channel);
  return true;
}

// Contexts that a call has cancelled. It closes them after it has unlocked the tree, and holds a
// reference to each until then.
struct Cancelled {
  ContextState* first;
  ContextState* last;
};

// If a deadline has passed, those of all children have passed.
HEDDLE_UNSEEN inline void mark_cancelled(ContextState* context, Cancelled& list) {
  if (context->canceled || !disarm(*context->done)) return;
  // A context that is being destroyed has no more users and no children.
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

// Makes a context with one reference. `parent` is null for the background.
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
