// heddle: expect=pass runs=300
// misuse: expect=assertion budget=10000 seeds=20
// LMDB: a memory-mapped B-tree with one writer at a time and readers that see a snapshot. Two writers each raise a counter in a transaction of
// their own, a reader looks at two records that always change together. Misuse: the value is read in one transaction and written in another.
#include <assert.h>
#include <lmdb.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static MDB_env* env;
static MDB_dbi dbi;

static int get(MDB_txn* txn, const char* name) {
  MDB_val key = {strlen(name), (void*)name}, value;
  int number = 0;
  if (mdb_get(txn, dbi, &key, &value) == 0) memcpy(&number, value.mv_data, sizeof number);
  return number;
}

static void put(MDB_txn* txn, const char* name, int number) {
  MDB_val key = {strlen(name), (void*)name}, value = {sizeof number, &number};
  if (mdb_put(txn, dbi, &key, &value, 0) != 0) abort();
}

static MDB_txn* begin(unsigned flags) {
  MDB_txn* txn;
  const int error = mdb_txn_begin(env, NULL, flags, &txn);
  if (error != 0) fprintf(stderr, "%s\n", mdb_strerror(error)), abort();
  return txn;
}

static void* writer(void* unused) {
  MDB_txn* txn = begin(0);
  const int n = get(txn, "n");
  put(txn, "n", n + 1);
  put(txn, "twice", 2 * (n + 1));
  mdb_txn_commit(txn);
  return unused;
}

static void* reader(void* unused) {
  MDB_txn* txn = begin(MDB_RDONLY);
  const int n = get(txn, "n");
#ifdef MISUSE
  mdb_txn_abort(txn);
  txn = begin(MDB_RDONLY);
#endif
  const int twice = get(txn, "twice");
  assert(twice == 2 * n);
  mdb_txn_abort(txn);
  return unused;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)data, (void)size;
  char path[] = "lmdb-XXXXXX", lock[32];
  const int file = mkstemp(path);
  close(file);
  if (mdb_env_create(&env) != 0 || mdb_env_set_mapsize(env, 1 << 16) != 0) abort();
  const int error = mdb_env_open(env, path, MDB_NOSUBDIR | MDB_NOSYNC, 0600);
  if (error != 0) fprintf(stderr, "open: %s\n", mdb_strerror(error)), abort();
  MDB_txn* txn = begin(0);
  if (mdb_dbi_open(txn, NULL, 0, &dbi) != 0) abort();
  mdb_txn_commit(txn);

  pthread_t threads[3];
  pthread_create(&threads[0], NULL, &writer, NULL);
  pthread_create(&threads[1], NULL, &writer, NULL);
  pthread_create(&threads[2], NULL, &reader, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);

  txn = begin(MDB_RDONLY);
  assert(get(txn, "n") == 2);
  mdb_txn_abort(txn);
  mdb_env_close(env);
  unlink(path);
  unlink(strcat(strcpy(lock, path), "-lock"));
  return 0;
}
