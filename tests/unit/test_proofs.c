/* SPDX-License-Identifier: MIT */
/* test_proofs.c - files of proofs, and what proofs say about predictions, against plain formulas.
 */
#include "base/mem.h"
#include "simulate/proofs.h"
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static wn_status
read_text(const char *text, struct wn_proofs *out, wn_err *err)
{
	return wn_proofs_read(text, strlen(text), out, err);
}

static const struct {
	const char *lines; /* after the head */
	uint64_t at;       /* byte of the fault behind the head */
} refused[] = {
    {"threads\tlibgomp\t2\t10\t5\t20\t12\tx", 0},                    /* no line end */
    {"thread\tlibgomp\t2\t10\t5\t20\t12\tx\n", 0},                   /* no such kind */
    {"threads\tgomp\t2\t10\t5\t20\t12\tx\n", 0},                     /* no such runtime */
    {"threads\tlibgomp\t0\t10\t5\t20\t12\tx\n", 0},                  /* no threads */
    {"threads\tlibgomp\t2\t-1\t5\t20\t12\tx\n", 0},                  /* a sign */
    {"threads\tlibgomp\t2\t10\t30\t20\t12\tx\n", 0},                 /* a range from above */
    {"threads\tlibgomp\t2\t10\t5\t20\t0\tx\n", 0},                   /* nothing measured */
    {"threads\tlibgomp\t2\t10\t5\t20\n", 0},                         /* too few fields */
    {"threads\tlibgomp\t2\t9999999999999999999\t5\t20\t12\tx\n", 0}, /* 300 years */
    {"threads\tlibgomp\t2\t10\t5\t20\t12\tx\n\n", 31},               /* an empty line */
};

static void
test_refused(void)
{
	struct wn_proofs p = {NULL, 7};
	wn_err err;
	char text[512];
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		snprintf(text, sizeof text, "%s%s", WN_PROOFS_HEAD, refused[i].lines);
		ok(read_text(text, &p, &err) == WN_E_FORMAT &&
		       err.offset == strlen(WN_PROOFS_HEAD) + refused[i].at && p.n == 7,
		   "text %zu is refused with its place", i);
	}
	ok(read_text("", &p, &err) == WN_E_FORMAT, "an empty file is none");
	ok(read_text("winnow proofs 2\n", &p, &err) == WN_E_FORMAT, "nor is a later version");
}

/* What is written is what is read. */
static void
test_round_trip(void)
{
	const struct wn_proof proofs[] = {
	    {WN_PROOF_THREADS, WN_RUNTIME_LIBGOMP, 2, 100, 90, 110, 105},
	    {WN_PROOF_CUTOFF, WN_RUNTIME_LIBOMP, 16, 0, 0, 1000000, 123},
	};
	char *text = NULL;
	size_t n_bytes = 0;
	struct wn_proofs p;
	wn_err err;
	FILE *to = open_memstream(&text, &n_bytes);
	fputs(WN_PROOFS_HEAD, to);
	wn_proof_write(&proofs[0], "a\tb\nc", to);
	wn_proof_write(&proofs[1], "", to);
	fclose(to);
	ok(wn_proofs_read(text, n_bytes, &p, &err) == WN_OK && p.n == 2, "two proofs are read");
	bool is_same = p.n == 2;
	for (size_t i = 0; is_same && i < 2; i++)
		is_same = p.items[i].kind == proofs[i].kind &&
		          p.items[i].runtime == proofs[i].runtime &&
		          p.items[i].n_threads == proofs[i].n_threads &&
		          p.items[i].ns == proofs[i].ns && p.items[i].low_ns == proofs[i].low_ns &&
		          p.items[i].high_ns == proofs[i].high_ns &&
		          p.items[i].measured_ns == proofs[i].measured_ns;
	ok(is_same, "as they were written");
	wn_proofs_fini(&p);
	free(text);
}

static struct wn_proof
proof_of(uint64_t predicted_ns, uint64_t measured_ns)
{
	return (struct wn_proof){WN_PROOF_THREADS,     WN_RUNTIME_LIBGOMP, 2,          predicted_ns,
	                         predicted_ns / 2 + 1, predicted_ns * 2,   measured_ns};
}

static bool
is_near(double a, double b)
{
	return fabs(a - b) < 1e-9 * fmax(1, fabs(b));
}

static void
test_refinement(void)
{
	struct wn_proof items[21];
	struct wn_proofs p = {items, 0};
	struct wn_refinement r = wn_proofs_of(&p, WN_PROOF_THREADS, WN_RUNTIME_LIBGOMP);
	ok(r.n == 0 && is_near(r.bias, 1), "without proofs there is no bias");
	for (; p.n < 4; p.n++)
		items[p.n] = proof_of(1000, 2000);
	r = wn_proofs_of(&p, WN_PROOF_THREADS, WN_RUNTIME_LIBGOMP);
	ok(r.n == 4 && r.n_held == 4 && is_near(r.bias, sqrt(2)),
	   "four proofs that took twice as long are half of a bias of 2");
	ok(is_near(1 + r.spread, sqrt(2)), "and the rest of it is spread");
	ok(wn_proofs_of(&p, WN_PROOF_THREADS, WN_RUNTIME_LIBOMP).n == 0 &&
	       wn_proofs_of(&p, WN_PROOF_CUTOFF, WN_RUNTIME_LIBGOMP).n == 0,
	   "proofs of another runtime or kind do not count");
	/* 20 errors of 1 % to 20 %, both ways: the bias is small, the spread the 18th of 20 */
	p.n = 0;
	for (uint64_t i = 1; i <= 20; i++)
		items[p.n++] = proof_of(1000000, i % 2 ? 1000000 + 10000 * i : 1000000 - 10000 * i);
	double sum = 0, errors[20];
	for (size_t i = 0; i < 20; i++)
		sum += log((double)items[i].measured_ns / (double)items[i].ns);
	double bias = sum / 24;
	size_t n_within = 0;
	r = wn_proofs_of(&p, WN_PROOF_THREADS, WN_RUNTIME_LIBGOMP);
	for (size_t i = 0; i < 20; i++) {
		errors[i] = fabs(log((double)items[i].measured_ns / (double)items[i].ns) - bias);
		n_within += errors[i] <= log1p(r.spread) + 1e-12;
	}
	ok(is_near(r.bias, exp(bias)) && n_within == 18, "nine tenths are within the spread");
}

static void
test_refine(void)
{
	struct wn_prediction plain = {.n_threads = 2,
	                              .ns = 1000,
	                              .low_ns = 900,
	                              .high_ns = 1100,
	                              .speed_up = 2,
	                              .efficiency = 1,
	                              .bound_work_ns = 800};
	struct wn_prediction p = plain;
	struct wn_refinement r = {.n = WN_PROOFS_LEAST - 1, .bias = 2, .spread = 1};
	wn_refine(&r, &p);
	ok(p.ns == 1000 && p.low_ns == 900 && p.high_ns == 1100, "too few proofs change nothing");
	r.n = WN_PROOFS_LEAST;
	wn_refine(&r, &p);
	ok(p.ns == 2000 && p.low_ns == 1000 && p.high_ns == 4000 && is_near(p.speed_up, 1),
	   "times are multiplied by the bias, and the range is as wide as the spread");
	p = plain;
	r = (struct wn_refinement){.n = 9, .bias = 1, .spread = 0.01};
	wn_refine(&r, &p);
	ok(p.low_ns == 900 && p.high_ns == 1100, "a range is not narrowed");
	p = plain;
	r = (struct wn_refinement){.n = 9, .bias = 0.5, .spread = 0};
	wn_refine(&r, &p);
	ok(p.ns == 800 && p.low_ns >= 776 && p.low_ns <= p.ns && p.ns <= p.high_ns,
	   "nothing falls below the bound");
	p = plain;
	p.ns = 0;
	wn_refine(&(struct wn_refinement){.n = 9, .bias = 2}, &p);
	ok(p.ns == 0 && p.high_ns == 2200, "a range alone is refined as a range");
}

static void
test_kinds(void)
{
	const struct wn_sim_change cut = {.kind = WN_SIM_CHANGE_CUTOFF},
				   chunk[] = {{.kind = WN_SIM_CHANGE_SCHEDULE},
	                                      {.kind = WN_SIM_CHANGE_CHUNK}},
				   mixed[] = {{.kind = WN_SIM_CHANGE_FASTER},
	                                      {.kind = WN_SIM_CHANGE_CHUNK}};
	ok(wn_proof_kind_of(NULL, 0, true) == WN_PROOF_REPLAY &&
	       wn_proof_kind_of(NULL, 0, false) == WN_PROOF_THREADS &&
	       wn_proof_kind_of(&cut, 1, false) == WN_PROOF_CUTOFF &&
	       wn_proof_kind_of(chunk, 2, true) == WN_PROOF_SCHEDULE &&
	       wn_proof_kind_of(mixed, 2, true) == WN_PROOF_SOURCE,
	   "kinds follow from the changes");
}

int
main(void)
{
	test_refused();
	test_round_trip();
	test_refinement();
	test_refine();
	test_kinds();
	ok(wn_mem_live() == 0, "all memory is released");
	return done();
}
