#include "graph/psc.h"

namespace heddle::rt::graph {

// The sets are initialised when their event is added.
void Psc::begin(const order::Memory& memory) {
  nodes_ = static_cast<Node*>(memory.get(kMostEvents * sizeof(Node)));
  reaches_ = static_cast<Set*>(memory.get(kMostEvents * sizeof(Set)));
  exact_ = true;
  count_ = 0;
  seq_cst_ = fences_ = stores_ = {};
}

// Which events happen before the next event of the thread. `more`: what that event acquires.
Psc::Set Psc::in_past(uint32_t thread, const order::VectorClock& past, const order::VectorClock* more) const {
  Set s;
  for (uint32_t i = 0; i < count_; ++i) {
    const Node& n = nodes_[i];
    if (n.thread == thread || past.covers(n.thread, n.epoch) || (more != nullptr && more->covers(n.thread, n.epoch))) s.add(i);
  }
  return s;
}

Psc::Set Psc::events_at(uint32_t object) const {
  Set s;
  for (uint32_t i = 0; i < count_; ++i) {
    if (nodes_[i].object == object) s.add(i);
  }
  return s;
}

Psc::Set Psc::above(const Location& x, uint32_t position) {
  Set s;
  for (uint32_t p = x.newest(); p > position; --p) {
    if (x.at(p).node != kNoNode) s.add(x.at(p).node);
  }
  return s;
}

Psc::Set Psc::readers_of(const Set& stores) const {
  Set s;
  stores.each([&](uint32_t i) { s.add(nodes_[i].readers); });
  return s;
}

Psc::Set Psc::base_of(uint32_t object, uint32_t thread, const Set& past, const Set* below) const {
  Set s;
  for (uint32_t i = 0; i < count_; ++i) {
    const Node& n = nodes_[i];
    if (n.thread == thread) {
      s.add(n.left);                                               // po
      if (object == 0 || n.object != object) s.add(n.through);     // po≠loc ; hb ; po≠loc
    } else if (object != 0 && n.object == object) {
      const bool reads_below = below != nullptr && !stores_.has(i) && (n.source == kNoNode || below->has(n.source));
      if (past.has(i) || (below != nullptr && (below->has(i) || reads_below))) s.add(n.left);  // hb|loc, mo, rb
    }
  }
  return s;
}

// The seq_cst events that an edge to these stores leads to.
Psc::Set Psc::targets(const Set& above, bool readers_too) const {
  Set s = above & seq_cst_;
  Set ends = above;
  if (readers_too) ends.add(readers_of(above));
  fences_.each([&](uint32_t f) {
    if (nodes_[f].past.meets(ends)) s.add(f);
  });
  return s;
}

bool Psc::admits(const Location& x, const Step& step, bool seq_cst, uint32_t position, const order::VectorClock* acquires) const {
  // A store comes to this position, so what is there now comes above it.
  const Set higher = above(x, step.act == Act::store ? position - 1 : position);
  if (!higher.any()) return true;
  const Set past = in_past(step.thread, *step.past, acquires);
  const Set before = past & fences_;
  bool good = true;
  if (before.any()) {
    targets(higher, true).each([&](uint32_t y) { good = good && !before.has(y) && !reaches_[y].meets(before); });
  }
  if (!seq_cst || !good) return good;
  const Set ends = targets(higher, false);
  if (!ends.any()) return true;
  const bool stores = step.act != Act::load;
  const Set below = (events_at(x.object) & stores_).without(higher);
  const Set in = base_of(x.object, step.thread, past, stores ? &below : nullptr);
  ends.each([&](uint32_t y) { good = good && !in.has(y) && !reaches_[y].meets(in); });
  return good;
}

Psc::Node& Psc::make(uint32_t thread, uint32_t epoch, uint32_t object, bool seq_cst, const order::VectorClock& past) {
  Node& n = nodes_[count_];
  n = {.thread = thread, .epoch = epoch, .object = object, .source = kNoNode};
  reaches_[count_] = {};
  if (!any() && !seq_cst) return n;
  n.past = in_past(thread, past, nullptr);
  n.left = n.past & fences_;
  for (uint32_t i = 0; i < count_; ++i) {
    const Node& other = nodes_[i];
    if (other.thread == thread && (object == 0 || other.object != object)) n.differs.add(other.left);
  }
  n.past.each([&](uint32_t i) { n.through.add(nodes_[i].differs); });
  return n;
}

void Psc::edges(const Set& from, uint32_t to) {
  Set reached = reaches_[to];
  reached.add(to);
  seq_cst_.each([&](uint32_t i) {
    if ((from.has(i) || reaches_[i].meets(from)) && i != to) reaches_[i].add(reached);
  });
}

uint16_t Psc::add(const Location& x, uint32_t position, const Added& how) {
  if (count_ == kMostEvents) exact_ = false;
  if (!exact_) return kNoNode;
  const uint32_t me = count_;
  Node& n = make(how.thread, how.epoch, x.object, how.seq_cst, *how.past);
  if (how.reads) {
    const uint32_t read = how.stores ? position - 1 : position;
    n.source = read >= x.oldest() ? x.at(read).node : kNoNode;
    if (n.source != kNoNode) nodes_[n.source].readers.add(me);
  }
  if (any() || how.seq_cst) {
    const Set higher = above(x, position);
    const Set below = (events_at(x.object) & stores_).without(higher);
    n.base = base_of(x.object, how.thread, n.past, how.stores ? &below : nullptr);
    // eco: the stores below (and the one that it reads), and those who have read stores below.
    Set lower = below;
    if (!how.stores && n.source != kNoNode) {
      Set strictly = below;
      strictly.words[n.source / 64] &= ~(1ull << (n.source % 64));
      lower.add(readers_of(strictly));
    } else {
      lower.add(readers_of(below));
    }
    for (uint32_t i = 0; i < count_; ++i) {
      if (nodes_[i].object == x.object && !stores_.has(i) && nodes_[i].source == kNoNode && (how.stores || n.source != kNoNode)) lower.add(i);
    }
    lower.each([&](uint32_t i) { n.eco.add(nodes_[i].left & fences_); });
    if (how.seq_cst) n.left.add(me);
    const Set fences = n.left & fences_;
    higher.each([&](uint32_t b) {
      nodes_[b].base.add(n.left);
      nodes_[b].eco.add(fences);
    });
    readers_of(higher).each([&](uint32_t r) { nodes_[r].eco.add(fences); });
    ++count_;
    if (how.stores) stores_.add(me);
    if (how.seq_cst) {
      seq_cst_.add(me);
      edges(n.base, me);
      targets(higher, false).each([&](uint32_t y) {
        Set from;
        from.add(me);
        edges(from, y);
      });
    }
    if (fences.any()) targets(higher, true).each([&](uint32_t y) { edges(fences, y); });
    return static_cast<uint16_t>(me);
  }
  ++count_;
  if (how.stores) stores_.add(me);
  return static_cast<uint16_t>(me);
}

void Psc::add_fence(uint32_t thread, uint32_t epoch, const order::VectorClock& past) {
  if (count_ == kMostEvents) exact_ = false;
  if (!exact_) return;
  const uint32_t me = count_;
  Node& n = make(thread, epoch, 0, true, past);
  n.base = base_of(0, thread, n.past, nullptr);
  Set in = n.base;
  in.add(n.past & fences_);  // psc_F: hb
  n.past.each([&](uint32_t y) {
    in.add(nodes_[y].base);
    in.add(nodes_[y].eco);
  });
  n.left.add(me);
  ++count_;
  seq_cst_.add(me);
  fences_.add(me);
  edges(in, me);
}

}  // namespace heddle::rt::graph
