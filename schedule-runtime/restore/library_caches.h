// What the C++ library finds out when it is first asked, and then knows for good.
#pragma once

namespace heddle::rt {

// Before the first execution. What a library makes when it is first asked, and keeps: an execution that is the first to ask would make other accesses and operations than all
// later ones. libc++'s key for what each of its threads has at hand. And libstdc++'s tables of characters (std::ctype<char>::narrow and widen: every std::endl and every regular expression asks), whose
// code is inlined into the program. An execution that finds them empty makes other plain accesses than all later ones. A program without libstdc++ has none.
void fill_library_caches();

}  // namespace heddle::rt
