#include "trace/contexts.h"

namespace heddle::rt {
namespace {

constexpr size_t kMaxContexts = 1 << 22;
constexpr int kHashedFrames = 4;

}  // namespace

constinit ContextTree g_contexts;

void ContextTree::initialise() {
  edges_.initialise(8);
  edges_.clear();
  nodes_.reserve(kMaxContexts);
  nodes_.clear();
  nodes_.push() = {.call_pc = 0, .parent = 0, .latest = 0, .next = 0, .site = 0, .hash = 1, .user_site = kNoUserSite};
}

uint32_t ContextTree::find_child(uint32_t parent, uintptr_t call_pc) {
  bool inserted;
  uint32_t& slot = edges_.find_or_insert(mix(parent + 1, call_pc) | 1, inserted);
  if (inserted) slot = add(parent, call_pc);
  return nodes_[nodes_[parent].latest].next = slot;
}

uint32_t ContextTree::add(uint32_t parent, uintptr_t call_pc) {
  // If a target has endless new contexts, they lose depth, and memory stays bounded.
  if (nodes_.full()) return parent;
  const uint32_t site = sites().index_of(call_pc);
  const bool user = !sites()[site].library;
  uint64_t hash = 0;
  int counted = 0;
  if (user) {
    hash = mix(hash, sites()[site].id);
    ++counted;
  }
  for (uint32_t n = parent; n != 0 && counted < kHashedFrames; n = nodes_[n].parent) {
    if (sites()[nodes_[n].site].library) continue;
    hash = mix(hash, sites()[nodes_[n].site].id);
    ++counted;
  }
  const uint32_t folded = static_cast<uint32_t>(hash ^ (hash >> 32));
  const uint32_t index = static_cast<uint32_t>(nodes_.size());
  nodes_.push() = {.call_pc = call_pc, .parent = parent, .latest = 0, .next = 0, .site = site, .hash = folded != 0 ? folded : 1,
                   .user_site = user ? site : nodes_[parent].user_site};
  return index;
}

uint32_t ShadowStack::intern() {
  Frame* known = top_;
  while (known != frames_.data() && known->node == 0) --known;
  uint32_t node = known->node;
  while (known != top_) {
    ++known;
    known->node = node = contexts().child(node, known->call_pc);
  }
  return node;
}

}  // namespace heddle::rt
