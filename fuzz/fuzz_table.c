/* SPDX-License-Identifier: MIT */
/*
 * fuzz_table.c - the input is a table as `winnow characterize --table` reads it. What is accepted
 * has names that differ and values that are finite or missing, and a small one is analysed and
 * presented; what is refused has a reason, and a line where there is one.
 */
#include "base/mem.h"
#include "export/characterize.h"
#include "fuzz/harness.h"
#include "report/characterize.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Above which analysis takes more than a moment. */
#define CASES_MOST     12u
#define VARIABLES_MOST 6u

static void
look_at(const struct wn_cases *c)
{
	for (size_t j = 0; j < c->n_variables; j++)
		for (size_t k = 0; k < j; k++)
			if (strcmp(c->variables[j], c->variables[k]) == 0)
				harness_give_up("a table", "two columns of one name");
	for (size_t i = 0; i < c->n && c->n < 1000; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(c->names[i], c->names[k]) == 0)
				harness_give_up("a table", "two rows of one name");
	for (size_t i = 0; i < c->n * c->n_variables; i++)
		if (isinf(c->at[i]))
			harness_give_up("a table", "an infinite value");
	if (c->n == 0 || c->n_variables == 0)
		harness_give_up("a table", "nothing in it");
}

static void
check_result(const struct wn_characterization *r)
{
	double all = 0;
	if (r->none != WN_ANALYSED)
		return;
	for (size_t k = 0; k < r->pca.n_components; k++)
		all += r->pca.share[k];
	if (!(fabs(all - 1) < 1e-6) || r->n_kept < 1 || r->n_kept > r->pca.n_components)
		harness_give_up("components", "their shares are not one");
	for (size_t i = 0; i < r->n; i++)
		if (r->cluster[i] >= r->n_clusters || r->order[i] >= r->n)
			harness_give_up("clusters", "a case is in none");
}

/* Everything that is written of it, into memory. */
static void
present(const struct wn_characterization *r)
{
	struct wn_characterize_view v = {.result = r, .is_table = true};
	struct wn_text_style style = {.width = 100};
	json_t *json = NULL;
	char *text = NULL;
	size_t n = 0;
	wn_err err;
	FILE *to = open_memstream(&text, &n);
	if (!to)
		abort();
	bool is_done = wn_characterize_text(&v, &style, to, &err) == WN_OK &&
	               wn_characterize_json(&v, &json, &err) == WN_OK &&
	               wn_export_characterization(r, to, &err) == WN_OK;
	if (is_done && r->none == WN_ANALYSED)
		is_done = wn_draw_scree(r, to, &err) == WN_OK &&
		          wn_draw_loadings(r, to, &err) == WN_OK &&
		          wn_draw_scores(r, 0, r->pca.n_components > 1, to, &err) == WN_OK &&
		          wn_draw_dendrogram(r, to, &err) == WN_OK;
	fclose(to);
	free(text);
	json_decref(json);
	if (!is_done)
		harness_give_up("what is written", err.msg);
}

static void
analyse(const struct wn_cases *c)
{
	struct wn_characterization *r;
	wn_err err = {.msg = ""};
	wn_status st = wn_characterize(c, NULL, &r, &err);
	if (st == WN_OK) {
		check_result(r);
		present(r);
		wn_characterization_free(r);
	} else if (!err.msg[0]) {
		harness_give_up("an analysis", "no reason");
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	struct wn_cases c = {0};
	wn_err err = {.msg = ""};
	/* without a byte there is no stream in memory */
	FILE *from = size_bytes ? fmemopen((void *)(uintptr_t)bytes, size_bytes, "rb")
	                        : fopen("/dev/null", "rb");
	if (!from)
		abort();
	wn_status st = wn_cases_read(from, &c, &err);
	fclose(from);
	if (st == WN_OK) {
		look_at(&c);
		if (c.n <= CASES_MOST && c.n_variables <= VARIABLES_MOST)
			analyse(&c);
	} else if (!err.msg[0] || (st == WN_E_FORMAT && strncmp(err.msg, "line ", 5) != 0)) {
		harness_give_up("a complaint", "no reason or no line");
	}
	wn_cases_fini(&c);
	if (wn_mem_live() != 0)
		harness_give_up("a table", "memory is left");
	return 0;
}
