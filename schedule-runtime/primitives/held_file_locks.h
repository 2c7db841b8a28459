// Which file locks the threads of the execution hold. This is a copy of what the kernel knows (file_lock.h).
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

  // Does another description hold a lock that conflicts with this one?
  bool in_the_way(const Object& o, const FileLock& lock) const;
  // Does the same description hold such a lock on any of these bytes?
  bool has(const Object& o, const FileLock& lock, bool exclusive) const;
  // The kernel has granted it. So a recorded conflicting lock was released in a place without a shim.
  void taken(Object& o, const FileLock& lock);
  // The description keeps only its locks outside of these bytes. True: it had some inside.
  bool cut(Object& o, const FileLock& lock);

  // Looks for a lock that is recorded under one of these numbers, which are about to be closed. If its description has another number, it
  // is recorded under that from now on. Null: none is left.
  const HeldFileLock* of_numbers(unsigned first, unsigned last);
  // A description may have two numbers from now on.
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
