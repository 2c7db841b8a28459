// heddle fuzzes the schedules of concurrent programs. A harness includes this header.
//
//   #include <heddle/heddle.h>
//
//   HEDDLE_FUZZ_TEST(bounded_queue) {
//     Queue queue(heddle::payload().size() % 4 + 1);
//     std::thread producer([&] { queue.push(1); });
//     std::thread consumer([&] { queue.pop(); });
//     producer.join();
//     consumer.join();
//   }
//
// Build it with `heddle-clang++ bounded_queue_fuzz.cc -o bounded_queue_fuzz`, or in CMake with
// `heddle_add_fuzz_target(bounded_queue_fuzz bounded_queue_fuzz.cc)`, and run it like any libFuzzer binary. A harness that
// already has an `LLVMFuzzerTestOneInput(data, size)` needs no change, and does not need this header.
//
// What a body can rely on:
//   - Every execution starts from the same state: global variables, function-local statics and thread_locals have the
//     values from before the first execution. So has the heap memory from then that they lead to. Limits:
//     docs/reference/limits.md#state-between-executions.
//   - Create, join and synchronise threads as usual. A thread that is still blocked when the body returns is reported.
//     Clocks and sleeps are virtual: a sleep takes no real time.
//   - A failed assertion, an abort, a sanitizer report, a deadlock and a crash are findings.
//
// The header needs C++17 or C11. It needs nothing from heddle at link time: code that includes it also builds and runs
// without the runtime. A HEDDLE_FUZZ_TEST then runs on real threads, and the program says so in one line when it starts. If that is
// what you want, for example with ThreadSanitizer, compile with -DHEDDLE_REAL_THREADS: it then says nothing. In C there are HEDDLE_FUZZ_TEST, heddle_payload(), heddle_under_control() and the macros at the end.
#ifndef HEDDLE_HEDDLE_H_
#define HEDDLE_HEDDLE_H_

#if defined(__clang__)
// The runtime does not see such a function: reading the input is not an event of the program. The second attribute is for
// clang 14. Without it, clang 14 inlines the function into an instrumented one and counts its branches.
#define HEDDLE_UNSEEN __attribute__((disable_sanitizer_instrumentation, no_sanitize("thread", "coverage")))
#else
#define HEDDLE_UNSEEN __attribute__((no_sanitize_thread))
#endif

// Messages for a second HEDDLE_FUZZ_TEST. In the same file, the compiler prints the first text. In another file, the linker names the symbol.
#define HEDDLE_DETAIL_SECOND_FUZZ_TEST \
  "a second HEDDLE_FUZZ_TEST in this file: a program has one. Put each into a file of its own, and build a program from each file"
#define HEDDLE_DETAIL_FUZZ_TEST_MARK "only_one_HEDDLE_FUZZ_TEST_in_a_program__build_a_program_for_each"
#define HEDDLE_DETAIL_REDECLARED(declaration) \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wredundant-decls\"") declaration _Pragma("GCC diagnostic pop")

// What heddle's wrappers compile is linked with the runtime, or not at all: they include a header of this name in front of it.
#if defined(HEDDLE_REAL_THREADS) || defined(HEDDLE_DETAIL_ASSEMBLY_ATOMICS_H_)
#define HEDDLE_DETAIL_REAL_THREADS(name)
#else
// The name is for the assembler alone: the program need not have declared it, or may have declared it otherwise.
#define HEDDLE_DETAIL_REAL_THREADS(name)                                                                                           \
  long heddle_detail_write_of_##name(int, const void*, unsigned long) __asm__("write");                                            \
  __attribute__((constructor)) HEDDLE_UNSEEN static void heddle_detail_real_threads_of_##name(void) {                              \
    static const char line[] = "heddle: note: " #name " runs on real threads: the program is built without heddle. "               \
                               "Build it with heddle-clang++ or heddle_add_fuzz_target, or with -DHEDDLE_REAL_THREADS if you "     \
                               "want real threads\n";                                                                              \
    if (!heddle_under_control && heddle_detail_write_of_##name(2, line, sizeof line - 1) < 0) return;                              \
  }
#endif

#ifndef __cplusplus
#include "heddle/detail/c_harness.h"
#else
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

extern "C" {
// The runtime defines it. In a program without the runtime it is null.
__attribute__((weak)) int heddle_under_control(void);
}

namespace heddle {

// True on a thread that heddle schedules, which means: inside an execution of a fuzz target. Use it for code that must
// behave differently there, for example with a smaller table or a fixed seed.
HEDDLE_UNSEEN inline bool under_control() { return heddle_under_control != nullptr && heddle_under_control() != 0; }

// A view of bytes that the execution owns. It is valid until the body returns, and converts to std::span<const uint8_t>.
class Payload {
 public:
  constexpr Payload() = default;
  constexpr Payload(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  constexpr const uint8_t* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const uint8_t* begin() const { return data_; }
  constexpr const uint8_t* end() const { return data_ + size_; }
  // REQUIRES: i < size().
  constexpr uint8_t operator[](size_t i) const { return data_[i]; }

 private:
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

namespace detail {
inline Payload current_payload;
HEDDLE_UNSEEN inline void set_payload(const uint8_t* data, size_t size) { current_payload = Payload(data, size); }
}  // namespace detail

// The data bytes of the input: the part that is not the schedule. They can be empty, so a harness must do something
// useful without them. Any thread of the execution can call it.
HEDDLE_UNSEEN inline Payload payload() { return detail::current_payload; }

// Reads values from the payload, one after the other. After the end it returns zeros. A reader belongs to one thread:
// make one for each thread, or read before the threads start.
//
//   heddle::PayloadReader in;
//   const int producers = 1 + in.below(4);
class PayloadReader {
 public:
  PayloadReader() : rest_(payload()) {}
  explicit PayloadReader(Payload bytes) : rest_(bytes) {}

  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable<T>::value, "only trivially copyable values can be read from bytes");
    T value{};
    const size_t n = rest_.size() < sizeof(T) ? rest_.size() : sizeof(T);
    if (n != 0) std::memcpy(&value, rest_.data(), n);
    rest_ = Payload(rest_.data() + n, rest_.size() - n);
    return value;
  }
  // A number in [0, limit), from one byte (limit up to 256) or four. REQUIRES: limit > 0.
  uint32_t below(uint32_t limit) {
    return limit <= 256 ? take<uint8_t>() % limit : take<uint32_t>() % limit;
  }
  bool flag() { return (take<uint8_t>() & 1) != 0; }
  Payload rest() const { return rest_; }

 private:
  Payload rest_;
};

}  // namespace heddle

// The first HEDDLE_FUZZ_TEST in a file adds an overload. A second one finds it.
char (&heddle_detail_fuzz_tests(...))[1];

// Defines a fuzz target; its body follows. A program can have only one: for several targets, build several programs. (In C++ the engine's function
// has another name, so that our message is the only error for a second test.)
#define HEDDLE_FUZZ_TEST(name)                                                                                                     \
  static_assert(sizeof(heddle_detail_fuzz_tests(0)) == 1, HEDDLE_DETAIL_SECOND_FUZZ_TEST);                                         \
  HEDDLE_DETAIL_REDECLARED(char (&heddle_detail_fuzz_tests(int))[2];)                                                              \
  static void heddle_body_of_##name();                                                                                             \
  extern "C" {                                                                                                                     \
  extern const char heddle_detail_mark_of_##name __asm__(HEDDLE_DETAIL_FUZZ_TEST_MARK);                                            \
  const char heddle_detail_mark_of_##name = 1;                                                                                     \
  int heddle_entry_of_##name(const uint8_t* data, size_t size) __asm__("LLVMFuzzerTestOneInput");                                  \
  int heddle_entry_of_##name(const uint8_t* data, size_t size) {                                                                   \
    ::heddle::detail::set_payload(data, size);                                                                                     \
    heddle_body_of_##name();                                                                                                       \
    return 0;                                                                                                                      \
  }                                                                                                                                \
  HEDDLE_DETAIL_REAL_THREADS(name)                                                                                                 \
  }                                                                                                                                \
  static void heddle_body_of_##name()

#define HEDDLE_C_LINKAGE(...) extern "C" { __VA_ARGS__ }
#endif  // __cplusplus

// Put it on the definition of a variable at namespace scope: heddle then keeps its value from one execution to the next, and the
// heap memory that it leads to. Use it for data that is expensive to set up. Use it also for an owner whose memory an execution
// frees under AddressSanitizer, where that memory cannot be restored. The behaviour of an execution must not depend on the kept
// value.
//
//   HEDDLE_KEEP static std::map<std::string, int> cache;
#define HEDDLE_KEEP __attribute__((section("heddle_keep")))

// Put it at file scope, once in a binary: heddle then restores no variable between executions. The body must itself
// start from the same state each time. Otherwise findings do not replay in another process.
#define HEDDLE_KEEP_EVERYTHING() HEDDLE_C_LINKAGE(extern const char heddle_keep_everything; const char heddle_keep_everything = 1;)

#endif  // HEDDLE_HEDDLE_H_
