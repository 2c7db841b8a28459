// A cell is a value on its way through a channel: plain bytes that can be copied. A relocatable
// value is its own cell. Any other value is on the heap, and its pointer is the cell.
#ifndef HEDDLE_DETAIL_CELL_H_
#define HEDDLE_DETAIL_CELL_H_

#include <heddle/heddle.h>

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace heddle {

// True for types whose objects can be moved by copying their bytes and forgetting the original. You
// can specialise it for your own types: their channels then need no allocation for each value.
//
//   template <> struct heddle::relocatable<Message> : std::true_type {};
template <class T>
struct relocatable : std::bool_constant<std::is_trivially_move_constructible_v<T> &&
                                        std::is_trivially_destructible_v<T>> {};
template <class T>
struct relocatable<std::shared_ptr<T>> : std::true_type {};
template <class T>
struct relocatable<std::weak_ptr<T>> : std::true_type {};
template <class T, class Deleter>
struct relocatable<std::unique_ptr<T, Deleter>>
    : std::bool_constant<relocatable<typename std::unique_ptr<T, Deleter>::pointer>::value &&
                         (std::is_reference_v<Deleter> || relocatable<Deleter>::value)> {};
// libstdc++'s has a constructor of its own.
template <class T>
struct relocatable<std::default_delete<T>> : std::true_type {};

namespace detail {

// Room for one value. A full cell owns its value. Code that passes the bytes on calls emptied();
// code that puts bytes in calls filled(). The value's constructors and destructor are the user's
// functions, and are called as such.
template <class T>
class Cell {
 public:
  static constexpr bool kBoxed = !relocatable<T>::value;
  static constexpr uint32_t kSize = kBoxed ? sizeof(T*) : sizeof(T);

  HEDDLE_UNSEEN Cell() noexcept : full_(false) {}
  template <class Value>
  HEDDLE_UNSEEN Cell(std::in_place_t, Value&& value) : full_(false) {
    if constexpr (kBoxed) {
      box_ = new T(static_cast<Value&&>(value));
    } else {
      ::new (static_cast<void*>(bytes_)) T(static_cast<Value&&>(value));
    }
    full_ = true;
  }
  HEDDLE_UNSEEN ~Cell() { clear(); }
  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;

  HEDDLE_UNSEEN void* address() {
    if constexpr (kBoxed) return &box_;
    else return bytes_;
  }
  HEDDLE_UNSEEN T& value() {
    if constexpr (kBoxed) return *box_;
    else return *std::launder(reinterpret_cast<T*>(bytes_));
  }
  HEDDLE_UNSEEN bool full() const { return full_; }
  HEDDLE_UNSEEN void filled() { full_ = true; }
  HEDDLE_UNSEEN void emptied() { full_ = false; }
  HEDDLE_UNSEEN void clear() {
    if (!full_) return;
    full_ = false;
    if constexpr (kBoxed) delete box_;
    else value().~T();
  }

  // For destroying values that are left in a channel.
  static constexpr bool kTrivial = !kBoxed && std::is_trivially_destructible_v<T>;
  HEDDLE_UNSEEN static void destroy(void* bytes) {
    Cell cell;
    __builtin_memcpy(cell.address(), bytes, kSize);
    cell.filled();
  }

 private:
  union {
    T* box_;
    alignas(T) unsigned char bytes_[kBoxed ? 1 : sizeof(T)];
  };
  bool full_;
};

}  // namespace detail
}  // namespace heddle

#endif  // HEDDLE_DETAIL_CELL_H_
