// Operations on files and on streams, which have the same kinds.
//
// To close a file is an operation that changes files, like writing to one. It changes no contents, so it is told apart by its value.
#pragma once

#include "schema/event.h"

namespace heddle::rt {

// Event::value of a close. Other values of these operations are hashes of positions.
inline constexpr uint32_t kValueOfClose = 0x636C6F73;

// The label of a stream's object (LiveState::object_label). All files are one object, with another label.
inline constexpr const char* kLabelOfStream = "stream";

inline bool closes_file(const Event& e) { return e.kind == Kind::file_write && e.value == kValueOfClose; }

}  // namespace heddle::rt
