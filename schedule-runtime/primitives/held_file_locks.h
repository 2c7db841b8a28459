// Which locks of files the threads of the execution have: a book beside the kernel's (file_lock.h).
#pragma once

#include "base/reserved_array.h"
#include "primitives/file_lock.h"

namespace heddle::rt::primitives {

struct HeldFileLock {
  Object* object;
  uint32_t thread;
  FileLock lock;
};

class HeldFileLocks {
 public:
  void initialise() { held_.reserve(kMost); }
  void clear();

  // Does another description have a lock that keeps this one out?
  bool in_the_way(const Object& o, const FileLock& lock) const;
  // Has its own description one like this on any of these bytes?
  bool has(const Object& o, const FileLock& lock, bool exclusive) const;
  // The kernel has given it: who is in the way here has lost it where no shim has seen it.
  void taken(Object& o, const FileLock& lock);
  // Of the description's locks only what lies outside of these bytes is left. True: there were some.
  bool cut(Object& o, const FileLock& lock);

  // A lock that is known by one of these numbers, which are about to be closed. If its description has another one, it is known by that from now on. Null: none
  // is left.
  const HeldFileLock* of_numbers(unsigned first, unsigned last);
  // Some description may have two numbers from now on.
  void duplicated() { duplicated_ = true; }

  const HeldFileLock* begin() const { return held_.begin(); }
  const HeldFileLock* end() const { return held_.end(); }

 private:
  static constexpr size_t kMost = 1 << 16;

  bool same_description(int a, int b) const;
  int other_number(int number, unsigned first, unsigned last) const;
  bool own(const HeldFileLock& h, const Object& o, const FileLock& lock) const;
  bool in_the_way(const HeldFileLock& h, const Object& o, const FileLock& lock) const;
  void note_holder(Object& o) const;
  template <typename F>
  void drop_if(F gone);

  ReservedArray<HeldFileLock> held_;
  bool duplicated_ = false;
};

}  // namespace heddle::rt::primitives
