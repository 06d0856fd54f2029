/* SPDX-License-Identifier: MIT */
/*
 * clauses.h - what a directive says in C, C++ and Fortran alike.
 */
#ifndef WN_RANDOM_CLAUSES_H
#define WN_RANDOM_CLAUSES_H

#include "program.h"

/* The clauses of one directive, each with a blank before it. */
struct clauses {
	char text[1000];
	size_t length;
};

__attribute__((format(printf, 2, 3))) void clause(struct clauses *c, const char *fmt, ...);
void depend_clauses(struct clauses *c, const struct node *n, const struct dialect *d);
void loop_clauses(struct clauses *c, const struct node *n, const struct dialect *d);
void taskloop_clauses(struct clauses *c, const struct node *n);

/* Of constructs that are one word. */
const char *construct_name(enum node_kind kind);

#endif /* WN_RANDOM_CLAUSES_H */
