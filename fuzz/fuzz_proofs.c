/* SPDX-License-Identifier: MIT */
/*
 * fuzz_proofs.c - the input is a file of proofs. What is refused has a place and a reason; what is
 * read is the same when it is written and read again, and refines a prediction to a finite one
 * whose range contains its time.
 */
#include "base/mem.h"
#include "fuzz/harness.h"
#include "simulate/proofs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
check_refinement(const struct wn_proofs *p, int kind, int runtime)
{
	struct wn_prediction at = {.n_threads = 2,
	                           .ns = 1000000,
	                           .low_ns = 900000,
	                           .high_ns = 1200000,
	                           .speed_up = 1.5,
	                           .bound_work_ns = 700000};
	struct wn_refinement r =
	    wn_proofs_of(p, (enum wn_proof_kind)kind, (enum wn_runtime_kind)runtime);
	if (!isfinite(r.bias) || r.bias <= 0 || !isfinite(r.spread) || r.spread < -1e-9 ||
	    r.n_held > r.n || r.n > p->n)
		abort();
	if (r.bias > 1e6 || r.spread > 1e6) /* times that no run has */
		return;
	wn_refine(&r, &at);
	if (at.low_ns > at.ns + 1 || at.ns > at.high_ns + 1 || at.ns < at.bound_work_ns ||
	    !isfinite(at.speed_up))
		abort();
}

/* Writes proofs as a file does. Released with free(). */
static char *
written(const struct wn_proofs *p, size_t *n_bytes)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, n_bytes);
	if (!to)
		return NULL;
	fputs(WN_PROOFS_HEAD, to);
	for (size_t i = 0; i < p->n; i++)
		wn_proof_write(&p->items[i], "", to);
	fclose(to);
	return text;
}

static void
check_again(const struct wn_proofs *p)
{
	size_t n_first, n_second;
	struct wn_proofs again;
	wn_err err;
	char *first = written(p, &n_first);
	if (!first || wn_proofs_read(first, n_first, &again, &err) != WN_OK || again.n != p->n)
		abort();
	char *second = written(&again, &n_second);
	if (!second || n_first != n_second || memcmp(first, second, n_first) != 0)
		abort();
	wn_proofs_fini(&again);
	free(first);
	free(second);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
	struct wn_proofs p;
	wn_err err = {.msg = "", .offset = WN_NO_OFFSET};
	char *text = malloc(size_bytes + 1);
	if (!text)
		return 0;
	memcpy(text, bytes, size_bytes);
	if (wn_proofs_read(text, size_bytes, &p, &err) == WN_OK) {
		for (int kind = 0; kind < WN_PROOF_N; kind++)
			for (int runtime = 0; runtime < 2; runtime++)
				check_refinement(&p, kind, runtime);
		check_again(&p);
		wn_proofs_fini(&p);
	} else if (err.msg[0] == '\0' || err.offset > size_bytes) {
		abort();
	}
	free(text);
	if (wn_mem_live() != 0)
		abort();
	return 0;
}
