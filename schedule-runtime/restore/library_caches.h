// What a C++ library computes on first use and then keeps for the process.
#pragma once

namespace heddle::rt {

// Called before the first execution. Otherwise the execution that uses a cache first would make other accesses and operations than all
// later ones. libc++: the key for its thread-specific data. libstdc++: the character tables of std::ctype<char>::narrow and widen, which
// every std::endl and every regular expression uses, and whose code is inlined into the program. Does nothing for a library that is absent.
void fill_library_caches();

}  // namespace heddle::rt
