// OpenMP: the sum is right, and with an argument not always.
#include <assert.h>

int main(int argc, char **argv) {
  int sum = 0, careless = 0;
  (void)argv;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 0; i < 10; ++i) sum += i;
  assert(sum == 45);
#pragma omp parallel num_threads(2)
  {
    const int was = __atomic_load_n(&careless, __ATOMIC_SEQ_CST);
    __atomic_store_n(&careless, was + 1, __ATOMIC_SEQ_CST);
  }
  assert(argc == 1 || careless == 2);
  return 0;
}
