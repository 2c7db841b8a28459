// Stands for a fuzz target: writes a trace whose content depends on what its input says, and nothing is scheduled. So each verdict of
// `heddle replay` has a cause that is known.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "schema/codec.h"
#include "schema/trace_file.h"

// As in a target: the command looks for it.
[[gnu::section("heddle_data"), gnu::used]] int heddle_marker = 1;

namespace {

std::string option(const std::string& key) {
  const char* all = std::getenv("HEDDLE_OPTIONS");
  const std::string text = all != nullptr ? all : "";
  const size_t at = text.find(key + "='");
  if (at == std::string::npos) return {};
  const size_t begin = at + key.size() + 2;
  return text.substr(begin, text.find('\'', begin) - begin);
}

void write_trace(const std::string& mode, int run) {
  heddle::StoredTrace trace;
  trace.steps = 2;
  const std::string path = option("trace_path");
  if (mode == "empty") {
    const auto nothing = heddle::encode_trace(heddle::StoredTrace().summary());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(nothing.data()), static_cast<std::streamsize>(nothing.size()));
    return;
  }
  trace.threads.push_back({.id = heddle::kMainThread, .parent = 0, .create_event = heddle::kNoEvent, .blocked_on = 0, .state = 0, .reserved = {}});
  trace.objects.push_back({});
  for (heddle::SiteId site : {0x1111, 0x2222}) {
    heddle::Event e{};
    e.site = site;
    e.kind = heddle::Kind::mutex_lock;
    e.occurrence = 1;
    e.done = static_cast<uint32_t>(trace.events.size() + 1);
    e.partner = heddle::kNoEvent;
    e.pc_index = static_cast<uint32_t>(trace.sites.size());
    trace.sites.push_back({site, 0});
    trace.events.push_back(e);
  }
  int on_the_stack = 0;
  if (mode == "address") trace.events[1].occurrence = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(&on_the_stack) >> 4);
  if (mode == "process") trace.events[1].occurrence = static_cast<uint32_t>(getpid());
  // A finding cuts the run short, unless it is told not to end the process.
  const bool cut = mode.starts_with("cut") && run == 1;
  if (mode.starts_with("cut")) trace.flags |= heddle::kRunFinding;
  if (cut) trace.events.pop_back();
  if (mode == "cut, and other" && !cut) trace.events[0].occurrence = 2;
  if (mode == "cut, and nothing found" && !cut) trace.flags = 0;
  if (mode.starts_with("timed out")) {
    trace.flags |= heddle::kRunTimedOut;
    for (int i = getpid() % 5; i > 0; --i) trace.events.push_back(trace.events[1]);
  }
  if (mode == "timed out, and other") trace.events[0].occurrence = static_cast<uint32_t>(getpid());
  if (mode.starts_with("earlier")) trace.events[1].occurrence = static_cast<uint32_t>(run);
  const auto bytes = heddle::encode_trace(trace.summary());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int argc, char** argv) {
  // One file, as often as it is to be run: what all engines' drivers understand.
  const int runs = argc - 1;
  std::ifstream in(argv[runs]);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  heddle::Schedule schedule;  // of foreign bytes, they are the payload
  heddle::decode_schedule({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, schedule);
  const std::string mode(schedule.payload.begin(), schedule.payload.end());
  if (mode == "silent") return 3;
  if (const std::string sites = option("sites_path"); !sites.empty()) {
    std::ofstream(sites) << "1111 _ZN5Queue4pushEi+0x1c queue.cc:41\n2222 w+0x8 ??\n";
  }
  for (int run = 1; run <= runs; ++run) {
    if (!option("trace_path").empty()) write_trace(mode, run);
  }
  if (mode == "earlier, with a library") std::fprintf(stderr, "heddle: note: /lib/libkeeps.so is not instrumented: its accesses and atomics are invisible; its threads and waits, and calls into it, are controlled\n");
  if (mode == "finding" || mode.starts_with("cut")) {
    std::fprintf(stderr, "==1==ERROR: HeddleSanitizer: deadlock\nSUMMARY: HeddleSanitizer: deadlock queue.cc:41\n");
    return 77;
  }
  if (mode == "failure") {
    std::fprintf(stderr, "SUMMARY: HeddleSanitizer: assertion-failure queue.cc:41\n==1== ERROR: libFuzzer: deadly signal\n"
                         "SUMMARY: libFuzzer: deadly signal\n");
    return 77;
  }
}
