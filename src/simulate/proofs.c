/* SPDX-License-Identifier: MIT */
#include "simulate/proofs.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const wn_proof_kinds[WN_PROOF_N] = {
    "replay", "threads", "schedule", "wait_policy", "binding", "cutoff", "source", "finding",
};
const char *const wn_proof_titles[WN_PROOF_N] = {
    "runs as recorded", "other numbers of threads",
    "schedules",        "wait policies",
    "thread binding",   "cut-offs",
    "changes",          "findings",
};

static const char *const runtimes[] = {
    [WN_RUNTIME_LIBGOMP] = "libgomp",
    [WN_RUNTIME_LIBOMP] = "libomp",
};

/* --- the file --- */

/* Takes the text up to the next tab or the end. False: there is none. */
static bool
take_field(const char **at, const char *end, const char **field, size_t *n_bytes)
{
	if (!*at)
		return false;
	const char *tab = memchr(*at, '\t', (size_t)(end - *at));
	*field = *at;
	*n_bytes = (size_t)((tab ? tab : end) - *at);
	*at = tab ? tab + 1 : NULL;
	return true;
}

static bool
take_number(const char **at, const char *end, uint64_t most, uint64_t *out)
{
	const char *field;
	size_t n_bytes;
	uint64_t value = 0;
	if (!take_field(at, end, &field, &n_bytes) || n_bytes == 0 || n_bytes > 19)
		return false;
	for (size_t i = 0; i < n_bytes; i++) {
		if (field[i] < '0' || field[i] > '9')
			return false;
		value = 10 * value + (uint64_t)(field[i] - '0');
	}
	*out = value;
	return value <= most;
}

static bool
take_name(const char **at, const char *end, const char *const *names, unsigned n, unsigned *out)
{
	const char *field;
	size_t n_bytes;
	if (!take_field(at, end, &field, &n_bytes))
		return false;
	for (unsigned i = 0; i < n; i++)
		if (strlen(names[i]) == n_bytes && memcmp(names[i], field, n_bytes) == 0) {
			*out = i;
			return true;
		}
	return false;
}

/* Ten years: sums of such times do not overflow. */
#define TIME_MAX (UINT64_C(10) * 366 * 86400 * 1000000000)

static bool
read_line(const char *at, const char *end, struct wn_proof *p)
{
	unsigned kind = 0, runtime = 0;
	uint64_t n_threads = 0;
	if (!take_name(&at, end, wn_proof_kinds, WN_PROOF_N, &kind) ||
	    !take_name(&at, end, runtimes, 2, &runtime) ||
	    !take_number(&at, end, 65536, &n_threads) || !take_number(&at, end, TIME_MAX, &p->ns) ||
	    !take_number(&at, end, TIME_MAX, &p->low_ns) ||
	    !take_number(&at, end, TIME_MAX, &p->high_ns) ||
	    !take_number(&at, end, TIME_MAX, &p->measured_ns))
		return false;
	p->kind = (enum wn_proof_kind)kind;
	p->runtime = (enum wn_runtime_kind)runtime;
	p->n_threads = (uint32_t)n_threads;
	return n_threads > 0 && p->measured_ns > 0 && p->low_ns <= p->high_ns;
}

wn_status
wn_proofs_read(const char *text, size_t n_bytes, struct wn_proofs *out, wn_err *err)
{
	struct wn_proofs p = {NULL, 0};
	size_t head = strlen(WN_PROOFS_HEAD), capacity = 0, at = head;
	wn_status st = WN_OK;
	if (n_bytes < head || memcmp(text, WN_PROOFS_HEAD, head) != 0)
		return wn_fail(err, WN_E_FORMAT, 0, "not a file of proofs");
	while (at < n_bytes) {
		const char *end = memchr(text + at, '\n', n_bytes - at);
		struct wn_proof proof = {.n_threads = 0};
		if (!end || p.n == WN_PROOFS_MAX || !read_line(text + at, end, &proof))
			WN_TRY(wn_fail(err, WN_E_FORMAT, at,
			               p.n == WN_PROOFS_MAX ? "more than 10000 proofs"
			                                    : "line %zu is not a proof",
			               p.n + 2));
		if (wn_grow(&p.items, &capacity, p.n + 1, sizeof *p.items) != 0)
			WN_TRY(wn_no_memory(err));
		p.items[p.n++] = proof;
		at = (size_t)(end - text) + 1;
	}
	*out = p;
	p.items = NULL;
out:
	wn_free(p.items);
	return st;
}

void
wn_proofs_fini(struct wn_proofs *p)
{
	wn_free(p->items);
	*p = (struct wn_proofs){NULL, 0};
}

void
wn_proof_write(const struct wn_proof *p, const char *about, FILE *to)
{
	fprintf(to, "%s\t%s\t%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t",
	        wn_proof_kinds[p->kind], runtimes[p->runtime], p->n_threads, p->ns, p->low_ns,
	        p->high_ns, p->measured_ns);
	for (; *about; about++)
		fputc((unsigned char)*about < ' ' ? ' ' : *about, to);
	fputc('\n', to);
}

enum wn_proof_kind
wn_proof_kind_of(const struct wn_sim_change *changes, size_t n_changes, bool is_recorded_threads)
{
	enum wn_proof_kind kind = is_recorded_threads ? WN_PROOF_REPLAY : WN_PROOF_THREADS;
	for (size_t i = 0; i < n_changes; i++) {
		if (changes[i].kind == WN_SIM_CHANGE_WAIT_POLICY && n_changes == 1)
			return WN_PROOF_WAIT_POLICY;
		bool is_schedule = changes[i].kind == WN_SIM_CHANGE_CHUNK ||
		                   changes[i].kind == WN_SIM_CHANGE_SCHEDULE;
		if (changes[i].kind == WN_SIM_CHANGE_CUTOFF)
			return WN_PROOF_CUTOFF;
		kind = is_schedule && kind != WN_PROOF_SOURCE ? WN_PROOF_SCHEDULE : WN_PROOF_SOURCE;
	}
	return kind;
}

bool
wn_proof_holds(const struct wn_proof *p)
{
	return p->measured_ns >= p->low_ns && p->measured_ns <= p->high_ns;
}

/* --- bias and spread --- */

#define SHRINK 4.0 /* so many proofs of no bias are assumed beside the real ones */

struct wn_refinement
wn_proofs_of(const struct wn_proofs *p, enum wn_proof_kind kind, enum wn_runtime_kind runtime)
{
	struct wn_refinement r = {.bias = 1};
	double *errors = wn_calloc(p->n + 1, sizeof *errors), sum = 0;
	size_t n = 0;
	if (!errors)
		return r;
	for (size_t i = 0; i < p->n; i++) {
		const struct wn_proof *proof = &p->items[i];
		if (proof->kind != kind || proof->runtime != runtime || !proof->ns)
			continue;
		r.n_held += wn_proof_holds(proof);
		errors[n++] = log((double)proof->measured_ns / (double)proof->ns);
		sum += errors[n - 1];
	}
	r.n = n;
	if (n > 0) {
		double bias = sum / ((double)n + SHRINK);
		for (size_t i = 0; i < n; i++)
			errors[i] = fabs(errors[i] - bias);
		qsort(errors, n, sizeof *errors, wn_compare_double);
		r.bias = exp(bias);
		r.spread = expm1(errors[(size_t)ceil(0.9 * (double)n) - 1]);
	}
	wn_free(errors);
	return r;
}

void
wn_refine(const struct wn_refinement *r, struct wn_prediction *p)
{
	uint64_t bound_ns =
	    p->bound_work_ns > p->bound_span_ns ? p->bound_work_ns : p->bound_span_ns;
	if (r->n < WN_PROOFS_LEAST)
		return;
	double least = fmax(1, (double)bound_ns), ns = fmax((double)p->ns * r->bias, least);
	p->low_ns = (uint64_t)fmin((double)p->low_ns * r->bias, ns / (1 + r->spread));
	p->high_ns = (uint64_t)fmax((double)p->high_ns * r->bias, ns * (1 + r->spread));
	p->low_ns = (uint64_t)fmax((double)p->low_ns, 0.97 * (double)bound_ns);
	if (p->ns) {
		double factor = ns / (double)p->ns;
		p->speed_up /= p->n_threads > 1 ? factor : 1;
		p->efficiency = p->speed_up / p->n_threads;
		p->ns = (uint64_t)ns;
	}
	p->fast_ns = (uint64_t)((double)p->fast_ns * r->bias);
	p->slow_ns = (uint64_t)((double)p->slow_ns * r->bias);
}
