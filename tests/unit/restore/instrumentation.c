/* What the instrumented library calls. */
void __tsan_init(void) {}
void __tsan_read4(void* p) { (void)p; }
void __tsan_write4(void* p) { (void)p; }
void __tsan_func_entry(void* p) { (void)p; }
void __tsan_func_exit(void) {}
