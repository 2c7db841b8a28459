#include "harness/cli/data_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace heddle::cli {
namespace {

// "0x75 ('u')"
std::string value_text(uint8_t value) {
  const bool printable = value > ' ' && value < 0x7f;
  return fmt::format("0x{:02x}", value) +
         (printable ? fmt::format(" ('{}')", static_cast<char>(value)) : "");
}

// "0x30 ('0') to 0x39 ('9'), 0x41 ('A')"
std::string values_text(const std::vector<uint8_t>& values) {
  std::string out;
  for (size_t i = 0, end; i < values.size(); i = end) {
    for (end = i + 1; end < values.size() && values[end] == values[end - 1] + 1;) ++end;
    out += (out.empty() ? "" : ", ") + value_text(values[i]);
    if (end - i > 1) out += (end - i == 2 ? ", " : " to ") + value_text(values[end - 1]);
  }
  return out;
}

size_t runs_in(const std::vector<uint8_t>& values) {
  size_t n = 0;
  for (size_t i = 0; i < values.size(); ++i) n += i == 0 || values[i] != values[i - 1] + 1;
  return n;
}

}  // namespace

std::string data_text(const Explanation& e) {
  if (e.data.empty()) return {};
  constexpr size_t kMostRuns = 8;
  std::string out =
      "\nData bytes that decide, too, tried in the minimized schedule (counted from 0):\n";
  for (const DecidingByte& byte : e.data) {
    std::vector<uint8_t> with = byte.others;
    with.push_back(byte.value);
    std::sort(with.begin(), with.end());
    std::vector<uint8_t> without;
    for (unsigned value = 0; value < 256; ++value) {
      if (!std::binary_search(with.begin(), with.end(), value))
        without.push_back(static_cast<uint8_t>(value));
    }
    out += fmt::format("  byte {} is {}: ", byte.position, value_text(byte.value));
    if (byte.others.empty())
      out += "the finding comes with no other value\n";
    else if (runs_in(with) <= kMostRuns)
      out += fmt::format("the finding comes with {}\n", values_text(with));
    else if (runs_in(without) <= kMostRuns)
      out += fmt::format("the finding does not come with {}\n", values_text(without));
    else
      out += fmt::format("the finding comes with {} of 256 values\n", with.size());
  }
  return out;
}

std::string random_text(const Explanation& e) {
  std::string out;
  for (const RandomByte& byte : e.random) {
    const std::string where =
        byte.of_file
            ? fmt::format(
                  "byte {} of the random file that {} opens as its request {} for random bytes",
                  byte.position, thread_name(byte.thread), byte.draw)
            : fmt::format("byte {} of request {} for random bytes by {}", byte.position, byte.draw,
                          thread_name(byte.thread));
    out += fmt::format("This random byte decides: {}. It is {}.\n", where, value_text(byte.value));
    out += fmt::format(
        "  {} executions have the finding, and this byte is {} there; {} do not have it, and none "
        "of these values\n",
        byte.findings, values_text(byte.with), byte.others);
  }
  return out;
}

}  // namespace heddle::cli
