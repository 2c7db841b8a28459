// A program's own custom mutator knows only its data, not the schedule around it.
#include <cstring>
#include <span>
#include <vector>

#include "harness/driver/target.h"
#include "schema/codec.h"

namespace heddle::driver {
namespace {

// Room for the payload if everything else in the schedule stays, and the whole must fit into `max_size`.
size_t payload_room(const Schedule& schedule, size_t max_size) {
  Schedule empty = schedule;
  empty.payload.clear();
  constexpr size_t kVectorOverhead = 32;  // its length word, its field, and alignment
  const size_t fixed = encode_schedule(empty).size() + kVectorOverhead;
  return fixed < max_size ? max_size - fixed : 0;
}

size_t write_back(Schedule& schedule, uint8_t* out, size_t max_size) {
  wanted_run().write(schedule);
  const std::vector<uint8_t> bytes = encode_schedule(schedule);
  if (bytes.empty() || bytes.size() > max_size) return 0;
  std::memcpy(out, bytes.data(), bytes.size());
  return bytes.size();
}

}  // namespace

size_t mutate_payload(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  if (&__real_LLVMFuzzerCustomMutator == nullptr) return 0;
  Schedule schedule;
  decode_schedule({data, size}, schedule);
  const size_t room = payload_room(schedule, max_size);
  if (room == 0) return 0;
  const size_t before = schedule.payload.size() < room ? schedule.payload.size() : room;
  schedule.payload.resize(room);
  const size_t after = __real_LLVMFuzzerCustomMutator(schedule.payload.data(), before, room, seed);
  if (after == 0 || after > room) return 0;
  schedule.payload.resize(after);
  return write_back(schedule, data, max_size);
}

size_t cross_over_payload(const uint8_t* data1, size_t size1, const uint8_t* data2, size_t size2, uint8_t* out,
                          size_t max_out_size, unsigned int seed) {
  if (&__real_LLVMFuzzerCustomCrossOver == nullptr) return 0;
  Schedule first, second;
  decode_schedule({data1, size1}, first);
  decode_schedule({data2, size2}, second);
  const size_t room = payload_room(first, max_out_size);
  if (room == 0) return 0;
  std::vector<uint8_t> joined(room);
  const size_t after =
      __real_LLVMFuzzerCustomCrossOver(first.payload.data(), first.payload.size(), second.payload.data(),
                                       second.payload.size(), joined.data(), room, seed);
  if (after == 0 || after > room) return 0;
  joined.resize(after);
  first.payload = std::move(joined);
  return write_back(first, out, max_out_size);
}

}  // namespace heddle::driver
