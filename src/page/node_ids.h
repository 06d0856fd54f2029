/* SPDX-License-Identifier: MIT */
/* node_ids.h - converts nodes to readable ids and back, as wn_tree_name() and wn_tree_find() do,
 * from columns of run.grains, chunk by chunk (page/table.h). A name needs the grains above, which
 * may lie in other chunks; those already read are cached. */
#pragma once

#include "page/page.h"
#include "page/table.h"

struct names;

/* is_imported: for an imported table, whose grains have other names. */
WN_MUST_CHECK wn_status names_new(bool is_imported, struct names **out, wn_err *err);
/* NULL is fine. */
void names_end(struct names *n);
/* Requests the columns for names from the table. */
void names_request_columns(struct table *t);

/* Computes the name of a node of the table's chunk. WN_E_EMPTY: it needs a grain of another chunk;
 * call names_read_table() with the others in turn until it returns WN_OK. WN_E_ARG: the table lacks
 * the node or the columns. */
WN_MUST_CHECK wn_status names_of(struct names *n, const struct table *t, uint32_t node,
                                 wn_err *err);
WN_MUST_CHECK wn_status names_read_table(struct names *n, const struct table *t, wn_err *err);
/* Returns the id of the missing grain; it changes if looking at a chunk found it. */
uint32_t names_needed_node(const struct names *n);
/* Returns the last name, once complete; valid until the next call. */
struct page_answer names_text(const struct names *n);

/* Finds nodes whose names begin with a text, in the order of the tree, at most n_max, after the
 * node with exactly that name. Needs all chunks, one after the other from the first, until
 * names_is_found(); and another pass if names_search_repeat() returns true. */
WN_MUST_CHECK wn_status names_search_begin(struct names *n, const char *text, uint32_t n_max,
                                           wn_err *err);
WN_MUST_CHECK wn_status names_search_in(struct names *n, const struct table *t, wn_err *err);
/* True once the exact match is found; with n_max > 1, also as many others as are allowed. */
bool names_is_found(const struct names *n);
/* True if a grain came before its ancestor, which has been found since. */
bool names_search_repeat(struct names *n);
/* *has_exact: the first is the exact match. */
const uint32_t *names_found(const struct names *n, uint32_t *n_found, bool *has_exact);
