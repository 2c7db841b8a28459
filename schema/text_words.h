// The words that both directions of the text form share. Private to schema/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schema/event.h"
#include "schema/schedule.h"

namespace heddle::text {

inline constexpr std::string_view kStrategyNames[kStrategyCount] = {
    "automatic", "round_robin", "random_walk", "sticky", "pct", "pos", "surw", "writes_first", "nonpreemptive",
    "turns", "places"};
inline constexpr std::string_view kMemoryModelNames[] = {"sc", "rc11"};

// The names of the bits.
inline constexpr std::string_view kAssumptionNames[kAssumptionCount] = {"no-spurious-wakes", "patient-timeouts", "endless-threads-intended"};

struct OrderName {
  MemoryOrder order;
  std::string_view name;
};
inline constexpr OrderName kOrderNames[] = {
    {MemoryOrder::relaxed, "relaxed"}, {MemoryOrder::consume, "consume"},
    {MemoryOrder::acquire, "acquire"}, {MemoryOrder::release, "release"},
    {MemoryOrder::acq_rel, "acq_rel"}, {MemoryOrder::seq_cst, "seq_cst"},
    {MemoryOrder::plain, "plain"}};

inline std::string_view order_name(MemoryOrder order) {
  for (const OrderName& o : kOrderNames) {
    if (o.order == order) return o.name;
  }
  return kOrderNames[0].name;
}

inline std::string hex(uint64_t value, int digits = 1) {
  char buffer[16];
  int n = 0;
  for (; value != 0 || n < digits; value >>= 4) buffer[n++] = "0123456789abcdef"[value & 0xF];
  std::string out = "0x";
  while (n > 0) out += buffer[--n];
  return out;
}

inline std::string site_text(SiteId site) { return "@" + hex(site, site == kNoSite ? 1 : 16); }

// For messages and comments: one line, printable, limited length.
inline std::string printable(std::string_view text, size_t limit = 160) {
  std::string out;
  for (char c : text.substr(0, limit)) out += c >= 0x20 && c < 0x7F ? c : '?';
  if (text.size() > limit) out += "...";
  return out;
}

}  // namespace heddle::text
