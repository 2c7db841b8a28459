int counter = 0;
