/* SPDX-License-Identifier: MIT */
/* test_scaling.c - made-up runs on several numbers of threads: what is compared, what is noise,
 * what is found. */
#include "report/scaling.h"

#include "base/mem.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000u

static char *
copy(const char *text)
{
	char *out = wn_calloc(strlen(text) + 1, 1);
	memcpy(out, text, strlen(text) + 1);
	return out;
}

/* A run with two places, `hot` and `cold`, whose rest of the threads' time is idle. */
static struct wn_scaling_run *
add_run(struct wn_scaling *s, uint32_t n_threads, unsigned time_ms, unsigned hot_ms,
        unsigned cold_ms)
{
	static const char *const names[] = {"hot", "cold"};
	unsigned work_ms[2] = {hot_ms, cold_ms};
	char file[32];
	if (wn_grow(&s->runs, &s->capacity, s->n + 1, sizeof *s->runs) != 0)
		abort();
	snprintf(file, sizeof file, "t%u-r%zu.winnow", n_threads, s->n);
	struct wn_scaling_run *run = &s->runs[s->n++];
	*run = (struct wn_scaling_run){.file = copy(file),
	                               .command = "./prog",
	                               .n_threads = n_threads,
	                               .n_cpus = 4,
	                               .cpus = 4,
	                               .elapsed_ns = (uint64_t)time_ms * MS,
	                               .wall_ns = (uint64_t)time_ms * MS,
	                               .thread_ns = (uint64_t)time_ms * n_threads * MS,
	                               .is_complete = true,
	                               .n_places = 2};
	run->names = wn_calloc(2, sizeof *run->names);
	run->sites = wn_calloc(2, sizeof *run->sites);
	run->place = wn_calloc(2, sizeof *run->place);
	for (int i = 0; i < 2; i++) {
		run->names[i] = (struct wn_place_name){.file = copy("f.c"),
		                                       .function = copy(names[i]),
		                                       .label = copy(names[i]),
		                                       .line = 10 * i + 1};
		run->sites[i] = (struct wn_scaling_site){n_threads, (uint64_t)work_ms[i] * MS};
	}
	run->ns[WN_TIME_WORK] = ((uint64_t)hot_ms + cold_ms) * MS;
	run->ns[WN_TIME_IDLE_EMPTY] = run->thread_ns - run->ns[WN_TIME_WORK];
	return run;
}

static void
test_inflation(void)
{
	struct wn_scaling s = {0};
	char message[320];
	for (unsigned i = 0; i < 3; i++) {
		add_run(&s, 2, 300 + i, 400 + i, 195 + i);
		add_run(&s, 1, 400 + i, 200 + i, 200 - i);
	}
	if (!ok(wn_scaling_end(&s, NULL) == WN_OK, "six runs on one and two threads"))
		return;
	ok(s.n_points == 2 && s.points[0].n_threads == 1 && s.points[1].n == 3 && s.target == 1,
	   "are two points, the baseline first");
	ok(s.runs[s.points[0].median].time_ns == 401 * MS && s.points[0].least_ns == 400 * MS &&
	       s.points[0].most_ns == 402 * MS,
	   "the median run stands for a point");
	ok(fabs(s.points[1].speedup - 401.0 / 301) < 1e-9 &&
	       fabs(s.points[1].efficiency - 401.0 / 602) < 1e-9,
	   "speed-up and efficiency are of the medians");
	double sum = 0;
	for (int c = 0; c < WN_TIME_N; c++)
		sum += s.points[1].change[c].ns;
	ok(sum == s.points[1].lost_ns && sum == (602.0 - 401) * MS,
	   "what is lost is all of the differences");
	ok(s.n_findings == 1 && s.findings[0].category == WN_TIME_WORK &&
	       strcmp(s.places[s.findings[0].place]->label, "hot") == 0,
	   "the place with more work is the finding");
	const struct wn_scaling_change *c = &s.findings[0].change;
	ok(c->ns == 200.0 * MS && c->least_ns == 198.0 * MS && c->most_ns == 202.0 * MS &&
	       c->clarity == WN_SCALING_SIGNIFICANT,
	   "its work is significantly more, by 198 to 202 ms");
	ok(s.findings[0].gain_ns == 100 * MS, "half of it is the gain on two threads");
	wn_scaling_message(&s, &s.findings[0], false, message, sizeof message);
	ok(strstr(message, "401 ms on 2 threads instead of 201 ms on 1") &&
	       strstr(message, "50 % of its work appears only with 2 threads"),
	   "%s", message);
	wn_scaling_fini(&s);
}

static void
test_noise(void)
{
	struct wn_scaling s = {0};
	for (unsigned i = 0; i < 3; i++) {
		add_run(&s, 1, 400, 200 + 30 * i, 150);
		add_run(&s, 2, 220 + i, 210 + 40 * i, 150);
	}
	ok(wn_scaling_end(&s, NULL) == WN_OK &&
	       wn_scaling_work_change(&s, 1, s.order[0]).clarity == WN_SCALING_NOISE,
	   "ranges that overlap are noise");
	wn_scaling_fini(&s);
	add_run(&s, 1, 400, 200, 150);
	add_run(&s, 2, 220, 290, 150);
	ok(wn_scaling_end(&s, NULL) == WN_OK && s.n_findings > 0 &&
	       s.findings[0].change.clarity == WN_SCALING_UNKNOWN,
	   "without repeats noise is unknown");
	wn_scaling_fini(&s);
}

static void
test_selection(void)
{
	struct wn_scaling s = {0};
	struct wn_text_style style = {.width = 80};
	char *bytes = NULL;
	size_t n_bytes = 0;
	add_run(&s, 1, 400, 200, 200);
	struct wn_scaling_run *run = add_run(&s, 2, 500, 400, 200);
	run->is_disturbed = true;
	add_run(&s, 2, 200, 200, 200);
	add_run(&s, 2, 205, 200, 200)->is_signalled = true;
	add_run(&s, 8, 190, 200, 200);
	if (!ok(wn_scaling_end(&s, NULL) == WN_OK, "a disturbed and a killed run"))
		return;
	ok(s.points[1].n == 3 && s.points[1].n_used == 1 &&
	       s.runs[s.points[1].median].time_ns == 200 * MS && !s.points[1].is_disturbed,
	   "are left out if there is another");
	ok(s.points[2].shares_cpus && s.points[2].at_most == 4 && s.target == 1,
	   "eight threads share four CPUs, and findings are of two");
	ok(s.n_findings == 0, "a program that scales has no finding");
	FILE *to = open_memstream(&bytes, &n_bytes);
	ok(to && wn_scaling_text(&s, &style, to, NULL) == WN_OK, "there is a text");
	fclose(to);
	ok(strstr(bytes, "the program scales to them") &&
	       strstr(bytes, "a signal ended the program; left out") &&
	       strstr(bytes, "in 1 of 5 runs"),
	   "it says that the program scales, and what is left out");
	free(bytes);
	wn_scaling_fini(&s);

	for (unsigned i = 1; i <= 2; i++) {
		run = add_run(&s, i, 400, 200, 150);
		run->is_disturbed = true;
		run->ns[WN_TIME_OFF_CPU] = 100 * MS;
		run->ns[WN_TIME_IDLE_EMPTY] -= 100 * MS;
	}
	ok(wn_scaling_end(&s, NULL) == WN_OK && s.n_findings == 0,
	   "where all runs are disturbed, waits are not compared");
	wn_scaling_fini(&s);
}

int
main(void)
{
	test_inflation();
	test_noise();
	test_selection();
	ok(wn_mem_live() == 0, "no memory is left");
	return done();
}
