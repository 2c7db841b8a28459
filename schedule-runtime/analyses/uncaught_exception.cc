#include "analyses/uncaught_exception.h"

#include <cstdint>
#include <cstring>

namespace heddle::rt {

// std::exception_ptr, which is an address, and is returned like a class.
struct ExceptionPointer {
  void* object;
  ~ExceptionPointer() {}  // the process ends anyway
};

}  // namespace heddle::rt

// Declared under names of heddle's, because the C++ libraries declare them differently.
__attribute__((weak)) std::type_info* exception_type_in_flight() __asm__("__cxa_current_exception_type");
__attribute__((weak)) heddle::rt::ExceptionPointer exception_pointer_in_flight() __asm__("_ZSt17current_exceptionv");
extern "C" {
extern __attribute__((weak)) void* const single_base_table[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE");
extern __attribute__((weak)) void* const many_bases_table[] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE");
}

namespace heddle::rt {
namespace {

// The layouts of the C++ ABI (Itanium, 2.9.5). A class without bases has the first two words.
struct ClassInfo {
  const void* table;
  const char* name;
};
struct SingleBase : ClassInfo {
  const ClassInfo* base;
};
struct Base {
  const ClassInfo* info;
  long offset_flags;  // bit 0: virtual; the offset above the lowest 8 bits
};
struct ManyBases : ClassInfo {
  unsigned flags, count;
  Base bases[1];
};
constexpr int kDepth = 16;
constexpr size_t kWhat = 2;  // its place in the table of std::exception, after the destructors

const char* own_table(void* const* table) { return reinterpret_cast<const char*>(table + 2); }

// The part of the object that is its std::exception; null: it has none.
void* standard_exception_in(const ClassInfo& info, void* object, int depth) {
  const char* const name = info.name[0] == '*' ? info.name + 1 : info.name;
  if (strcmp(name, "St9exception") == 0) return object;
  if (depth == kDepth) return nullptr;
  if (&single_base_table != nullptr && info.table == own_table(single_base_table)) {
    return standard_exception_in(*static_cast<const SingleBase&>(info).base, object, depth + 1);
  }
  if (&many_bases_table == nullptr || info.table != own_table(many_bases_table)) return nullptr;
  const auto& many = static_cast<const ManyBases&>(info);
  for (unsigned i = 0; i < many.count; ++i) {
    const Base& base = many.bases[i];
    long offset = base.offset_flags >> 8;
    if ((base.offset_flags & 1) != 0) offset = *reinterpret_cast<const long*>(*static_cast<const char* const*>(object) + offset);
    if (void* const found = standard_exception_in(*base.info, static_cast<char*>(object) + offset, depth + 1)) return found;
  }
  return nullptr;
}

}  // namespace

const std::type_info* exception_in_flight() {
  return &exception_type_in_flight != nullptr ? exception_type_in_flight() : nullptr;
}

const void* exception_object() { return &exception_pointer_in_flight != nullptr ? exception_pointer_in_flight().object : nullptr; }

bool exception_text(char* out, size_t size) {
  if (size == 0) return false;
  void* const object = const_cast<void*>(exception_object());
  void* const standard = object != nullptr ? standard_exception_in(*reinterpret_cast<const ClassInfo*>(exception_in_flight()), object, 0) : nullptr;
  if (standard == nullptr) return false;
  using What = const char* (*)(const void*);
  const char* const text = (*static_cast<const What* const*>(standard))[kWhat](standard);
  if (text == nullptr) return false;
  size_t n = 0;
  for (; text[n] != 0 && n + 1 < size; ++n) out[n] = static_cast<unsigned char>(text[n]) < ' ' ? ' ' : text[n];
  out[n] = 0;
  return n != 0;
}

}  // namespace heddle::rt
