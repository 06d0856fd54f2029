/* SPDX-License-Identifier: MIT */
#include "view/page_data.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "view/view_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Computes what the parts need of the tree. */
static wn_status
look_at_tree(struct wn_page_data *v, wn_err *err)
{
	wn_status st;
	WN_TRY(wn_tree_number(v->tree, err));
	WN_TRY(view_lay_out(v, err));
	WN_TRY(view_summarise(v, err));
out:
	return st;
}

/* Two steps that do not need each other: one of them is mostly sequential. */
static wn_status (*const first_steps[])(struct wn_page_data *v, wn_err *err) = {look_at_tree,
                                                                                view_put_timeline};
#define FIRST_STEPS_N (sizeof first_steps / sizeof *first_steps)

struct first {
	struct wn_page_data *v;
	wn_status st[FIRST_STEPS_N];
	wn_err err[FIRST_STEPS_N];
};

static void
do_first(void *user, size_t step)
{
	struct first *f = user;
	f->st[step] = first_steps[step](f->v, &f->err[step]);
}

static wn_status
encode(struct wn_page_data *v, wn_err *err)
{
	unsigned n_threads = v->options.n_threads ? v->options.n_threads : wn_parallel_cpus();
	struct first first = {.v = v};
	wn_status st;
	WN_TRY(wn_grains_writer_new(v->spool, &v->writer, err));
	WN_TRY(wn_tree_build(v->g, v->options.n_threads, &v->tree, err));
	wn_parallel(n_threads, FIRST_STEPS_N, do_first, &first);
	for (size_t i = 0; i < FIRST_STEPS_N; i++)
		if (first.st[i] != WN_OK) {
			if (err)
				*err = first.err[i];
			return first.st[i];
		}
	WN_TRY(view_put_parts(v, err));
	WN_TRY(view_add_excerpts(v, err));
	WN_TRY(view_fit(v, err));
out:
	return st;
}

wn_status
wn_page_data_build(struct wn_report *r, const struct wn_page_data_options *options, FILE *spool,
                   struct wn_page_data **out, wn_err *err)
{
	struct wn_page_data *v;
	if (r->graph->detail < WN_DETAIL_TIMES || r->group)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET,
		               r->group ? "the page is of all grains"
		                        : "the page needs a whole graph");
	v = wn_calloc(1, sizeof *v);
	if (!v)
		return wn_no_memory(err);
	v->r = r;
	v->g = r->graph;
	v->m = r->metrics;
	v->options = *options;
	v->spool = spool;
	wn_status st = encode(v, err);
	if (st != WN_OK) {
		wn_page_data_free(v);
		return st;
	}
	*out = v;
	return WN_OK;
}

void
wn_page_data_free(struct wn_page_data *v)
{
	if (!v)
		return;
	for (int i = 0; v->histograms && i < v->m->n_problems + VIEW_TIMES_N; i++)
		wn_free(v->histograms[i].count);
	wn_free(v->histograms);
	view_summaries_fini(&v->s);
	WN_FREE_ALL(v->chunks, v->label_row, v->labels, v->above, v->row_of_thread);
	wn_grains_writer_free(v->writer);
	wn_tree_free(v->tree);
	json_decref(v->index);
	free(v->text); /* owned by jansson */
	WN_FREE_ALL(v->prerendered.text, v->first_picture.base64[0], v->first_picture.base64[1], v);
}

void
wn_page_data_kept(const struct wn_page_data *v, struct wn_page_data_kept *out)
{
	*out = v->kept;
}

static wn_status
write_bytes(void *user, const void *bytes, size_t n, wn_err *err)
{
	errno = 0;
	if (fwrite(bytes, 1, n, user) == n)
		return WN_OK;
	return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s", errno ? strerror(errno) : "write error");
}

wn_status
view_write(struct wn_page_data *v, const struct wn_grains_sink *sink, wn_err *err)
{
	struct wn_grains_run run = {.n_nodes = v->tree->n,
	                            .n_grains = v->tree->n_of_kind[WN_TREE_GRAIN],
	                            .chunk_grains = v->chunk_grains};
	return wn_grains_write(v->writer, &run, v->text, strlen(v->text), sink, err);
}

wn_status
wn_page_data_write_grains(struct wn_page_data *v, FILE *to, wn_err *err)
{
	struct wn_grains_sink sink = {.write = write_bytes, .user = to};
	wn_status st = view_write(v, &sink, err);
	errno = 0;
	if (st == WN_OK && fflush(to) != 0)
		return wn_fail(err, WN_E_IO, WN_NO_OFFSET, "%s",
		               errno ? strerror(errno) : "write error");
	return st;
}
