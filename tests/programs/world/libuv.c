// heddle: expect=pass runs=500 options=report_races=1
// misuse: expect=assertion|blocked_threads budget=10000 seeds=20
// libuv, compiled from its sources: an event loop with a timer, work for its thread pool, and a foreign thread that wakes the loop by an async
// handle. Misuse: the foreign thread calls the loop's functions itself; only uv_async_send may be called from anywhere.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <uv.h>

static uv_loop_t loop;
static uv_async_t async;
static uv_timer_t timer;
static uv_work_t work[2];
static int squares[2], done, woken, ticks;

static void square(uv_work_t* w) {
  const int i = (int)(w - work);
  squares[i] = (i + 2) * (i + 2);
}
static void squared(uv_work_t* w, int status) {
  (void)w;
  assert(status == 0);
  ++done;
}
static void tick(uv_timer_t* t) {
  if (++ticks == 2) uv_close((uv_handle_t*)t, NULL);
}
static void wake(uv_async_t* a) {
  ++woken;
  uv_close((uv_handle_t*)a, NULL);
}
static void foreign(void* unused) {
  (void)unused;
#ifdef MISUSE
  uv_queue_work(&loop, &work[1], square, squared);
#endif
  uv_async_send(&async);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  uv_thread_t thread;
  uv_loop_init(&loop);
  uv_async_init(&loop, &async, wake);
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, tick, 1, 1);
  uv_queue_work(&loop, &work[0], square, squared);
  uv_thread_create(&thread, foreign, NULL);
#ifndef MISUSE
  uv_queue_work(&loop, &work[1], square, squared);
#endif
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_thread_join(&thread);
  uv_run(&loop, UV_RUN_DEFAULT);
  assert(woken == 1 && ticks == 2 && done == 2 && squares[0] == 4 && squares[1] == 9);
  assert(uv_loop_close(&loop) == 0);
  uv_library_shutdown();
  return 0;
}
