/* SPDX-License-Identifier: MIT */
/*
 * fuzz_ranks.c - the input is a summary of ranks; what stands for this version, its hash and the
 * hashes of its texts are made to fit. What is accepted is merged with nothing, which changes no
 * byte, and reported as text and JSON; what is refused has a rule.
 */
#include "base/mem.h"
#include "fuzz/harness.h"
#include "fuzz/well_formed.h"
#include "ranks/merge.h"
#include "ranks/summary_private.h"
#include "report/job.h"
#include "report/json.h"

#include <stdlib.h>
#include <string.h>

/* Above which a report takes more than a moment. */
#define RANKS_MOST 200u

static int
by_hash(const void *left, const void *right)
{
	const struct wn_rank_name *a = left, *b = right;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

/* Gives each text its hash, also where it is referred to. */
static void
mend_names(unsigned char *bytes, size_t n)
{
	struct wn_ranks s;
	const struct wn_ranks_header *h = (const void *)bytes;
	uint64_t fixed = sizeof *h + (uint64_t)h->n_ranks * sizeof(struct wn_rank_row) +
	                 (uint64_t)h->n_places * sizeof(struct wn_rank_place) +
	                 (uint64_t)h->n_findings * sizeof(struct wn_rank_finding) +
	                 (uint64_t)h->n_calls * sizeof(struct wn_rank_call) +
	                 (uint64_t)h->n_names * sizeof(struct wn_rank_name);
	if (fixed >= n || bytes[n - 1] != '\0')
		return;
	summary_set(&s, bytes);
	struct wn_rank_name *names = (void *)(uintptr_t)s.names;
	for (size_t i = 0; i < h->n_names; i++) {
		if (names[i].offset >= n - fixed)
			return;
		uint64_t old = names[i].hash, hash = wn_name_hash(s.texts + names[i].offset);
		for (uint64_t *word = (uint64_t *)(void *)(bytes + sizeof *h);
		     (void *)word < (void *)names; word++)
			*word = *word == old ? hash : *word;
		names[i].hash = hash;
	}
	qsort(names, h->n_names, sizeof *names, by_hash);
}

static void
mend(unsigned char *bytes, size_t n)
{
	struct wn_ranks_header *h = (void *)bytes;
	memcpy(h->magic, WN_SUMMARY_MAGIC, sizeof h->magic);
	h->layout = wn_ranks_layout();
	h->n_bytes = n;
	mend_names(bytes, n);
	uint64_t fixed = sizeof *h + (uint64_t)h->n_ranks * sizeof(struct wn_rank_row) +
	                 (uint64_t)h->n_places * sizeof(struct wn_rank_place) +
	                 (uint64_t)h->n_findings * sizeof(struct wn_rank_finding) +
	                 (uint64_t)h->n_calls * sizeof(struct wn_rank_call) +
	                 (uint64_t)h->n_names * sizeof(struct wn_rank_name);
	h->n_text_bytes = fixed < n ? n - fixed : 0;
	h->hash = summary_hash(h);
}

static void
check(const char *what, const char *why)
{
	if (why)
		harness_give_up(what, why);
}

static void
present(const struct wn_job_report *r, unsigned sections)
{
	struct wn_text_style style = {.width = 80, .sections = sections, .n_top = 40};
	char *text = NULL;
	size_t n = 0;
	json_t *json = NULL;
	wn_err err = {.msg = ""};
	FILE *to = open_memstream(&text, &n);
	if (!to)
		abort();
	if (wn_job_report_text(r, &style, to, &err) != WN_OK)
		harness_give_up("a text", err.msg);
	fclose(to);
	check("a text", well_formed_text(text, n, &style));
	free(text);
	text = NULL;
	if (sections == 0)
		return;
	if (wn_job_report_json(r, &json, &err) != WN_OK || !(to = open_memstream(&text, &n)) ||
	    wn_report_json_write(json, to, &err) != WN_OK)
		harness_give_up("JSON", err.msg);
	fclose(to);
	check("JSON", well_formed_json(text, n));
	free(text);
	json_decref(json);
}

static void
report(const struct wn_ranks *s)
{
	const struct wn_job_absent absent = {1, "it is away"};
	const struct wn_job_input in = {
	    .name = "fuzz", .size = 3, .absent = &absent, .n_absent = 1};
	struct wn_job_report *r;
	wn_err err = {.msg = ""};
	wn_status st = wn_job_report_build(s, &in, &r, &err);
	if (st != WN_OK && (st != WN_E_EMPTY || s->header->n_ranks))
		harness_give_up("a report", err.msg);
	if (st != WN_OK)
		return;
	present(r, 0);
	present(r, WN_TEXT_ALL);
	wn_job_report_free(r);
}

/* Texts that nothing refers to are left out, and the others move. */
static void
merge(const struct wn_ranks *s)
{
	struct wn_merge m;
	struct wn_ranks once = {0}, twice = {0};
	wn_merge_init(&m);
	if (wn_merge_add(&m, s, NULL) != WN_OK || wn_merge_finish(&m, &once, NULL) != WN_OK)
		harness_give_up("a merger", "of one summary");
	wn_merge_fini(&m);
	wn_merge_init(&m);
	if (wn_merge_add(&m, &once, NULL) != WN_OK || wn_merge_finish(&m, &twice, NULL) != WN_OK ||
	    once.header->n_bytes != twice.header->n_bytes ||
	    memcmp(once.bytes, twice.bytes, once.header->n_bytes) != 0)
		harness_give_up("a merger", "another one gives other bytes");
	wn_merge_fini(&m);
	wn_ranks_fini(&once);
	wn_ranks_fini(&twice);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	struct wn_ranks s;
	wn_err err = {.msg = ""};
	unsigned char *copy = wn_calloc(size_bytes ? size_bytes : 1, 1);
	if (!copy)
		abort();
	if (size_bytes)
		memcpy(copy, bytes, size_bytes);
	if (size_bytes >= sizeof(struct wn_ranks_header))
		mend(copy, size_bytes);
	if (wn_ranks_read(copy, size_bytes, &s, &err) == WN_OK) {
		merge(&s);
		if (s.header->n_ranks <= RANKS_MOST)
			report(&s);
		wn_ranks_fini(&s);
	} else {
		if (strncmp(err.msg, "damaged summary (S", 18) != 0)
			harness_give_up("a complaint", err.msg);
		wn_free(copy);
	}
	if (wn_mem_live() != 0)
		harness_give_up("a summary", "memory is left");
	return 0;
}
