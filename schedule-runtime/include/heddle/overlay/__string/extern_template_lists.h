// Comes in front of libc++'s header of the same name. Up to C++17, these lists leave the members of std::string to the library, which is not instrumented
// (bits/basic_string.tcc does the same for libstdc++).
#pragma once
#pragma GCC system_header

#include_next <__string/extern_template_lists.h>
#undef _LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST
#undef _LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST
#define _LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST(function, character)
#define _LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST(function, character)
