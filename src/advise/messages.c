/* SPDX-License-Identifier: MIT */
/*
 * messages.c - findings in words: what is wrong with its numbers, and one thing to try.
 */
#include "advise/advise.h"

#include "base/decimal.h"

#include <inttypes.h>
#include <stdio.h>

const char *const wn_rule_names[WN_RULE_N] = {
    [WN_RULE_SMALL_TASKS] = "small_tasks",
    [WN_RULE_UNEVEN_LOOP] = "uneven_loop",
    [WN_RULE_SMALL_CHUNKS] = "small_chunks",
    [WN_RULE_UNEVEN_REGION] = "uneven_region",
    [WN_RULE_SERIAL] = "serial_part",
    [WN_RULE_SERIAL_START] = "serial_start",
    [WN_RULE_WAIT_EACH] = "wait_after_each_task",
    [WN_RULE_ONE_PRODUCER] = "one_producer",
    [WN_RULE_NO_PARALLELISM] = "no_parallelism",
    [WN_RULE_UNEVEN_TASKS] = "uneven_tasks",
    [WN_RULE_MANY_REGIONS] = "many_regions",
    [WN_RULE_LONE_TEAMS] = "teams_of_one",
    [WN_RULE_MUTEX] = "contended_mutex",
    [WN_RULE_INFLATION] = "work_inflation",
};

const char *const wn_rule_titles[WN_RULE_N] = {
    [WN_RULE_SMALL_TASKS] = "tasks too small",
    [WN_RULE_UNEVEN_LOOP] = "uneven loop",
    [WN_RULE_SMALL_CHUNKS] = "chunks too small",
    [WN_RULE_UNEVEN_REGION] = "uneven region",
    [WN_RULE_SERIAL] = "serial code between regions",
    [WN_RULE_SERIAL_START] = "serial start",
    [WN_RULE_WAIT_EACH] = "a wait after each task",
    [WN_RULE_ONE_PRODUCER] = "one thread makes all tasks",
    [WN_RULE_NO_PARALLELISM] = "too little parallelism",
    [WN_RULE_UNEVEN_TASKS] = "uneven tasks",
    [WN_RULE_MANY_REGIONS] = "many short regions",
    [WN_RULE_LONE_TEAMS] = "teams of one thread",
    [WN_RULE_MUTEX] = "waiting for a mutex",
    [WN_RULE_INFLATION] = "work inflation",
};

static const char *
time_text(double ns, char text[WN_DECIMAL_BYTES])
{
	return wn_decimal_time((uint64_t)(ns + 0.5), text);
}

size_t
wn_finding_message(const struct wn_finding *f, const struct wn_metrics *m, char *text, size_t size)
{
	char a[WN_DECIMAL_BYTES], b[WN_DECIMAL_BYTES], number[WN_DECIMAL_BYTES];
	int n = 0;
	bool is_one = f->n == 1;
	wn_decimal_count(f->n, number);
	switch (f->rule) {
	case WN_RULE_SMALL_TASKS:
		n = snprintf(text, size,
		             is_one ? "%s task does %s of work and costs %s to make and start"
		                    : "%s tasks do %s of work each and cost %s to make and start",
		             number, time_text(f->value, a), time_text(f->value2, b));
		break;
	case WN_RULE_UNEVEN_LOOP:
	case WN_RULE_UNEVEN_REGION:
		n = snprintf(text, size,
		             "its busiest thread works %.2f times the mean; the others wait for it",
		             f->value);
		break;
	case WN_RULE_SMALL_CHUNKS:
		n = snprintf(text, size,
		             is_one ? "%s chunk does %s of work and costs %s to get"
		                    : "%s chunks do %s of work each and cost %s to get",
		             number, time_text(f->value, a), time_text(f->value2, b));
		break;
	case WN_RULE_SERIAL:
		if (f->value2 <= 0) {
			n = snprintf(text, size, "%s outside parallel regions",
			             time_text(f->value, a));
			break;
		}
		n = snprintf(text, size, "%s outside parallel regions; the longest stretch, %s, %s",
		             time_text(f->value, a), time_text(f->value2, b),
		             f->site == WN_NO_SITE ? "follows the last region"
		                                   : "ends where this region begins");
		break;
	case WN_RULE_SERIAL_START:
		n = snprintf(
		    text, size,
		    "%s from the start of the program to its first region, this one, of %s "
		    "in all",
		    time_text(f->value, a), time_text(f->value2, b));
		break;
	case WN_RULE_WAIT_EACH:
		n = snprintf(text, size, "%s tasks of %s run one after the other", number,
		             time_text(f->value, a));
		break;
	case WN_RULE_ONE_PRODUCER:
		n = snprintf(text, size,
		             "it takes %s to make %s tasks%s; the others wait for work %s each",
		             time_text(f->value, a), number,
		             f->value2 >= 0.5 ? ", most of it its own work between them" : "",
		             time_text((double)f->gain_ns, b));
		break;
	case WN_RULE_NO_PARALLELISM:
		n = snprintf(text, size,
		             "%.2f for %" PRIu32 " threads; most of the critical path is here",
		             f->value, m->totals.n_threads);
		break;
	case WN_RULE_UNEVEN_TASKS:
		n = snprintf(text, size, "the longest takes %s, its siblings' mean is %s",
		             time_text(f->value, a), time_text(f->value2, b));
		break;
	case WN_RULE_MANY_REGIONS:
		n = snprintf(text, size, "%s regions of %s each, of which %s to start and end",
		             number, time_text(f->value, a), time_text(f->value2, b));
		break;
	case WN_RULE_LONE_TEAMS:
		n = snprintf(text, size,
		             "%s region%s%s on one thread for %s; the program may use %" PRIu32
		             " cores",
		             number, f->n == 1 ? " runs" : "s run",
		             f->value2 >= (double)f->n ? " inside others," : "",
		             time_text(f->value, a), wn_trace_header(m->g->trace)->n_cpus);
		break;
	case WN_RULE_MUTEX:
		if (f->value2 > 0)
			n = snprintf(text, size,
			             "threads ask for it %s times, wait %s each and have it for %s",
			             number, time_text(f->value, a), time_text(f->value2, b));
		else /* iterations that wait for others: nobody has anything */
			n = snprintf(text, size, "threads wait there %s times, %s each", number,
			             time_text(f->value, a));
		break;
	case WN_RULE_INFLATION:
		n = snprintf(
		    text, size,
		    "its grains work %s in all after %s on fewer threads, %.2f times as long",
		    time_text(f->value, a), time_text(f->value2, b), f->value / f->value2);
		break;
	case WN_RULE_N:
		break;
	}
	return n > 0 ? (size_t)n : 0;
}

size_t
wn_finding_advice(const struct wn_finding *f, char *text, size_t size)
{
	const char *advice = "";
	uint32_t schedule = f->rule == WN_RULE_UNEVEN_LOOP ? (uint32_t)f->value2 : 0;
	switch (f->rule) {
	case WN_RULE_SMALL_TASKS:
		advice = "stop making tasks below some size: a cut-off, final(), or taskloop "
			 "grainsize()";
		break;
	case WN_RULE_UNEVEN_LOOP:
		advice = schedule == WN_WORK_LOOP_STATIC
		             ? "schedule(dynamic, n) or schedule(guided)"
		             : "smaller chunks, or the long iterations first";
		break;
	case WN_RULE_SMALL_CHUNKS:
		advice = "larger chunks: schedule(dynamic, n) with n so that a chunk takes 10 us "
			 "or more";
		break;
	case WN_RULE_UNEVEN_REGION:
		advice = "divide the work more evenly; for a loop in it, schedule(dynamic, n) or "
			 "schedule(guided)";
		break;
	case WN_RULE_SERIAL:
		advice = "move the code before it into a parallel region, or overlap it with one";
		break;
	case WN_RULE_SERIAL_START:
		advice = "move what is computed before it into a parallel region";
		break;
	case WN_RULE_WAIT_EACH:
		advice = "create all tasks first, then one taskwait";
		break;
	case WN_RULE_ONE_PRODUCER:
		advice = f->value2 >= 0.5
		             ? "move that work into the tasks, or let several threads make them"
		             : "fewer and larger tasks, or let tasks create tasks (taskloop, "
		               "recursive splitting)";
		break;
	case WN_RULE_NO_PARALLELISM:
		advice = "split the work at this place, or take it off the chain of waits";
		break;
	case WN_RULE_UNEVEN_TASKS:
		advice = "split the longest task, or create it first";
		break;
	case WN_RULE_MANY_REGIONS:
		advice = "one region around the loop that opens them, or more work in each";
		break;
	case WN_RULE_LONE_TEAMS:
		advice =
		    f->value2 >= (double)f->n
			? "if one thread is not meant: OMP_MAX_ACTIVE_LEVELS=2, or more work for "
			  "the "
			  "threads of the region outside"
			: "if one thread is not meant (an if clause, too little work): look for "
			  "num_threads(1), omp_set_num_threads(1)";
		break;
	case WN_RULE_MUTEX:
		advice = f->value2 > 0
		             ? "less work while it is held, or none: a reduction, atomic, data "
		               "of each thread's own, several mutexes"
		             : "less work in what has to be done in order";
		break;
	case WN_RULE_INFLATION:
		advice =
		    "have threads share less memory traffic: walk along memory, block the loops, "
		    "touch data first where it is used, OMP_PROC_BIND=true";
		break;
	case WN_RULE_N:
		break;
	}
	int n = snprintf(text, size, "%s", advice);
	return n > 0 ? (size_t)n : 0;
}

const char *
wn_finding_doubt(const struct wn_finding *f)
{
	switch (f->rule) {
	case WN_RULE_SMALL_TASKS:
		return "too high a cut-off leaves too few tasks for all threads";
	case WN_RULE_UNEVEN_LOOP:
		return "handing out chunks takes time, too, and moves them away from their data; "
		       "on a "
		       "shared machine the slowest thread may only have been interrupted";
	case WN_RULE_SMALL_CHUNKS:
		return "with large chunks threads may wait for the last one";
	case WN_RULE_UNEVEN_REGION:
		return "on a shared machine the slowest thread may only have been interrupted";
	case WN_RULE_SERIAL:
		return "input, output and set-up cannot always run beside other code";
	case WN_RULE_SERIAL_START:
		return "nothing was recorded of it: it may wait for input, and loading libraries "
		       "is part of "
		       "it";
	case WN_RULE_WAIT_EACH:
		return "a task that needs what the one before it made has to wait for it";
	case WN_RULE_ONE_PRODUCER:
		return "memory or a mutex may be what holds all threads back next";
	case WN_RULE_NO_PARALLELISM:
		return "the chain may be the algorithm's own; smaller pieces cost more to make";
	case WN_RULE_UNEVEN_TASKS:
		return "the next longest task holds up the join then; smaller tasks cost more to "
		       "make";
	case WN_RULE_MANY_REGIONS:
		return "what stays serial between the loops needs a single construct and its "
		       "barrier";
	case WN_RULE_LONE_TEAMS:
		return "one thread may be meant; teams inside teams may have more threads than "
		       "there "
		       "are cores";
	case WN_RULE_MUTEX:
		return "sums made in another order round differently; what the mutex protects must "
		       "stay protected";
	case WN_RULE_INFLATION:
		return "cores share caches, memory and clock rates: a part of it stays; on a "
		       "shared "
		       "machine the other run may only have been less disturbed";
	case WN_RULE_N:
		break;
	}
	return "";
}
