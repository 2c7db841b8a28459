// The hand-written records are stored in FlatBuffers vectors without conversion. So they must have the layout of the structs that flatc
// makes. Size, alignment and triviality are checked here. tests/unit/schema/layout_test.cc checks the offset of each field, with flatc's
// accessors.
#pragma once

#include <bit>
#include <type_traits>

namespace heddle {

template <typename Record, typename Generated>
inline constexpr bool kSameLayout =
    sizeof(Record) == sizeof(Generated) && alignof(Record) == alignof(Generated) &&
    std::is_trivially_copyable_v<Record> && std::is_standard_layout_v<Record>;

static_assert(std::endian::native == std::endian::little,
              "records are stored in FlatBuffers' byte order, which is little-endian");

}  // namespace heddle
