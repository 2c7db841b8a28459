#pragma once

// Counts under a lock; starts at zero in each execution.
int count_up();
