/* SPDX-License-Identifier: MIT */
/*
 * support.c - see support.h. rnd_hash() is that of truth.c.
 */
#include "support.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern void omp_set_schedule(int kind, int chunk); /* omp.h is one compiler's, this is for all */
extern void omp_fulfill_event(omp_event_handle_t event);

static _Atomic uint64_t sum;
static int is_on;

static uint64_t
rnd_hash(uint64_t node, uint64_t value)
{
	uint64_t z = node * 0x9e3779b97f4a7c15u + value * 0xc2b2ae3d27d4eb4fu;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	return z ^ (z >> 31);
}

void
rnd_work(int node, unsigned long value)
{
	uint64_t hash = rnd_hash((uint64_t)node, value);
	for (volatile unsigned i = 0; i < (hash & 63); i++)
		;
	atomic_fetch_add_explicit(&sum, hash, memory_order_relaxed);
}

void
rnd_fulfill(omp_event_handle_t event)
{
	omp_fulfill_event(event);
}

void
rnd_schedule(int kind, int chunk)
{
	omp_set_schedule(kind, chunk);
}

int
rnd_begin(int program, int argc, char **argv)
{
	is_on = argc < 2;
	for (int i = 1; i < argc; i++)
		is_on |= atoi(argv[i]) == program;
	sum = 0;
	return is_on;
}

/* main() is Fortran's, and has no arguments. */
int
rnd_begin_fortran(int program)
{
	static char line[4096];
	static char *words[256];
	static int n_words;
	FILE *in = n_words ? NULL : fopen("/proc/self/cmdline", "r");
	size_t length = in ? fread(line, 1, sizeof line - 1, in) : 0;
	for (size_t i = 0; i < length && n_words < 256; i++)
		if (line[i] && (i == 0 || !line[i - 1]))
			words[n_words++] = &line[i];
	if (in)
		fclose(in);
	return rnd_begin(program, n_words, words);
}

void
rnd_end(int program)
{
	if (is_on)
		printf("%d %016llx\n", program, (unsigned long long)sum);
}
