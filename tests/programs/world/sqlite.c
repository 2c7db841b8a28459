// heddle: expect=pass runs=300 options=report_races=1
// misuse: expect=assertion budget=2000 seeds=20
// SQLite, Debian's library as it is: two threads insert through one connection in serialized mode, and each asks for the number of its row under
// the connection's mutex. Misuse: without it, so another insertion can come in between.
#include <assert.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

static sqlite3 *db;

static void *add_person(void *number) {
  sqlite3_stmt *insert;
  assert(sqlite3_prepare_v2(db, "insert into person(name) values('somebody')", -1, &insert, NULL) == SQLITE_OK);
#ifndef MISUSE
  sqlite3_mutex_enter(sqlite3_db_mutex(db));
#endif
  assert(sqlite3_step(insert) == SQLITE_DONE);
  *(sqlite3_int64 *)number = sqlite3_last_insert_rowid(db);
#ifndef MISUSE
  sqlite3_mutex_leave(sqlite3_db_mutex(db));
#endif
  sqlite3_finalize(insert);
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  assert(sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, NULL) == SQLITE_OK);
  assert(sqlite3_exec(db, "create table person(id integer primary key, name text)", NULL, NULL, NULL) == SQLITE_OK);
  sqlite3_int64 numbers[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add_person, &numbers[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(sqlite3_close(db) == SQLITE_OK);
  assert(numbers[0] != numbers[1]);
  return 0;
}
