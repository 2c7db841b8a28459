#include "analyses/report/function_name.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace heddle::rt {
namespace {

bool starts_with(const char* text, const char* prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

constexpr size_t kNameSize = 256;

// Reads identifiers with their lengths, and appends them to `out` with "::" between them. False: there is no room.
bool take_identifiers(const char*& at, bool only_one, char* out, size_t size, size_t& n) {
  while (*at >= '1' && *at <= '9') {
    size_t length = 0;
    while (*at >= '0' && *at <= '9') length = length * 10 + static_cast<size_t>(*at++ - '0');
    if (strnlen(at, length) < length || n + length + 10 > size) return false;
    const bool anonymous = length >= 12 && starts_with(at, "_GLOBAL__N_1");
    n += static_cast<size_t>(snprintf(out + n, size - n, "%s%.*s", n != 0 ? "::" : "", static_cast<int>(anonymous ? 6 : length),
                                      anonymous ? "(anon)" : at));
    at += length;
    if (only_one) break;
  }
  return true;
}

// The lambda in a function, after the function's name: "vENK3$_1clEv" is $_1, "vENKUlvE_clEv" is the first lambda. In a type, such as that
// of a thread's function, there is no "NK" and no "cl".
bool take_lambda(const char* at, bool type, char* out, size_t size, size_t& n) {
  const char* entity = strstr(at, type ? "E" : "ENK");
  if (entity == nullptr) return false;
  entity += type ? 1 : 3;
  if (entity[0] == 'U' && entity[1] == 'l') {
    const char* end = strchr(entity, '_');
    const char* number = end;
    while (number != nullptr && number > entity && number[-1] >= '0' && number[-1] <= '9') --number;
    if (end == nullptr || number[-1] != 'E' || (!type && strncmp(end, "_cl", 3) != 0)) return false;
    const unsigned nth = number == end ? 1 : static_cast<unsigned>(atoi(number)) + 2;
    n += static_cast<size_t>(snprintf(out + n, size - n, nth == 1 ? "::lambda" : "::lambda#%u", nth));
    return true;
  }
  const char* const name = entity + strspn(entity, "0123456789");
  return name != entity && starts_with(name, "$_") && take_identifiers(entity, true, out, size, n) && (type || starts_with(entity, "cl"));
}

// "C1" or "D0" after the class's name: repeat that name.
bool take_special_member(const char*& at, char* out, size_t& n) {
  if ((*at != 'C' && *at != 'D') || at[1] < '0' || at[1] > '5') return true;
  char name[kNameSize];
  const char* last = out;
  for (const char* colon = strstr(out, "::"); colon != nullptr; colon = strstr(last, "::")) last = colon + 2;
  const int size = snprintf(name, sizeof name, "::%s%s", *at == 'D' ? "~" : "", last);
  if (n + static_cast<size_t>(size) + 20 > kNameSize) return false;
  memcpy(out + n, name, static_cast<size_t>(size) + 1);
  n += static_cast<size_t>(size);
  at += 2;
  return true;
}

// "N...E" or one name, and the lambda that is local to it. `at` is after "_Z" or "Z".
bool take_name(const char* at, bool local, bool type, char* out) {
  const bool nested = *at == 'N';
  at += nested;
  while (nested && (*at == 'K' || *at == 'V')) ++at;
  if (*at == 'L') ++at;
  size_t n = 0;
  if (nested && starts_with(at, "St")) {
    n = static_cast<size_t>(snprintf(out, kNameSize, "std"));
    at += 2;
  }
  // Templates, operators and most local names are left to a real demangler.
  if (!take_identifiers(at, !nested, out, kNameSize, n) || n == 0) return false;
  if (nested && (!take_special_member(at, out, n) || *at++ != 'E')) return false;
  return !local || take_lambda(at, type, out, kNameSize, n);
}

bool of_wrapper(const char* mangled) {
  static constexpr const char* kPrefixes[] = {"_ZNSt", "_ZNKSt", "_ZSt", "_ZN6heddle", "_ZNK6heddle"};
  for (const char* prefix : kPrefixes) {
    if (starts_with(mangled, prefix)) return true;
  }
  return false;
}

}  // namespace

const char* lambda_among_types(const char* mangled) {
  static char out[kNameSize];
  if (!starts_with(mangled, "_Z")) return nullptr;
  for (const char* at = strchr(mangled + 2, 'Z'); at != nullptr; at = strchr(at + 1, 'Z')) {
    if (take_name(at + 1, true, true, out)) return out;
  }
  return nullptr;
}

const char* short_function_name(const char* mangled) {
  static char out[kNameSize];
  if (!starts_with(mangled, "_Z")) return mangled;
  // The body of a std::thread, or the call of a std::function, with an inlined lambda.
  if (const char* lambda = of_wrapper(mangled) ? lambda_among_types(mangled) : nullptr) return lambda;
  const bool local = mangled[2] == 'Z';
  return take_name(mangled + 2 + local, local, false, out) ? out : mangled;
}

}  // namespace heddle::rt
