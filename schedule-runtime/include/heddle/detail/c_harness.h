/* A harness in C: the C part of heddle/heddle.h, which includes this file.

     #include <heddle/heddle.h>

     HEDDLE_FUZZ_TEST(bounded_queue) {
       size_t size;
       const uint8_t* bytes = heddle_payload(&size);
       ...
     }
*/
#ifndef HEDDLE_DETAIL_C_HARNESS_H_
#define HEDDLE_DETAIL_C_HARNESS_H_

#include <stddef.h>
#include <stdint.h>

/* Not 0 on a thread that heddle schedules. The runtime defines it; in a program without the runtime it is null. */
__attribute__((weak)) int heddle_under_control(void);

/* One for all files of the program. */
__attribute__((weak)) const uint8_t* heddle_detail_payload;
__attribute__((weak)) size_t heddle_detail_payload_size;

HEDDLE_UNSEEN static inline void heddle_detail_set_payload(const uint8_t* data, size_t size) {
  heddle_detail_payload = data;
  heddle_detail_payload_size = size;
}

/* The data bytes of the input, valid until the body returns. There can be none, so a harness must do something useful without them. */
HEDDLE_UNSEEN static inline const uint8_t* heddle_payload(size_t* size) {
  *size = heddle_detail_payload_size;
  return heddle_detail_payload;
}

/* An array without a size is compatible with arrays of all sizes. The first HEDDLE_FUZZ_TEST of a file gives it a size. A second one finds that size. */
extern char heddle_detail_fuzz_tests[];

#define HEDDLE_FUZZ_TEST(name)                                                                                                     \
  _Static_assert(_Generic(&heddle_detail_fuzz_tests, char(*)[1]: 1, default: 0), HEDDLE_DETAIL_SECOND_FUZZ_TEST);                  \
  HEDDLE_DETAIL_REDECLARED(extern char heddle_detail_fuzz_tests[2];)                                                               \
  static void heddle_body_of_##name(void);                                                                                         \
  extern const char heddle_detail_mark_of_##name __asm__(HEDDLE_DETAIL_FUZZ_TEST_MARK);                                            \
  const char heddle_detail_mark_of_##name = 1;                                                                                     \
  int heddle_entry_of_##name(const uint8_t* data, size_t size) __asm__("LLVMFuzzerTestOneInput");                                  \
  int heddle_entry_of_##name(const uint8_t* data, size_t size) {                                                                   \
    heddle_detail_set_payload(data, size);                                                                                         \
    heddle_body_of_##name();                                                                                                       \
    return 0;                                                                                                                      \
  }                                                                                                                                \
  HEDDLE_DETAIL_REAL_THREADS(name)                                                                                                 \
  static void heddle_body_of_##name(void)

#define HEDDLE_C_LINKAGE(...) __VA_ARGS__

#endif  /* HEDDLE_DETAIL_C_HARNESS_H_ */
