#include "mutator/engines/run_archive.h"

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "mutator/knowledge/known_run.h"
#include "schema/codec.h"
#include "schema/trace_file.h"

namespace heddle::mutator {
namespace {

namespace fs = std::filesystem;

fs::path place_of(const std::string& file, uint64_t hash) {
  char name[32];
  std::snprintf(name, sizeof name, "%016" PRIx64 ".hdt", hash);
  return fs::path(file).parent_path().parent_path() / "heddle-runs" / name;
}

bool read_file(const fs::path& path, std::vector<uint8_t>& out) {
  std::ifstream in(path, std::ios::binary);
  out.assign(std::istreambuf_iterator<char>(in), {});
  return in.good() || in.eof();
}

// Written under another name first, so that a reader never sees half of it.
bool write_file(const fs::path& path, const std::vector<uint8_t>& bytes) {
  std::error_code error;
  fs::create_directory(path.parent_path(), error);
  const fs::path temporary = path.string() + ".tmp";
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (out.good()) fs::rename(temporary, path, error);
  if (out.good() && !error) return true;
  fs::remove(temporary, error);
  return false;
}

// Without code positions: only reports need them, and a trace file with positions needs one for each event.
std::vector<uint8_t> encode_run(const KnownRun& known) {
  RunSummary run = known.summary();
  std::vector<Event> events(known.events);
  for (Event& e : events) e.pc_index = 0;
  const SiteRecord nowhere{};
  run.events = events.data();
  run.sites = &nowhere;
  run.site_count = 1;
  return encode_trace(run);
}

}  // namespace

void RunArchive::save(const std::string& file, uint64_t hash, Mutator& mutator) {
  const KnownRun* run = mutator.known(hash);
  if (run == nullptr || write_file(place_of(file, hash), encode_run(*run)) || complained_) return;
  complained_ = true;
  std::fprintf(stderr, "heddle: cannot write %s: a later afl-fuzz must learn these executions again\n", place_of(file, hash).c_str());
}

void RunArchive::load(const std::string& file, Mutator& mutator) {
  if (!looked_.insert(file).second) return;
  std::vector<uint8_t> input, bytes;
  if (!read_file(file, input)) return;
  const uint64_t hash = hash_input(input);
  if (mutator.known(hash) != nullptr) {
    std::error_code error;
    if (!fs::exists(place_of(file, hash), error)) save(file, hash, mutator);
    return;
  }
  StoredTrace trace;
  if (!read_file(place_of(file, hash), bytes) || !decode_trace(bytes, trace) || trace.input_hash != hash) return;
  mutator.learn(trace.summary(), input);
  mutator.keep(hash);
}

}  // namespace heddle::mutator
