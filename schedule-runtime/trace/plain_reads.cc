#include "trace/plain_reads.h"

namespace heddle::rt {
namespace {
constinit PlainReads g_reads = {};
}  // namespace

const PlainReads& plain_reads() { return g_reads; }
void note_plain_reads(const PlainReads& reads) { g_reads = reads; }

}  // namespace heddle::rt
