/* SPDX-License-Identifier: MIT */
#include "aggregate/local.h"

#include "base/error.h"
#include "base/mem.h"

/* Whether members run one after the other; otherwise they are parallel branches. */
static bool
is_chain(const struct wn_tree *t, wn_tree_node i)
{
	return t->kind[i] == WN_TREE_LINEAR;
}

static void
find_spans(const struct wn_tree *t, wn_tree_node group, uint64_t *span)
{
	for (wn_tree_node i = t->end[group]; i-- > group;) {
		uint64_t of_members = 0;
		if (t->kind[i] == WN_TREE_GRAIN) {
			span[i - group] = wn_work_ns(t->g, t->ref[i]);
			continue;
		}
		for (wn_tree_node c = i + 1; c < t->end[i]; c = t->end[c]) {
			if (is_chain(t, i))
				of_members += span[c - group];
			else if (span[c - group] > of_members)
				of_members = span[c - group];
		}
		span[i - group] = of_members;
	}
}

/* Marks from the group inwards: all members of a chain, and the first of the longest branches
 * elsewhere. */
static void
mark(struct wn_local_path *p, const struct wn_tree *t, const uint64_t *span)
{
	p->is_on[0] = 1;
	for (wn_tree_node i = p->group; i < t->end[p->group]; i++) {
		bool is_on = p->is_on[i - p->group], is_found = false;
		uint64_t before_ns = p->root_dist_ns[i - p->group];
		p->n_grains += is_on && t->kind[i] == WN_TREE_GRAIN;
		for (wn_tree_node c = i + 1; c < t->end[i]; c = t->end[c]) {
			bool is_longest = !is_found && span[c - p->group] == span[i - p->group];
			p->root_dist_ns[c - p->group] = before_ns;
			p->is_on[c - p->group] = is_on && (is_chain(t, i) || is_longest);
			is_found |= is_longest;
			if (is_chain(t, i))
				before_ns += span[c - p->group];
		}
	}
}

wn_status
wn_local_path_init(struct wn_local_path *out, const struct wn_tree *t, wn_tree_node group,
                   wn_err *err)
{
	struct wn_local_path p = {.group = group, .n = t->end[group] - group};
	uint64_t *span = wn_calloc(p.n, sizeof *span);
	p.is_on = wn_calloc(p.n, sizeof *p.is_on);
	p.root_dist_ns = wn_calloc(p.n, sizeof *p.root_dist_ns);
	if (!span || !p.is_on || !p.root_dist_ns) {
		wn_free(span);
		wn_local_path_fini(&p);
		return wn_no_memory_for(err, t->end[group] - group, "nodes");
	}
	find_spans(t, group, span);
	p.span_ns = span[0];
	mark(&p, t, span);
	wn_free(span);
	*out = p;
	return WN_OK;
}

void
wn_local_path_fini(struct wn_local_path *path)
{
	wn_free(path->is_on);
	wn_free(path->root_dist_ns);
	path->is_on = NULL;
	path->root_dist_ns = NULL;
}
