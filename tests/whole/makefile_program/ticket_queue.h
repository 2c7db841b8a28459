#pragma once
struct options { int workers; };
extern struct options options;
void parse_options(int argc, char **argv);
/* Takes a ticket; every one once. */
int take_ticket(void);
int tickets_taken(void);
