/* SPDX-License-Identifier: MIT */
/* name.h - writes the readable ids of grains and groups (doc/metrics.md, "Ids"), step by step from
 * the parents: graph/lineage.c from the graph, page/node_ids.c from columns of run.grains. */
#pragma once

#include "grains/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Output buffer of a name: keeps at most size - 1 characters, without a NUL. */
struct wn_name {
	char *buffer;
	size_t size, length; /* length: includes characters not kept */
	bool has_begun;      /* a step was written: a dot precedes the next one */
};

/* The data of a step. */
struct wn_named_grain {
	uint8_t kind;           /* enum wn_grains_kind */
	uint8_t parent_kind;    /* for a context outside all regions: any other number */
	uint32_t parent_thread; /* for an implicit task: in its team */
	uint32_t single;        /* 0: created by the thread; else 1 + the single's number */
	uint64_t number; /* of a part of a loop: the loop's; of an implicit task: its region's;
	                    of a taskloop's task with a range: the taskloop's; else its place
	                    among its parent's children */
	bool has_range;
	uint64_t first, n; /* n 0: unknown */
};

enum wn_name_part { WN_NAME_NO_PART, WN_NAME_ITEM, WN_NAME_SHARE, WN_NAME_RANGE };

/* The step from the parent's name to a grain's own. */
struct wn_name_step {
	const char *where; /* below implicit tasks: "s" or "t"; else NULL */
	uint64_t where_number;
	const char *what; /* "", "P", "L", "S", "TL" */
	uint64_t number;
	enum wn_name_part part; /* [first], [t<first>] or [first:end) */
	uint64_t first, end;
};

static inline void
wn_name_step_range(struct wn_name_step *s, const struct wn_named_grain *g)
{
	s->part = WN_NAME_RANGE;
	s->first = g->first;
	s->end = g->first + g->n;
}

/* Computes a step, without its parent's part. For an implicit task it is its region's:
 * wn_name_own() adds its thread. Cost O(1). Pure. */
static inline struct wn_name_step
wn_name_step_of(const struct wn_named_grain *g)
{
	bool is_chunk = g->kind == WN_GRAINS_LOOP_CHUNK, is_in_team;
	struct wn_name_step s = {.what = "", .number = g->number};
	is_in_team = g->parent_kind == WN_GRAINS_IMPLICIT;
	if (is_chunk || g->kind == WN_GRAINS_SECTION) {
		s.what = is_chunk ? "L" : "S";
		if (g->has_range && !is_chunk) {
			s.part = WN_NAME_ITEM;
			s.first = g->first;
		} else if (g->has_range && g->n == 0 && is_in_team) { /* unknown: a share */
			s.part = WN_NAME_SHARE;
			s.first = g->parent_thread;
		} else if (g->has_range) {
			wn_name_step_range(&s, g);
		}
		return s;
	}
	if (is_in_team) {
		s.where = g->single ? "s" : "t";
		s.where_number = g->single ? g->single - 1 : g->parent_thread;
	}
	if (g->kind == WN_GRAINS_IMPLICIT) {
		s.what = "P";
	} else if (g->kind == WN_GRAINS_TASKLOOP && g->has_range) {
		s.what = "TL";
		wn_name_step_range(&s, g);
	}
	return s;
}

void wn_name_text(struct wn_name *n, const char *text);
void wn_name_number(struct wn_name *n, const char *before, uint64_t number, const char *after);

void wn_name_step(struct wn_name *n, const struct wn_name_step *step);
/* Writes the step of a context outside all regions; that of the first thread is empty. */
void wn_name_context(struct wn_name *n, uint32_t thread);
/* Writes the suffix of a grain's own name, which its children's names omit: the thread of an
 * implicit task; and a text for the empty name. */
void wn_name_own(struct wn_name *n, bool is_implicit, uint32_t thread);
/* Writes a step of an imported task, in its tool's notation: R-1-2. The first one has no parent. */
void wn_name_imported(struct wn_name *n, bool has_parent, uint64_t child_number);
/* Writes the suffix of a group's name after its owner's; the root of several contexts has no
 * owner. */
void wn_name_group(struct wn_name *n, enum wn_grains_node_kind kind, uint64_t number);
