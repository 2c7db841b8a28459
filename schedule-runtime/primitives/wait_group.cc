#include "primitives/wait_group.h"

#include "base/asan.h"

namespace heddle::rt::primitives {
namespace {

struct WaitGroupState {
  uint32_t zero_event;  // the addition that brought the count to zero
};

int64_t& count_of(const Object& o) { return *reinterpret_cast<int64_t*>(o.address); }

bool is_zero(const Pending& p) { return count_of(*p.object) == 0; }

Object& wait_group_object(int64_t* count, Place place) {
  asan_check(count, sizeof *count, false, place.pc, place.frame);
  Object& o = engine().object(reinterpret_cast<uintptr_t>(count), Family::wait_group, place);
  if (!o.modelled) {
    o.modelled = true;
    o.as<WaitGroupState>().zero_event = kNoEvent;
  }
  return o;
}

}  // namespace

bool wait_group_add(int64_t* count, int64_t delta, Place place) {
  Object& o = wait_group_object(count, place);
  Engine& e = engine();
  Pending& p = e.arrive({.kind = Kind::wait_group_add, .object = &o, .place = place});
  const bool negative = delta < 0 && *count + delta < 0;
  if (negative) {
    e.misuse(FindingType::negative_wait_group, &o, place);
    e.commit(p, {.outcome = Outcome::failure, .value = static_cast<uint32_t>(*count), .wrote = false});
    return false;
  }
  *count += delta;
  const uint32_t event = e.commit(p, {.value = static_cast<uint32_t>(*count), .news = true});
  if (*count == 0) o.as<WaitGroupState>().zero_event = event;
  return true;
}

void wait_group_wait(int64_t* count, Place place) {
  Object& o = wait_group_object(count, place);
  Pending& p = engine().arrive({.kind = Kind::wait_group_wait, .object = &o, .place = place, .may_go = is_zero});
  engine().commit(p, {.partner = o.as<WaitGroupState>().zero_event, .wrote = false});
}

}  // namespace heddle::rt::primitives
