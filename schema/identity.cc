#include "schema/identity.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace heddle {
namespace {

// The child numbers below the main thread, in order. False: child_thread does not produce this `id`.
bool unpack_lineage(ThreadId id, std::string& out) {
  if (id == 0) return false;
  const int length = std::bit_width(id) - 1;  // bits below the mark
  if (length % 8 != 0 || length > 56) return false;
  uint64_t number = 0;
  bool inside = false;
  for (int shift = length - 8; shift >= 0; shift -= 8) {
    const uint64_t group = id >> shift & 0xFF;
    if (!inside && group == 0x80) return false;  // a leading zero group is never written
    number = number << 7 | (group & 0x7F);
    if (number > std::numeric_limits<uint32_t>::max()) return false;
    inside = (group & 0x80) != 0;
    if (!inside) {
      out += '.';
      out += std::to_string(number);
      number = 0;
    }
  }
  return !inside;
}

// Reads one canonical decimal number (no leading zeros) from the front of `text`.
bool take_number(std::string_view& text, uint32_t& out) {
  size_t n = 0;
  uint64_t value = 0;
  while (n < text.size() && text[n] >= '0' && text[n] <= '9') {
    value = value * 10 + static_cast<uint64_t>(text[n] - '0');
    if (value > std::numeric_limits<uint32_t>::max()) return false;
    ++n;
  }
  if (n == 0 || (n > 1 && text[0] == '0')) return false;
  text.remove_prefix(n);
  out = static_cast<uint32_t>(value);
  return true;
}

}  // namespace

std::string thread_name(ThreadId id) {
  std::string name = "main";
  if (unpack_lineage(id, name)) return name;
  name = "#";
  for (int shift = 60; shift >= 0; shift -= 4) name += "0123456789abcdef"[id >> shift & 0xF];
  return name;
}

ThreadId thread_by_name(std::string_view name) {
  if (name.starts_with('#')) {
    name.remove_prefix(1);
    if (name.empty() || name.size() > 16) return 0;
    ThreadId id = 0;
    for (char c : name) {
      id <<= 4;
      if (c >= '0' && c <= '9') {
        id |= static_cast<ThreadId>(c - '0');
      } else if (c >= 'a' && c <= 'f') {
        id |= static_cast<ThreadId>(c - 'a' + 10);
      } else {
        return 0;
      }
    }
    return id;
  }
  if (!name.starts_with("main")) return 0;
  name.remove_prefix(4);
  ThreadId id = kMainThread;
  while (!name.empty()) {
    if (name.front() != '.') return 0;
    name.remove_prefix(1);
    uint32_t n = 0;
    if (!take_number(name, n)) return 0;
    // A path too deep to pack becomes the hash that the runtime uses for it.
    id = child_thread(id, n);
  }
  return id;
}

}  // namespace heddle
