// heddle: expect=pass runs=500
// misuse: expect=crash|heap-use-after-free|SEGV budget=10000 seeds=20
// liblzma's decoder with threads (xz 5.4.1) reads a file of three blocks, piece by piece. Misuse: the first block is damaged. The worker then ends and
// frees its input buffer, while main still writes to it: CVE-2025-31115.
#include <assert.h>
#include <lzma.h>
#include <stdint.h>
#include <string.h>

enum { kBlocks = 3, kPlain = 100, kPacked = 3 + kPlain + 1, kPiece = 40 };  // all sizes take one byte in the file

static uint8_t file[1024];
static size_t size;

static void put(const void* bytes, size_t n) {
  memcpy(file + size, bytes, n);
  size += n;
}

static void put_byte(uint8_t byte) { put(&byte, 1); }

static void put_checksum(size_t from) {
  const uint32_t crc = lzma_crc32(file + from, size - from, 0);
  put(&crc, 4);
}

static void pad(size_t from) {
  while ((size - from) % 4 != 0) put_byte(0);
}

// The .xz format, with one uncompressed chunk of LZMA2 for each block.
__attribute__((constructor)) static void make_file(void) {
  const uint8_t flags[2] = {0, LZMA_CHECK_CRC32};
  put("\xFD" "7zXZ", 6);
  put(flags, 2);
  put_checksum(6);
  for (int i = 0; i < kBlocks; ++i) {
    const size_t header = size;
    const uint8_t block[] = {2, 0xC0, kPacked, kPlain, 0x21, 1, 0, 0};  // sizes; the filter LZMA2
    put(block, sizeof block);
    put_checksum(header);
    const size_t chunk = size;
    const uint8_t control[] = {1, 0, kPlain - 1};
    put(control, sizeof control);
    for (int k = 0; k < kPlain; ++k) put_byte((uint8_t)(i + k));
    const uint32_t crc = lzma_crc32(file + size - kPlain, kPlain, 0);
    put_byte(0);
    pad(chunk);
    put(&crc, 4);
#ifdef MISUSE
    if (i == 0) file[chunk] = 0x7F;
#endif
  }
  const size_t index = size;
  put_byte(0);
  put_byte(kBlocks);
  for (int i = 0; i < kBlocks; ++i) {
    put_byte(12 + kPacked + 4);
    put_byte(kPlain);
  }
  pad(index);
  put_checksum(index);
  const uint32_t footer = (uint32_t)((size - index) / 4 - 1);
  uint8_t end[6];
  memcpy(end, &footer, 4);
  memcpy(end + 4, flags, 2);
  const uint32_t crc = lzma_crc32(end, sizeof end, 0);
  put(&crc, 4);
  put(end, sizeof end);
  put("YZ", 2);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t data_size) {
  (void)data, (void)data_size;
  lzma_stream stream = LZMA_STREAM_INIT;
  const lzma_mt threads = {.threads = 2, .memlimit_threading = UINT64_MAX, .memlimit_stop = UINT64_MAX};
  if (lzma_stream_decoder_mt(&stream, &threads) != LZMA_OK) return 0;
  uint8_t out[kBlocks * kPlain];
  stream.next_out = out;
  stream.avail_out = sizeof out;
  stream.next_in = file;
  lzma_ret result = LZMA_OK;
  for (size_t given = 0; result == LZMA_OK;) {
    if (stream.avail_in == 0 && given < size) {
      stream.avail_in = size - given < kPiece ? size - given : kPiece;
      given += stream.avail_in;
    }
    result = lzma_code(&stream, given == size ? LZMA_FINISH : LZMA_RUN);
  }
  lzma_end(&stream);
#ifndef MISUSE
  assert(result == LZMA_STREAM_END);
  for (int i = 0; i < kBlocks * kPlain; ++i) assert(out[i] == i / kPlain + i % kPlain);
#endif
  return 0;
}
