/* SPDX-License-Identifier: MIT */
/*
 * names.h - the readable ids of nodes, both ways, as wn_tree_name() and wn_tree_find() have them:
 * out of columns of run.grains, chunk by chunk (page/table.h). A name leads through the grains
 * above, which may lie in other chunks; what has been seen of them is kept.
 */
#ifndef WN_PAGE_NAMES_H
#define WN_PAGE_NAMES_H

#include "page/page.h"
#include "page/table.h"

struct names;

/* is_imported: of an imported table, whose grains have other names. */
WN_MUST_CHECK wn_status names_new(bool is_imported, struct names **out, wn_err *err);
/* NULL is fine. */
void names_end(struct names *n);
/* Asks the table for what names are made of. */
void names_ask(struct table *t);

/* The name of a node of the chunk that the table has. WN_E_EMPTY: it leads through a grain of
 * another chunk; names_look() at others until that says WN_OK, round and round. WN_E_ARG: the table
 * does not have the node, or what names are made of. */
WN_MUST_CHECK wn_status names_of(struct names *n, const struct table *t, uint32_t node,
                                 wn_err *err);
WN_MUST_CHECK wn_status names_look(struct names *n, const struct table *t, wn_err *err);
/* The id of the grain that is missing: looking at a chunk was of use if it is another one then. */
uint32_t names_wanted(const struct names *n);
/* The last one, once it is complete; until the next call. */
struct page_answer names_text(const struct names *n);

/* Nodes whose names begin with a text, in the order of the tree, n_max of them, before them the one
 * that is called so. Then all chunks are looked at, one after the other from the first, until
 * names_is_found(); and once more if names_seek_again() says so. */
WN_MUST_CHECK wn_status names_seek(struct names *n, const char *text, uint32_t n_max, wn_err *err);
WN_MUST_CHECK wn_status names_seek_in(struct names *n, const struct table *t, wn_err *err);
/* The one that is called so has been found; with n_max > 1, as many others as there may be, too. */
bool names_is_found(const struct names *n);
/* A grain came before what it was made by, which has been found since. */
bool names_seek_again(struct names *n);
/* *has_exact: the first of them is called so. */
const uint32_t *names_found(const struct names *n, uint32_t *n_found, bool *has_exact);

#endif /* WN_PAGE_NAMES_H */
