/* Stands in front of libstdc++'s header of this name. Up to C++17, it leaves the members of std::string to libstdc++.so, which is not instrumented: heddle
   would not see that two threads append to one string. With -1, a value of libstdc++'s own, they are instances of the program, as in C++20. The rest (the
   operators of streams) stays in the library. */
#if defined(_GLIBCXX_EXTERN_TEMPLATE) && _GLIBCXX_EXTERN_TEMPLATE > 0
#pragma GCC system_header
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#include_next <bits/basic_string.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
#else
#pragma GCC system_header
#include_next <bits/basic_string.tcc>
#endif
