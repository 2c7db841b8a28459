// Headers that need C++20 include this first. With an older standard, one error says so, and their declarations are left out: no errors in templates.
#ifndef HEDDLE_DETAIL_CPP20_H_
#define HEDDLE_DETAIL_CPP20_H_

#if __cplusplus > 201703L
#define HEDDLE_CPP20 1
#else
#error "heddle's channels need C++20: compile with -std=c++20"
#endif

#endif  // HEDDLE_DETAIL_CPP20_H_
