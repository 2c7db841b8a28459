int library_function() { return 1; }
