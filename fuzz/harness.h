/* SPDX-License-Identifier: MIT */
/*
 * harness.h - what every fuzz entry does with bytes that may be a trace: open it, read all its
 * streams and facts, build and prove the graph, name its grains, present it one way, free
 * everything. All that `winnow report` and `winnow export` do, but files of code are not opened
 * (no_objects.c).
 *
 * Inputs of many ids are left early, since small ones run faster. A law that every graph must obey,
 * whatever its trace went through, and that this one breaks, is one; so is a document that is not
 * well-formed, and anything still allocated at the end: all abort.
 */
#ifndef WN_FUZZ_HARNESS_H
#define WN_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

struct wn_trace;

/* Ids and regions, and threads, above which an input is not looked at further. */
#define HARNESS_IDS_MAX     (1u << 14)
#define HARNESS_THREADS_MAX 256u

/* Nodes above which a graph is not drawn: one costs far more to write than to build. */
#define HARNESS_NODES_MAX 2000u

/* How to present the graph: one view in the low bits, and how to show it. */
enum view {
	VIEW_TEXT = 0,
	VIEW_JSON,
	VIEW_GRAPHML,
	VIEW_GRAPHML_FRAGMENTS,
	VIEW_DOT,
	VIEW_DOT_FRAGMENTS,
	VIEW_SVG,
	VIEW_CSV,
	VIEW_MASK = 7,
	VIEW_COMPAT = 8,   /* reports: metrics with other definitions; and some of the user */
	VIEW_RAW = 16,     /* text: nanoseconds, and a long list */
	VIEW_TERMINAL = 32 /* text: wide, with colours and UTF-8 */
};

extern uint64_t harness_sum;

void harness_run(const uint8_t *bytes, size_t size_bytes, unsigned view);

/* Says what is wrong with an input, and aborts. */
_Noreturn void harness_give_up(const char *what, const char *why);

/* views.c: builds the graph of an open trace, proves it, and presents it. */
void views_run(struct wn_trace *trace, unsigned view);

/* The entry point of libFuzzer, which each fuzz_*.c defines. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#endif /* WN_FUZZ_HARNESS_H */
