/* SPDX-License-Identifier: MIT */
/*
 * test_hostile.c - run.grains damaged in any way: cut at each border of parts and blocks and beside
 * it, bytes changed, numbers of the directory changed behind its checksum. It is refused in a
 * sentence, or what is whole can be read; no change goes unseen. Also: no memory, and budgets.
 */
#include "page_file.h"

#include "base/mem.h"
#include "fuzz/grains_all.h"
#include "grains/deflate.h"
#include "tests/property/program.h"
#include "tests/tap.h"
#include "view/page_html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 100000u
#define STRIDE   7u /* of bytes that are changed: some, any */
#define LIES     5000

static uint64_t n_faults, n_silent, n_wordless;
static long n_live; /* blocks of memory that are there anyway */

/* The status of opening and reading all; is there a sentence for it? */
static wn_status
try_bytes(const void *bytes, size_t n, struct grains_read *read, bool *is_cut)
{
	struct wn_grains_file *f;
	wn_err err = {.msg = ""};
	*read = (struct grains_read){0};
	/* a block of its own, so that a sanitizer sees a byte too far */
	void *copy = malloc(n ? n : 1);
	memcpy(copy, bytes, n);
	wn_status st = wn_grains_open_bytes(copy, n, &f, &err);
	if (st == WN_OK) {
		*is_cut = f->is_cut;
		st = grains_read_all(f, ROWS_MAX, read, &err);
		wn_grains_close(f);
	}
	free(copy);
	n_faults += st != WN_OK;
	n_wordless += st != WN_OK && (!err.msg[0] || strchr(err.msg, '\n'));
	if (wn_mem_live() != n_live && n_silent++ < 5)
		note("memory is left");
	return st;
}

static struct wn_grains_file *
open_whole(const struct page_file *h)
{
	struct wn_grains_file *f;
	if (wn_grains_open_bytes(h->bytes, h->n_bytes, &f, NULL) != WN_OK)
		abort();
	return f;
}

/* A cut is seen, and all that lies before it can be read. */
static void
cut_at(const struct page_file *h, size_t n, size_t n_before)
{
	bool is_cut = false;
	struct grains_read read;
	wn_status st = try_bytes(h->bytes, n, &read, &is_cut);
	bool is_good = n == h->n_bytes ? st == WN_OK : st != WN_OK || is_cut;
	if ((!is_good || (is_cut && read.n < n_before)) && n_silent++ < 5)
		note("cut at %zu of %zu: %d, %zu columns read of %zu", n, h->n_bytes, (int)st,
		     read.n, n_before);
}

static size_t
cut_everywhere(struct page_file *h)
{
	struct wn_grains_file *f = open_whole(h);
	size_t n_cuts = 0, n_before = 0;
	uint64_t *borders = calloc((size_t)f->head.n_blocks + 1, sizeof *borders);
	size_t *before = calloc((size_t)f->head.n_blocks + 1, sizeof *before);
	uint32_t n = f->head.n_blocks;
	/* columns of chunks need others of theirs: only those of other parts are sure to be there
	 */
	for (uint32_t k = 0; k < f->head.n_parts; k++)
		for (uint32_t b = 0; b < f->parts[k].n_blocks; b++) {
			const struct wn_grains_block *block =
			    &f->blocks[f->parts[k].first_block + b];
			borders[f->parts[k].first_block + b] = block->at + block->bytes;
			n_before += f->parts[k].kind != WN_PART_CHUNK;
			before[f->parts[k].first_block + b] = n_before;
		}
	uint64_t front[] = {0, 1, 8, WN_GRAINS_HEAD_BYTES, f->head.directory_at, f->head.parts_at};
	wn_grains_close(f);
	for (uint32_t b = 0; b < n; b++)
		for (int beside = -1; beside <= 1; beside++, n_cuts++)
			if (borders[b] + (uint64_t)beside <= h->n_bytes)
				cut_at(h, borders[b] + (uint64_t)beside,
				       beside < 0 ? 0 : before[b]);
	for (size_t i = 0; i < sizeof front / sizeof *front; i++)
		for (int beside = i > 0 ? -1 : 0; beside <= 1; beside++, n_cuts++)
			cut_at(h, front[i] + (uint64_t)beside, 0);
	free(borders);
	free(before);
	return n_cuts;
}

/* All bytes are under a checksum, or bits of it are nobody's: then all is as it was. */
static void
flip_everywhere(struct page_file *h, uint64_t seed)
{
	struct random r = {seed};
	bool is_whole = false;
	struct grains_read as_it_was;
	uint64_t n_nobodys = 0;
	if (try_bytes(h->bytes, h->n_bytes, &as_it_was, &is_whole) != WN_OK)
		abort();
	for (size_t i = 0; i < h->n_bytes; i += 1 + random_below(&r, STRIDE)) {
		bool is_cut = false;
		struct grains_read read;
		char old = h->bytes[i];
		h->bytes[i] = (char)(old ^ (1 << random_below(&r, 8)));
		bool is_seen = try_bytes(h->bytes, h->n_bytes, &read, &is_cut) != WN_OK || is_cut;
		n_nobodys += !is_seen;
		if (!is_seen && read.sum != as_it_was.sum && n_silent++ < 5)
			note("byte %zu of %zu changed, and nobody noticed", i, h->n_bytes);
		h->bytes[i] = old;
	}
	note("%" PRIu64 " changes were of bits that mean nothing", n_nobodys);
}

/* A number of the head or directory becomes another, and all checksums fit. */
static wn_status
lie(const struct page_file *h, struct random *r, struct wn_deflate *d, struct wn_inflate *inflate)
{
	struct wn_grains_head head;
	bool is_cut;
	struct grains_read read;
	static const uint8_t sizes[] = {1, 2, 4, 8};
	static const uint64_t values[] = {0, 1, 2, 7, 255, 65535, 65536, UINT32_MAX, UINT64_MAX};
	wn_grains_get_head((const uint8_t *)h->bytes, &head);
	uint8_t *raw = malloc(head.directory_raw_bytes), front[WN_GRAINS_HEAD_BYTES];
	if (!wn_inflate(inflate, h->bytes + head.directory_at, head.directory_bytes, raw,
	                head.directory_raw_bytes))
		abort();
	bool is_head = random_one_in(r, 4);
	uint8_t *at = is_head ? (uint8_t *)&head : raw;
	size_t n = is_head ? sizeof head : head.directory_raw_bytes;
	unsigned size = sizes[random_below(r, 4)];
	size_t place = random_below(r, (uint32_t)(n / size)) * size;
	uint64_t value = random_one_in(r, 2) ? values[random_below(r, 9)] : random_next(r) % 300;
	memcpy(at + place, &value, size);
	size_t n_raw = n == sizeof head ? 0 : head.directory_raw_bytes;
	/* the new directory at the end of the file, where there is room */
	size_t bound = wn_deflate_bound(d, head.directory_raw_bytes);
	uint8_t *file = calloc(h->n_bytes + bound + (n_raw ? 0 : 64), 1);
	memcpy(file, h->bytes, h->n_bytes);
	size_t n_file = h->n_bytes;
	if (!is_head) {
		head.directory_at = h->n_bytes;
		head.directory_bytes = (uint32_t)wn_deflate(d, raw, n_raw, file + n_file, bound);
		head.directory_crc = wn_deflate_crc(raw, n_raw);
		n_file += head.directory_bytes;
	}
	wn_grains_put_head(front, &head);
	memcpy(file, front, sizeof front);
	wn_status st = try_bytes(file, n_file, &read, &is_cut);
	free(file);
	free(raw);
	return st;
}

/* --- budgets --- */

static void
test_budgets(struct page_file *h)
{
	struct wn_page_data_options options = {.n_threads = 1, .chunk_grains = 8};
	wn_err err = {.msg = ""};
	if (page_file_write(h, &options, &err) != WN_OK)
		abort();
	size_t n_all = h->n_bytes;
	uint64_t n_fit = 0, n_small = 0, n_partly = 0;
	bool is_good = true;
	for (options.budget_bytes = 500; options.budget_bytes <= n_all + 500;
	     options.budget_bytes += n_all / 40) {
		struct wn_grains_file *f;
		struct grains_read read;
		wn_status st = page_file_write(h, &options, &err);
		if (st == WN_E_ARG) {
			n_small++;
			is_good &= n_fit == 0 && strstr(err.msg, "budget") != NULL;
			continue;
		}
		is_good &= st == WN_OK && h->n_bytes <= options.budget_bytes;
		f = open_whole(h);
		n_fit++;
		is_good &= grains_read_all(f, ROWS_MAX, &read, &err) == WN_OK && read.n > 50;
		is_good &=
		    f->head.left_out_bytes > 0 || strstr(f->index, "\"left_out\":null") != NULL;
		if (f->head.left_out_bytes > 0) {
			n_partly++;
			is_good &= strstr(f->index, "\"sentence\":\"This file holds ") != NULL;
		}
		wn_grains_close(f);
	}
	ok(is_good && n_small && n_partly > 3 && n_fit > n_partly,
	   "a file is not larger than its budget, and says what is not there: %" PRIu64
	   " too small, %" PRIu64 " in part, %" PRIu64 " whole",
	   n_small, n_partly, n_fit - n_partly);
}

/* --- names --- */

/* Names of places are the program's; what turns the direction of writing would hide what stands
 * beside it on the page. */
static void
test_names(struct page_file *h)
{
	struct wn_page_data_options options = {.n_threads = 1, .chunk_grains = 16};
	struct wn_report_place *place = h->report->places.items;
	const char *label = place->label;
	if (h->report->places.n == 0)
		abort();
	place->label = "a\xe2\x80\xae"
		       "b\x1b[31m";
	wn_status st = page_file_write(h, &options, NULL);
	struct wn_grains_file *f = st == WN_OK ? open_whole(h) : NULL;
	ok(f && strstr(f->index, "a\\\\u202eb\\\\x1b[31m") && !strstr(f->index, "\xe2\x80\xae"),
	   "names of places turn nothing around them");
	if (f)
		wn_grains_close(f);
	place->label = label;
}

/* --- the page --- */

static int
value_of_digit(char c)
{
	return c >= 'A' && c <= 'Z'   ? c - 'A'
	       : c >= 'a' && c <= 'z' ? c - 'a' + 26
	       : c >= '0' && c <= '9' ? c - '0' + 52
	       : c == '+'             ? 62
	       : c == '/'             ? 63
	                              : -1;
}

/* The bytes of the pieces of a page, one after the other, if they say where they are; else 0. */
static size_t
take_pieces(const char *page, uint8_t *out, size_t *n_pieces)
{
	static const char begin[] = "<script type=\"application/x-winnow\" data-at=\"";
	static const char end[] = "</script><script>K()</script>\n";
	size_t n = 0;
	for (const char *at = page; (at = strstr(at, begin)); ++*n_pieces) {
		char *after;
		uint32_t bits = 0, n_bits = 0;
		if (strtoull(at + sizeof begin - 1, &after, 10) != n ||
		    strncmp(after, "\">", 2) != 0)
			return 0;
		for (at = after + 2; value_of_digit(*at) >= 0; at++) {
			bits = bits << 6 | (uint32_t)value_of_digit(*at);
			n_bits += 6;
			if (n_bits >= 8)
				out[n++] = (uint8_t)(bits >> (n_bits -= 8));
		}
		at += strspn(at, "=");
		if (strncmp(at, end, sizeof end - 1) != 0)
			return 0;
	}
	return n;
}

static void
test_page(struct page_file *h)
{
	struct wn_page_data_options options = {.n_threads = 1, .chunk_grains = 20};
	size_t n_pieces = 0;
	if (page_file_write(h, &options, NULL) != WN_OK)
		abort();
	char *grains = h->bytes;
	size_t n_grains = h->n_bytes;
	h->bytes = NULL;
	options.is_page = true;
	if (page_file_write(h, &options, NULL) != WN_OK)
		abort();
	uint8_t *back = malloc(h->n_bytes);
	size_t n = take_pieces(h->bytes, back, &n_pieces);
	ok(n == n_grains && memcmp(back, grains, n) == 0 && n_pieces > 3,
	   "the pieces of a page are the file, in %zu pieces", n_pieces);
	struct wn_grains_head head;
	wn_grains_get_head(back, &head);
	const char *first = strstr(h->bytes, "x-winnow\" data-at=\"0\""),
		   *second = first ? strstr(first + 10, "x-winnow\" data-at=\"") : NULL;
	ok(second &&
	       strtoull(second + strlen("x-winnow\" data-at=\""), NULL, 10) == head.first_bytes,
	   "the first piece is what a first picture needs");
	const char *app = strstr(h->bytes, "<div id=\"app\">"),
		   *script = app ? strstr(app, "<script>") : NULL;
	const char *verdict = app ? strstr(app, "<div id=\"verdict\"") : NULL;
	ok(verdict && verdict < script, "the verdict stands before any script");
	ok(!strstr(h->bytes, "@FIRST@") && !strstr(h->bytes, "@DATA@") &&
	       !strstr(h->bytes, "@TOLD@") && !strstr(h->bytes, "@CONNECT@") &&
	       strncmp(h->bytes, "<!doctype html>", 15) == 0 && script &&
	       h->n_bytes <
	           wn_page_html_bytes + (size_t)(script - app) + n * 4 / 3 + 100 * (n_pieces + 1),
	   "and the rest is the page");
	free(back);
	free(grains);
}

/* A page with a budget says what it left out among its first words, behind what is worst; else its
 * first words are those of the whole page. The options of one come back. */
static struct wn_page_data_options
test_page_of_budget(struct page_file *h)
{
	static const char begin[] = "<div id=\"verdict\"", end[] = "</main>";
	static const char sentence[] = "<p id=\"left-out\">This file holds ", after[] = "</p>";
	struct wn_page_data_options options = {.n_threads = 1, .chunk_grains = 8, .is_page = true};
	if (page_file_write(h, &options, NULL) != WN_OK)
		abort();
	char *whole = h->bytes;
	size_t n_whole = h->n_bytes;
	h->bytes = NULL;
	bool is_partly = false, is_good = false;
	for (options.budget_bytes = n_whole - 100; options.budget_bytes > n_whole / 2 && !is_partly;
	     options.budget_bytes -= 500) {
		if (page_file_write(h, &options, NULL) != WN_OK)
			break;
		const char *from = strstr(h->bytes, begin), *to = from ? strstr(from, end) : NULL;
		const char *said = from ? strstr(from, sentence) : NULL;
		is_partly = said != NULL && said < to;
		if (!is_partly)
			continue;
		const char *rest = strstr(said, after) + strlen(after), *all = strstr(whole, begin);
		size_t n_before = (size_t)(said - from), n_rest = (size_t)(to - rest);
		is_good = h->n_bytes <= options.budget_bytes && strncmp(all, from, n_before) == 0 &&
		          strncmp(all + n_before, rest, n_rest) == 0 &&
		          strncmp(said - strlen(after), after, strlen(after)) == 0;
		break;
	}
	ok(is_partly && is_good,
	   "a page of %zu bytes, of %zu, has the same words and a sentence more", h->n_bytes,
	   n_whole);
	free(whole);
	return options;
}

/* --- no memory --- */

/* Writing what the options say, with each allocation failing once; the number of these, or 0. */
static long
fail_writing(struct page_file *h, const struct wn_page_data_options *options)
{
	long n_before = wn_mem_live(), n = 0;
	for (;; n++) {
		wn_err err = {.msg = ""};
		wn_mem_fail_after(n);
		wn_status st = page_file_write(h, options, &err);
		wn_mem_fail_after(-1);
		bool is_good =
		    wn_mem_live() == n_before && (st == WN_OK || (st == WN_E_NOMEM && err.msg[0]));
		if (!is_good)
			note("allocation %ld: %d, %s; %ld left", n, (int)st, err.msg,
			     wn_mem_live() - n_before);
		if (st == WN_OK || !is_good)
			return is_good ? n : 0;
	}
}

static void
test_no_memory(struct page_file *h, const struct wn_page_data_options *page)
{
	struct wn_page_data_options options = {.n_threads = 1, .chunk_grains = 50};
	struct wn_page_data_options whole_page = options;
	long n_before = wn_mem_live(), n_of_page = fail_writing(h, page);
	whole_page.is_page = true;
	long n_of_whole = fail_writing(h, &whole_page), n = fail_writing(h, &options);
	bool is_good = true;
	ok(n > 100, "each of %ld allocations of writing may fail", n);
	ok(n_of_page > n && n_of_whole > n, "and each of %ld and %ld of writing a page", n_of_whole,
	   n_of_page);
	for (n = 0;; n++) {
		struct wn_grains_file *f;
		struct grains_read read;
		wn_err err = {.msg = ""};
		wn_mem_fail_after(n);
		wn_status st = wn_grains_open_bytes(h->bytes, h->n_bytes, &f, &err);
		if (st == WN_OK) {
			st = grains_read_all(f, ROWS_MAX, &read, &err);
			wn_grains_close(f);
		}
		wn_mem_fail_after(-1);
		is_good &= wn_mem_live() == n_before && (st == WN_OK || st == WN_E_NOMEM);
		if (st == WN_OK || !is_good)
			break;
	}
	ok(is_good && n > 20, "each of %ld allocations of reading may fail", n);
}

/* A program's run with some of everything. */
static bool
find_run(struct page_file *h, uint64_t from, size_t n_least, size_t n_most)
{
	struct wn_page_data_options options = {.n_threads = 1};
	for (uint64_t seed = from; seed < from + 200; seed++) {
		if (page_file_run(h, seed) && h->report->graph->n_loops > 0 &&
		    h->report->graph->n_dependents > 0 &&
		    page_file_write(h, &options, NULL) == WN_OK && h->n_bytes >= n_least &&
		    h->n_bytes <= n_most)
			return true;
		page_file_free(h);
	}
	return false;
}

int
main(void)
{
	static struct page_file h;
	struct wn_page_data_options options = {.n_threads = 1, .chunk_grains = 16};
	struct wn_deflate *d = wn_deflate_new(1);
	struct wn_inflate *inflate = wn_inflate_new();
	struct random r = {99};
	if (!ok(find_run(&h, 1, 7000, 30000), "there is a run to be damaged"))
		return done();
	test_page(&h);
	test_budgets(&h);
	test_names(&h);
	struct wn_page_data_options page = test_page_of_budget(&h);
	test_no_memory(&h, &page);
	if (page_file_write(&h, &options, NULL) != WN_OK)
		abort();
	/* from here on nothing but the file is alive */
	struct page_file file = {.bytes = h.bytes, .n_bytes = h.n_bytes};
	h.bytes = NULL;
	page_file_free(&h);
	n_live = wn_mem_live();
	size_t n_cuts = cut_everywhere(&file);
	ok(n_silent == 0, "%zu cuts: refused, or read as far as it goes", n_cuts);
	n_silent = 0;
	flip_everywhere(&file, 5);
	ok(n_silent == 0, "bytes of %zu changed, one by one: always seen", file.n_bytes);
	n_silent = 0;
	uint64_t n_refused = 0;
	for (int i = 0; i < LIES; i++)
		n_refused += lie(&file, &r, d, inflate) != WN_OK;
	ok(n_silent == 0 && n_refused > LIES / 10,
	   "%d wrong numbers: %" PRIu64 " are refused, all do no harm", LIES, n_refused);
	ok(n_faults > 1000 && n_wordless == 0, "each fault is told in a sentence");
	wn_deflate_free(d);
	wn_inflate_free(inflate);
	free(file.bytes);
	return done();
}
