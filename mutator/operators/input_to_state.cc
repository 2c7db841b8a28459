// Input-to-state correspondence (Aschermann et al., REDQUEEN, NDSS 2019). If the run compared a value that is also in the data bytes, it
// probably came from there. This move replaces it by the other side of the comparison. So a byte that must have a certain value need not be
// found by chance.
//
// The number of data bytes is such a value, too. Constants that match nothing in the data are used as a dictionary.
#include <algorithm>
#include <cstring>

#include "mutator/operators/chain.h"
#include "schema/codec.h"

namespace heddle::mutator {

namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kSearched = 1 << 12;  // of the data bytes
constexpr uint64_t kMostGrowth = 1 << 10;

uint64_t number(const Comparison& c, int side) {
  uint64_t value = 0;
  std::memcpy(&value, c.side[side], std::min<size_t>(c.size[side], sizeof value));
  return value;
}

uint64_t low(uint64_t value, size_t bytes) { return bytes >= 8 ? value : value & ((1ull << 8 * bytes) - 1); }

// Is a number of `size` bytes a number of `width` bytes, extended with zeros or with its sign?
bool fits(uint64_t value, size_t size, size_t width) {
  const uint64_t extended = low(static_cast<uint64_t>(static_cast<int64_t>(value << (64 - 8 * width)) >> (64 - 8 * width)), size);
  return value == low(value, width) || value == extended;
}

Bytes encoded(uint64_t value, size_t width, bool big_endian) {
  Bytes out(width);
  for (size_t i = 0; i < width; ++i) out[big_endian ? width - 1 - i : i] = static_cast<uint8_t>(value >> 8 * i);
  return out;
}

// As far as the record of the run distinguishes bytes.
bool was_read(const Context& c, size_t at) { return c.payload_reads == 0 || (c.payload_reads >> std::min<size_t>(at, 63) & 1) != 0; }

void find(const Context& c, const Bytes& bytes, const auto& found) {
  const Bytes& data = c.schedule.payload;
  const size_t end = std::min(data.size(), kSearched);
  for (size_t at = 0; at + bytes.size() <= end; ++at) {
    if (was_read(c, at) && std::memcmp(&data[at], bytes.data(), bytes.size()) == 0) found(at);
  }
}

// Overwrites the bytes at `at`. If the new ones are longer, they continue beyond the end, as far as there is room.
void overwrite(Context& c, size_t at, const Bytes& bytes) {
  Bytes& data = c.schedule.payload;
  const size_t end = std::min(at + bytes.size(), std::max(c.payload_room, data.size()));
  if (end > data.size()) data.resize(end);
  if (at < end) std::memcpy(&data[at], bytes.data(), end - at);
}

void replace(Context& c, size_t at, size_t size, const Bytes& bytes) {
  Bytes& data = c.schedule.payload;
  if (data.size() - size + bytes.size() > c.payload_room) return overwrite(c, at, bytes);
  const auto from = data.begin() + static_cast<std::ptrdiff_t>(at);
  data.insert(data.erase(from, from + static_cast<std::ptrdiff_t>(size)), bytes.begin(), bytes.end());
}

void resize(Context& c, uint64_t size) {
  Bytes& data = c.schedule.payload;
  if (size > c.payload_room || size > data.size() + kMostGrowth) return;
  const size_t before = data.size();
  data.resize(size);
  for (size_t i = before; i < size; ++i) data[i] = static_cast<uint8_t>(c.rng.next());
}

// If the value is at the end of the data, the program may have waited for it before it reads more.
void go_on_behind(Context& c, size_t end) {
  if (end >= c.schedule.payload.size() && c.rng.chance(1, 2)) resize(c, c.schedule.payload.size() + 1 + c.rng.below(4));
}

// `to` itself, or the next value after it, seen from `from`: it is not known whether the program tests for equality or for an order.
uint64_t beside(Context& c, uint64_t from, uint64_t to) {
  const bool up = from == to ? c.rng.chance(1, 2) : from < to;
  return from != to && c.rng.chance(1, 2) ? to : up ? to + 1 : to - 1;
}

struct Match {
  size_t at, width;
  bool big_endian;
  uint8_t zero = 0;  // the character for 0: for a digit in text, '0'
};

// The bytes that were read last before the comparison are probably the compared ones.
const Match& pick(Context& c, const std::vector<Match>& matches, uint16_t near) {
  const auto there = std::find_if(matches.begin(), matches.end(), [&](const Match& m) { return m.at <= near && near < m.at + m.width; });
  if (there != matches.end() && c.rng.chance(3, 4)) return *there;
  return matches[c.rng.below(static_cast<uint32_t>(matches.size()))];
}

// Replaces `from` by `to`, or by a value next to it.
bool put_number(Context& c, const Comparison& seen, uint64_t from, uint64_t to) {
  size_t size = seen.size[0];
  // Shifted to the left, as a part of a larger number may be.
  for (; size > 1 && from != 0 && from % 256 == 0 && to % 256 == 0; --size) from >>= 8, to >>= 8;
  std::vector<Match> matches;
  for (size_t width = 1; width <= size; width *= 2) {
    if (!fits(from, size, width)) continue;
    for (const bool big_endian : {false, true}) {
      if (width == 1 && big_endian) continue;
      find(c, encoded(from, width, big_endian), [&](size_t at) { matches.push_back({at, width, big_endian}); });
    }
  }
  // The value of a digit, as text parsers compute it from a character.
  if (const uint64_t character = low(from + '0', size); to <= 9 && character <= 0xFF) {
    find(c, encoded(character, 1, false), [&](size_t at) { matches.push_back({at, 1, false, '0'}); });
  }
  const bool length = size >= 4 && from == c.schedule.payload.size();
  if (length && c.rng.chance(1, matches.empty() ? 1 : 2)) {
    resize(c, beside(c, from, to));
    return true;
  }
  if (matches.empty()) return false;
  const Match& m = pick(c, matches, seen.near);
  if (from == to && c.rng.chance(3, 4)) return false;  // the way that this opened has been gone
  if (from == to || c.rng.chance(1, 4)) to = low(beside(c, from, to), size);
  to = low(to + m.zero, size);
  if (!fits(to, size, m.width)) return false;
  overwrite(c, m.at, encoded(to, m.width, m.big_endian));
  go_on_behind(c, m.at + m.width);
  return true;
}

bool put_string(Context& c, const Bytes& from, const Bytes& to) {
  if (from.empty()) return false;
  std::vector<size_t> matches;
  find(c, from, [&](size_t at) { matches.push_back(at); });
  if (matches.empty()) return false;
  const size_t at = matches[c.rng.below(static_cast<uint32_t>(matches.size()))];
  c.rng.chance(1, 2) ? replace(c, at, from.size(), to) : overwrite(c, at, to);
  go_on_behind(c, at + to.size());
  return true;
}

Bytes side(const Comparison& c, int i) { return {c.side[i], c.side[i] + c.size[i]}; }

bool is_string(const Comparison& c) { return c.kind == static_cast<uint8_t>(ComparisonKind::strings); }
bool has_constant(const Comparison& c) { return c.kind == static_cast<uint8_t>(ComparisonKind::constant); }

// Each code position is equally likely, even if one ran more often.
std::vector<const Comparison*> of_one_place(const Context& c) {
  const auto places = std::count_if(c.comparisons.begin(), c.comparisons.end(), [](const Comparison& r) { return r.nth == 0; });
  std::vector<const Comparison*> out;
  if (places == 0) return out;
  uint32_t ticket = c.rng.below(static_cast<uint32_t>(places));
  for (const Comparison& r : c.comparisons) {
    if (out.empty() ? r.nth == 0 && ticket-- == 0 : r.place == out[0]->place) out.push_back(&r);
  }
  return out;
}

bool put_other_side(Context& c) {
  const auto place = of_one_place(c);
  if (place.empty()) return false;
  const auto any = [&] { return place[c.rng.below(static_cast<uint32_t>(place.size()))]; };
  const Comparison& seen = *any();
  if (has_constant(seen)) {
    // All constants at a position, especially those of a switch, were compared with all its values.
    const Comparison& other = *any();
    return put_number(c, seen, number(seen, 0), number(has_constant(other) ? other : seen, 1));
  }
  const int from = static_cast<int>(c.rng.below(2));
  if (is_string(seen)) return put_string(c, side(seen, from), side(seen, 1 - from));
  return put_number(c, seen, number(seen, from), number(seen, 1 - from));
}

bool put_word(Context& c) {
  const auto place = of_one_place(c);
  if (place.empty()) return false;
  const Comparison& r = *place[c.rng.below(static_cast<uint32_t>(place.size()))];
  Bytes word;
  if (is_string(r)) {
    word = side(r, static_cast<int>(c.rng.below(2)));
  } else if (has_constant(r)) {
    const uint64_t value = number(r, 1);
    size_t width = 1;
    while (width < r.size[1] && !fits(value, r.size[1], width)) width *= 2;
    word = encoded(value, width, c.rng.chance(1, 2));
  }
  if (word.empty()) return false;
  const auto size = static_cast<uint32_t>(c.schedule.payload.size());
  const uint32_t at = c.rng.chance(1, 4) ? size : c.rng.below(size + 1);
  c.rng.chance(1, 2) ? overwrite(c, at, word) : replace(c, at, 0, word);
  return true;
}

// There are few such values, so the same ones would come again and again.
bool tried(Context& c) {
  const uint64_t key = mix(0x125, hash_input(c.schedule.payload));
  if (c.rng.below(c.seen.count(key) + 1u) != 0) return true;
  c.seen.add(key);
  return false;
}

}  // namespace

bool input_to_state(Context& c) {
  if (c.payload_room == 0 || c.comparisons.empty()) return false;
  const Bytes before = c.schedule.payload;
  for (int tries = 0; tries < 8; ++tries) {
    c.rng.chance(1, 8) ? put_word(c) : put_other_side(c);
    if (c.schedule.payload != before && !tried(c)) return true;
    c.schedule.payload = before;
  }
  return false;
}

}  // namespace heddle::mutator
