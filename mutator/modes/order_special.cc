#include <algorithm>

#include "mutator/knowledge/special_order.h"
#include "mutator/modes/order_start.h"

namespace heddle::mutator {
namespace {

constexpr size_t kMost = 64;
constexpr size_t kLooked = 64;  // operations of one object

class Specials {
 public:
  explicit Specials(const OrderSource& source) : source_(source) {}

  std::vector<EventChain> all() {
    for (const auto& cycle : source_.relations().lock_cycles()) chains_.emplace_back(cycle.begin(), cycle.end());
    for (uint32_t o = 1; o < source_.run().objects.size(); ++o) each_pair(o, &Specials::known_shape);
    for (uint32_t o = 1; o < source_.run().objects.size(); ++o) each_pair(o, &Specials::atomics);
    closed_selects();
    return std::move(chains_);
  }

 private:
  // Every pair <a, b> of operations on one object that the run had in the order b, a, or did not finish.
  void each_pair(uint32_t object, void (Specials::*look)(uint32_t, uint32_t)) {
    const auto list = source_.relations().on_object(object);
    const size_t n = std::min(list.size(), kLooked);
    for (size_t j = 0; j < n; ++j) {
      for (size_t i = 0; i < n; ++i) {
        const uint32_t a = list[i], b = list[j];
        if (source_.thread(a) == source_.thread(b) || !source_.eligible(a) || !source_.eligible(b)) continue;
        const bool over = source_.event(a).finished() && source_.event(b).finished();
        if (i > j || !over) (this->*look)(a, b);
      }
    }
  }

  // If channels or wait groups order the two, that is intended. But locks only show what happened in this run.
  bool free(uint32_t a, uint32_t b) const {
    const Kind kind = source_.event(a).kind;
    const bool message = kind == Kind::channel_close || kind == Kind::wait_group_add;
    return message ? source_.strongly_concurrent(a, b) : source_.concurrent(a, b);
  }

  void known_shape(uint32_t a, uint32_t b) {
    const Event &x = source_.event(a), &y = source_.event(b);
    const bool once = x.kind == Kind::once_begin && y.kind == Kind::once_begin && x.outcome == Outcome::failure &&
                      y.outcome == Outcome::success;  // the other one runs the function
    const bool group = x.kind == Kind::wait_group_add && y.kind == Kind::wait_group_add && delta(a) < 0 && delta(b) > 0;
    if ((once || group || special_order(x, y)) && free(a, b)) add(a, b);
  }

  void atomics(uint32_t a, uint32_t b) {
    const Event &x = source_.event(a), &y = source_.event(b);
    if (!kind_info(x.kind).has(kAtomic) || !conflicting(x.kind, y.kind) || !source_.concurrent(a, b)) return;
    add(a, b);
  }

  // A select whose send case would find its channel closed.
  void closed_selects() {
    for (const SelectCase& c : source_.run().select_cases) {
      if (c.direction != static_cast<uint8_t>(CaseDirection::send) || c.object == 0) continue;
      for (uint32_t close : source_.relations().on_object(c.object)) {
        if (source_.event(close).kind == Kind::channel_close && source_.thread(close) != source_.thread(c.event) &&
            source_.strongly_concurrent(close, c.event)) {
          add(close, c.event);
        }
      }
    }
  }

  // How much the operation changed the count of its wait group. That is its recorded value.
  int32_t delta(uint32_t e) const {
    int32_t before = 0;
    for (uint32_t i : source_.relations().on_object(source_.event(e).object)) {
      if (i == e) break;
      if (source_.event(i).kind == Kind::wait_group_add) before = static_cast<int32_t>(source_.event(i).value);
    }
    return static_cast<int32_t>(source_.event(e).value) - before;
  }

  // One chain for each pair of sites. Otherwise rounds of a loop would fill the list.
  void add(uint32_t a, uint32_t b) {
    if (chains_.size() >= kMost) return;
    const bool known = std::any_of(chains_.begin(), chains_.end(), [&](const EventChain& c) {
      return c.size() == 2 && source_.event(c[0]).site == source_.event(a).site &&
             source_.event(c[1]).site == source_.event(b).site && source_.event(c[0]).object == source_.event(a).object;
    });
    if (!known) chains_.push_back({a, b});
  }

  const OrderSource& source_;
  std::vector<EventChain> chains_;
};

}  // namespace

std::vector<EventChain> special_chains(const OrderSource& source) { return Specials(source).all(); }

}  // namespace heddle::mutator
