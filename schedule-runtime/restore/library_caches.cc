#include "restore/library_caches.h"

// Functions of the two C++ libraries, declared here by name. They are weak: a program has one of the libraries or none, and heddle needs
// neither.
extern "C" {
__attribute__((weak)) const void* heddle_classic_locale() asm("_ZNSt6locale7classicEv");
__attribute__((weak)) const void* heddle_use_ctype(const void* locale) asm("_ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale");
__attribute__((weak)) void heddle_fill_narrow(const void* ctype) asm("_ZNKSt5ctypeIcE14_M_narrow_initEv");
__attribute__((weak)) void heddle_fill_widen(const void* ctype) asm("_ZNKSt5ctypeIcE13_M_widen_initEv");
__attribute__((weak)) void* heddle_thread_local_data() asm("_ZNSt3__119__thread_local_dataEv");
}

namespace heddle::rt {

void fill_library_caches() {
  if (&heddle_thread_local_data != nullptr) heddle_thread_local_data();
  if (&heddle_classic_locale == nullptr || &heddle_use_ctype == nullptr || &heddle_fill_narrow == nullptr || &heddle_fill_widen == nullptr) return;
  const void* const ctype = heddle_use_ctype(heddle_classic_locale());
  heddle_fill_narrow(ctype);
  heddle_fill_widen(ctype);
}

}  // namespace heddle::rt
