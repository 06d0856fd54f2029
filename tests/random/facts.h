/* SPDX-License-Identifier: MIT */
/*
 * facts.h - lines of text about a run, collected in any order and printed in one. What a program
 * must show and what its recording shows are both such lists; they are compared as texts.
 *
 *   region NAME team=N singles=N loops=N sections=N
 *   loop NAME kind trip=N from=N by=N chunk=N ordered [0:4)[4:8)...
 *   sections NAME 0 1 2
 *   task NAME @NODE untied final serial joined=KIND:WHO:FIRST
 *   taskloop NAME @NODE ... joined=... [0:4)[4:8)...
 *   depend NAME NAME      the second must wait for the first, at last: all pairs that follow, too
 *   count WHAT N
 *
 * A NAME is a lineage (doc/metrics.md) in which a chunk is named by its loop alone, a task of a
 * taskloop by its taskloop, and what they made is counted over all of them in the order of
 * iterations. So it depends on no schedule. KIND:WHO:FIRST is a wait: how, by whom, and the first
 * NAME among those that it joined. A barrier is barrier:REGION:k.
 */
#ifndef WN_RANDOM_FACTS_H
#define WN_RANDOM_FACTS_H

#include <stddef.h>
#include <stdio.h>

struct facts {
	char **lines;
	size_t n, capacity;
};

void *need(void *memory); /* exits if it is NULL */
char *format_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void facts_add(struct facts *facts, char *line);  /* takes the line */
void facts_print(struct facts *facts, FILE *out); /* sorted */
void facts_free(struct facts *facts);

#endif /* WN_RANDOM_FACTS_H */
