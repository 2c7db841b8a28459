// Objects: found by address, named by their location.
#include <cstring>

#include "base/elf.h"
#include "engine/engine.h"
#include "heap/shared_views.h"
#include "races/known_access.h"
#include "races/race_detector.h"

namespace heddle::rt {

void Engine::check_use(uintptr_t address, Family family, Place place) {
  address -= family_info(family).has(kBesideWord);
  // First the memory, since nearly all uses are of memory that lives: to name the place costs more than the rest.
  if (!granules().any_freed() || !granules().holds_freed(address)) return;
  const uintptr_t pc = sites()[spot_of(*tls_thread, place).site].pc;
  race_detector_use(tls_thread->index, address, pc, family_info(family).noun);
}

uintptr_t Engine::home_of(uintptr_t address) {
  return __builtin_expect(shared_views().any(), 0) ? shared_views().home(address) : address;
}

Object* Engine::find_object(uintptr_t address) {
  uint32_t* slot = object_by_address_.find(home_of(address));
  return slot != nullptr && *slot != 0 ? &objects_[*slot] : nullptr;
}

// Memory that is mapped several times now has another canonical address. Its objects move to that address.
void Engine::memory_moved(uintptr_t from, uintptr_t to, size_t size) {
  for (Object& o : objects_) {
    if (o.address - from >= size || o.index == 0) continue;
    const auto key = [&o] { return o.family == Family::annotated ? annotated_key(o.address) : o.address; };
    uint32_t* const slot = object_by_address_.find(key());
    const bool alive = slot != nullptr && *slot == o.index;
    if (alive) *slot = 0;
    o.address = o.address - from + to;
    bool inserted;
    if (alive) object_by_address_.find_or_insert(key(), inserted) = o.index;
  }
}

// From now on all lookups use the canonical address.
void Engine::memory_aliased() {
  if (!watched_) end_unwatched();
  race_detector_aliased();
  for (Pending* p : live_) take_path(*p->owner);
}

// Memory that holds an object is overwritten or changes its owner. An object that represents plain memory survives writes.
bool Engine::object_overwritten(uintptr_t address, bool written) {
  const Object* o = engine().find_object(address);
  // A futex represents the threads that wait on a word. Its users write to the word, with an atomic or without, and the waiters stay.
  if (o != nullptr && written && (o->family == Family::plain || family_info(o->family).has(kBesideWord))) return false;
  if (o != nullptr && written && tls_thread != nullptr && tls_thread->initialises == o->address) return false;  // see initialised()
  engine().forget_object(address);
  // An annotation describes the purpose of the memory. Writing to it does not end that.
  const uint32_t* annotated = g_engine.object_by_address_.find(annotated_key(home_of(address)));
  if (annotated == nullptr || *annotated == 0) return true;
  if (written) return false;
  engine().forget_annotated(address);
  return true;
}

bool Engine::initialised(uintptr_t address) {
  Object* const o = find_object(address);
  if (o == nullptr) return false;
  bool coming = false, inside = false;
  for (const Pending* p : live_) {
    if (p->object != o || p->owner == tls_thread) continue;
    (begins_use(*p) ? coming : inside) = true;
  }
  if (inside || !coming) return forget_object(address), false;
  o->destroyed = o->refused = o->modelled = false;
  o->holder = 0;
  o->last_acquire_event = o->destroy_event = kNoEvent;
  memset(o->state, 0, sizeof o->state);
  return true;
}

void Engine::forget_object(uintptr_t address) {
  uint32_t* const slot = object_by_address_.find(home_of(address));
  if (slot == nullptr) return;
  if (graph::active() && *slot != 0) graph::execution_graph().end_location(*slot);
  if (*slot != 0) objects_[*slot].forgotten = true;
  *slot = 0;
}

// Most memory is told apart by a hint; else by the granules' marks.
Object* Engine::visible_object(uintptr_t address, size_t size) {
  constexpr uintptr_t kReach = Object::kVisibleReach;
  if (__builtin_expect(shared_views().any(), 0)) address = home_of(address);
  if (size <= kReach && !visible_plain_.may_meet_touched(address)) return nullptr;
  Object* found = nullptr;
  uint64_t best = 0;
  shadow().visit_known((address - kReach) & ~uintptr_t{7}, size + 2 * kReach, [&](uintptr_t granule, const Granule& g) {
    for (uintptr_t at = granule; g.objects != 0 && at < granule + 8; ++at) {
      if ((g.objects >> (at & 7) & 1) == 0 || at >= address + size) continue;
      Object* const o = find_object(at);
      if (o == nullptr || o->visible_bytes == 0 || at + o->visible_bytes <= address) continue;
      const uint64_t rank = static_cast<uint64_t>(o->last_thread != tls_thread->index) << 32 | o->last_step;
      if (found == nullptr || rank > best) found = o, best = rank;
    }
  });
  return found;
}

Object& Engine::object(uintptr_t address, Family family, Place place) {
  if (__builtin_expect(granules().any_freed(), 0) && !family_info(family).has(kBesideWord)) check_use(address, family, place);
  if (__builtin_expect(shared_views().any(), 0)) address = home_of(address);
  bool inserted;
  uint32_t& slot = object_by_address_.find_or_insert(family == Family::annotated ? annotated_key(address) : address, inserted);
  if (slot != 0 && objects_[slot].family == family) return objects_[slot];
  if (graph::active() && slot != 0) graph::execution_graph().end_location(slot);
  check(!objects_.full(), "more than 1,048,576 synchronisation objects in one execution");
  const uint32_t index = static_cast<uint32_t>(objects_.size());
  slot = index;
  Object& o = objects_.push();
  memset(&o, 0, sizeof o);
  o.address = address;
  o.index = index;
  o.family = family;
  o.id = name_object(address, place);
  if (family == Family::annotated) o.id = mix(o.id, 3) | 1;
  o.written_by = kNoEvent;
  o.last_write_event = kNoEvent;
  o.last_acquire_event = kNoEvent;
  o.destroy_event = kNoEvent;
  recorder().objects.push() = {o.id, 0, kNoEvent};
  race_detector_object(address);
  return o;
}

// An object is named by its location, if the location is the same in each run. A global has its symbol. A local has its owner's lineage and
// its place on that stack. Anything else is named by its first use, also a thread-local variable: where it lies above the thread's first
// frame depends on the libraries of the process.
ObjectId Engine::name_object(uintptr_t address, Place place) {
  Thread& t = *tls_thread;
  if (is_main_executable(address)) {
    if (const Symbol* s = find_symbol(address)) {
      uint64_t h = address - s->start;
      for (const char* c = s->name; *c != 0; ++c) h = (h ^ static_cast<unsigned char>(*c)) * 0x100000001B3ull;
      return mix(h, 1) | 1;
    }
  }
  const auto first_frame = [](const Thread& owner) { return reinterpret_cast<uintptr_t>(fiber::stack_base(owner.fiber)); };
  const auto is_local = [&](const Thread& owner) { return owner.on_stack(address) && address < first_frame(owner); };
  const auto stack_name = [&](const Thread& owner) { return mix(owner.id, first_frame(owner) - address) | 1; };
  if (is_local(t)) return stack_name(t);
  for (Pending* p : live_) {
    if (is_local(*p->owner)) return stack_name(*p->owner);
  }
  const uint64_t first_use = mix(t.id, mix(spot_of(t, place).id, 0)) | 1;
  return mix(first_use, next_occurrence(first_use)) | 1;
}

}  // namespace heddle::rt
