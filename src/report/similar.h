/* SPDX-License-Identifier: MIT */
/* similar.h - finds groups of a run with the same shape, and the similarity of others. */
#pragma once

#include "aggregate/local.h"
#include "compare/classes.h"
#include "compare/similar.h"
#include "report/text.h"

#include <jansson.h>

/* Another class, represented by one of its groups. */
struct wn_near {
	uint32_t of; /* class */
	double similarity;
};

struct wn_similar {
	const struct wn_tree *t; /* borrowed */
	struct wn_classes classes;
	uint32_t *listed; /* [n_listed] classes of two groups or more, except those inside others */
	size_t n_listed;
	unsigned n_rounds; /* of the kernel */

	wn_tree_node group;        /* the requested group; WN_NO_TREE_NODE: none */
	struct wn_local_path path; /* of it */
	struct wn_near *near;      /* [n_near] others, most similar first */
	size_t n_near;
	bool is_near_cut; /* not all classes were compared: only those of similar size, up to a
	                     bound */
};

struct wn_similar_options {
	wn_tree_node group; /* WN_NO_TREE_NODE: none */
	unsigned n_rounds;  /* at most WN_WL_ROUNDS_MAX */
};

/**
 * Finds the classes, and the groups most similar to one group.
 *
 * @param t    not separated; of a whole graph, for names; must outlive the result.
 * @param out  written only on success; release with wn_similar_free().
 * @return WN_OK · WN_E_NOMEM · WN_E_ARG (a grain, too many rounds)
 * Cost     O(nodes), and h times the nodes of the groups that are compared, 20 million at most.
 */
WN_MUST_CHECK wn_status wn_similar_build(const struct wn_tree *t,
                                         const struct wn_similar_options *options,
                                         struct wn_similar **out, wn_err *err);
void wn_similar_free(struct wn_similar *s);

WN_MUST_CHECK wn_status wn_similar_text(const struct wn_similar *s,
                                        const struct wn_text_style *style, FILE *to, wn_err *err);
WN_MUST_CHECK wn_status wn_similar_json(const struct wn_similar *s, size_t n_top, json_t **out,
                                        wn_err *err);
