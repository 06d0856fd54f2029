/* SPDX-License-Identifier: MIT */
/*
 * cuts.c [--cuts N] [--replayed N] [--reports N] [--seed N] RECORDING... - cuts recordings in every
 * way in which a killed process may leave them, and requires that the graph of each part obeys all
 * laws. TAP: a line for each recording.
 *
 * cuts.c --keep N,N,... RECORDING - one cut, with that many records of each thread, as was printed;
 * it is left in RECORDING.cut.
 *
 *   thread    one thread is cut after each of its records, the others are whole
 *   instant   all threads are cut after each instant of time: what a kill leaves
 *   apart     each thread is cut anywhere, apart from the others
 *   lost      blocks are missing, and threads are cut on top of that
 *
 * Where there would be more than N cuts of a kind (--cuts, 4000), or more than N records would be
 * replayed for it (--replayed, 40000000), they are drawn at random, with the seed that is printed.
 * N of all (--reports, 100), evenly, are reported on as well.
 */
#include "judge.h"

#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FAULTS_TOLD 3u

enum way { WAY_WHOLE, WAY_THREAD, WAY_INSTANT, WAY_APART, WAY_LOST, WAY_N };
static const char *const ways[WAY_N] = {"whole", "thread", "instant", "apart", "lost"};

static uint64_t n_cuts_max = 4000, n_replayed_max = 40000000, n_reports = 100, seed;
static uint64_t n_made[WAY_N], n_bad[WAY_N];

static uint64_t
random_next(void)
{
	uint64_t z = (seed += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t
random_below(uint64_t n)
{
	return n ? random_next() % n : 0;
}

struct work {
	struct recording r;
	size_t *keep; /* [n_threads] */
	uint64_t n_bad, n_cuts, report_every;
};

static size_t
length_of(const struct recording *r, uint32_t thread)
{
	return r->first[thread + 1] - r->first[thread];
}

static void
keep_all(struct work *w)
{
	for (uint32_t i = 0; i < w->r.n_threads; i++)
		w->keep[i] = length_of(&w->r, i);
}

static uint64_t
ids_kept(const struct work *w)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < w->r.n_threads; i++)
		for (size_t k = 0; k < w->keep[i]; k++)
			n += w->r.events[w->r.first[i] + k].n_ids;
	return n;
}

static void
tell(const struct work *w, enum way way, const char *bad)
{
	char text[300];
	size_t used = 0;
	text[0] = '\0';
	for (uint32_t i = 0; i < w->r.n_threads && used < sizeof text - 24; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, " %zu", w->keep[i]);
	note("%s, records kept of each thread%s: %s", ways[way], text, bad);
}

/* The bytes are cut as keep[] says, and blocks are lost or not. */
static void
hold(struct work *w, enum way way)
{
	struct cut cut = {.how = ways[way],
	                  .is_instant = way <= WAY_INSTANT && way != WAY_THREAD,
	                  .has_losses = way == WAY_LOST,
	                  .is_whole = way == WAY_WHOLE,
	                  .has_report = w->n_cuts++ % w->report_every == 0};
	cut.n_ids = cut.is_instant ? ids_kept(w) : 0;
	const char *bad = judge(&w->r, &cut);
	n_made[way]++;
	if (!bad)
		return;
	n_bad[way]++;
	if (w->n_bad++ < FAULTS_TOLD)
		tell(w, way, bad);
}

/* How many cuts of a kind are made. */
static uint64_t
count_cuts(const struct work *w)
{
	uint64_t n = w->r.n_events, affordable = n_replayed_max / n + 1;
	n = n < n_cuts_max ? n : n_cuts_max;
	return n < affordable ? n : affordable;
}

static void
cut_threads(struct work *w)
{
	uint64_t n = count_cuts(w);
	bool is_sample = n < w->r.n_events;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = is_sample ? random_below(w->r.n_events) : i;
		uint32_t thread = w->r.events[at].thread;
		keep_all(w);
		w->keep[thread] = at - w->r.first[thread];
		recording_cut(&w->r, w->keep);
		hold(w, WAY_THREAD);
	}
}

/* Up to the record of this place in the order of time. */
static void
keep_until(struct work *w, uint64_t place)
{
	memset(w->keep, 0, w->r.n_threads * sizeof *w->keep);
	for (uint64_t i = 0; i < place; i++)
		w->keep[w->r.events[w->r.by_time[i]].thread]++;
}

static void
cut_instants(struct work *w)
{
	uint64_t n = count_cuts(w);
	bool is_sample = n < w->r.n_events;
	for (uint64_t i = 0; i < n; i++) {
		keep_until(w, is_sample ? random_below(w->r.n_events) : i);
		recording_cut(&w->r, w->keep);
		hold(w, WAY_INSTANT);
	}
}

static void
keep_any(struct work *w)
{
	for (uint32_t i = 0; i < w->r.n_threads; i++)
		w->keep[i] = random_below(length_of(&w->r, i) + 1);
}

static void
cut_apart(struct work *w)
{
	uint64_t n = w->r.n_threads > 1 ? count_cuts(w) : 0;
	for (uint64_t i = 0; i < n; i++) {
		keep_any(w);
		recording_cut(&w->r, w->keep);
		hold(w, WAY_APART);
	}
}

/* Each block alone, then any of them, with threads whole or cut. */
static void
lose_blocks(struct work *w)
{
	size_t n_blocks = w->r.n_blocks;
	uint64_t n = n_blocks > w->r.n_threads ? count_cuts(w) : 0;
	for (uint64_t i = 0; i < n; i++) {
		keep_all(w);
		if (i % 3 == 2)
			keep_any(w);
		recording_cut(&w->r, w->keep);
		uint64_t n_lost = i < n_blocks ? 1 : 1 + random_below(n_blocks / 2 + 1);
		for (uint64_t k = 0; k < n_lost; k++)
			recording_lose(&w->r, i < n_blocks ? i : random_below(n_blocks));
		hold(w, WAY_LOST);
	}
}

static void
cut_recording(const char *path)
{
	struct work w = {.n_bad = 0};
	char reason[200];
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	if (!recording_load(&w.r, path, reason)) {
		skip(reason, "%s", name);
		recording_free(&w.r);
		return;
	}
	w.report_every = 3 * count_cuts(&w) / (n_reports ? n_reports : 1) + 1;
	w.keep = calloc(w.r.n_threads + 1u, sizeof *w.keep);
	if (!w.keep)
		abort();
	keep_all(&w);
	hold(&w, WAY_WHOLE);
	cut_threads(&w);
	cut_instants(&w);
	cut_apart(&w);
	lose_blocks(&w);
	ok(w.n_bad == 0, "%s: %zu records of %u threads, %llu cuts, %llu not lawful", name,
	   w.r.n_events, w.r.n_threads, (unsigned long long)w.n_cuts, (unsigned long long)w.n_bad);
	free(w.keep);
	recording_free(&w.r);
}

/* One cut, of which a file is made beside the recording: what `winnow dump` and debuggers read. */
static int
cut_one(const char *keep, const char *path)
{
	struct work w = {.report_every = 1};
	char reason[200], name[4096];
	if (!recording_load(&w.r, path, reason)) {
		fprintf(stderr, "%s: %s\n", path, reason);
		return 1;
	}
	w.keep = calloc(w.r.n_threads + 1u, sizeof *w.keep);
	if (!w.keep)
		abort();
	for (uint32_t i = 0; i < w.r.n_threads && *keep; i++) {
		char *end;
		w.keep[i] = strtoull(keep, &end, 10);
		keep = *end ? end + 1 : end;
	}
	recording_cut(&w.r, w.keep);
	hold(&w, WAY_APART);
	snprintf(name, sizeof name, "%s.cut", path);
	FILE *out = fopen(name, "wb");
	bool is_written = out && fwrite(w.r.bytes, w.r.size_bytes, 1, out) == 1;
	if (out)
		is_written = fclose(out) == 0 && is_written;
	free(w.keep);
	recording_free(&w.r);
	return !is_written || w.n_bad;
}

static bool
take_option(const char *name, const char *value)
{
	uint64_t *number = strcmp(name, "--cuts") == 0       ? &n_cuts_max
	                   : strcmp(name, "--replayed") == 0 ? &n_replayed_max
	                   : strcmp(name, "--reports") == 0  ? &n_reports
	                   : strcmp(name, "--seed") == 0     ? &seed
	                                                     : NULL;
	if (!number || !value)
		return false;
	*number = strtoull(value, NULL, 10);
	return true;
}

int
main(int argc, char **argv)
{
	int at = 1;
	seed = (uint64_t)time(NULL);
	if (argc == 4 && strcmp(argv[1], "--keep") == 0)
		return cut_one(argv[2], argv[3]);
	for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2)
		if (!take_option(argv[at], argv[at + 1]))
			return 2;
	note("seed %llu", (unsigned long long)seed);
	for (; at < argc; at++)
		cut_recording(argv[at]);
	for (int way = 0; way < WAY_N; way++)
		note("%s: %llu cuts, %llu not lawful", ways[way], (unsigned long long)n_made[way],
		     (unsigned long long)n_bad[way]);
	return done();
}
