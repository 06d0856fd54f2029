/* SPDX-License-Identifier: MIT */
/*
 * own_runtime.c - events that a runtime sends rarely, or that only later ones will send.
 *
 * This program is a runtime itself: started once more below the recorder it sends events in a given
 * order from two threads, and afterwards it looks at what was recorded.
 *
 * libomp runs an untied task in parts, and each holds a count. The thread that ran an earlier part
 * may be the last to let go; it then reports the end of a task that is not on its stack, and the
 * thread that ran the last part receives no event.
 *
 * OpenMP 6.0 has more kinds of constructs, and free-agent threads, which run tasks of a team
 * without being in it. Values that OMPT does not have yet must change nothing but the verdict. TAP.
 *
 *     own-runtime LIBRARY FOLDER
 */
#include "graph/graph.h"
#include "record/sources/ompt/compat.h"
#include "report/withheld.h"
#include "tap.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_NS       UINT64_C(20000000)
#define PATH_MAX_BYTES 4096

/* --- the runtime ---------------------------------------------------------------------------- */

static ompt_callback_t callback_of[64];
static ompt_data_t region, implicit[2], initial, task, other;
static const void *const code = (const void *)&callback_of; /* user code is what is not ours */

#define SEND(name, event, ...) ((name)(void (*)(void))callback_of[event])(__VA_ARGS__)

static ompt_set_result_t
set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	callback_of[event] = callback;
	return ompt_set_always;
}

static ompt_interface_fn_t
lookup(const char *name)
{
	return strcmp(name, "ompt_set_callback") == 0
	           ? (ompt_interface_fn_t)(void (*)(void))set_callback
	           : NULL;
}

static sem_t is_told, is_done;
static void (*deed)(void);

static void *
work(void *unused)
{
	(void)unused;
	for (;;) {
		sem_wait(&is_told);
		if (!deed)
			return NULL;
		deed();
		sem_post(&is_done);
	}
}

/* Has the second thread do something, while the first one waits. */
static void
second(void (*what)(void))
{
	deed = what;
	sem_post(&is_told);
	if (what)
		sem_wait(&is_done);
}

static void
pause_here(void)
{
	struct timespec left = {0, (long)PAUSE_NS};
	while (nanosleep(&left, &left) != 0)
		;
}

static void
switch_tasks(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	SEND(ompt_callback_task_schedule_t, ompt_callback_task_schedule, prior, status, next);
}

static void
create(ompt_data_t *parent, ompt_data_t *new_task)
{
	new_task->value = 0;
	SEND(ompt_callback_task_create_t, ompt_callback_task_create, parent, NULL, new_task,
	     ompt_task_explicit | ompt_task_untied, 0, code);
}

static void
wait_for(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, unsigned thread)
{
	SEND(ompt_callback_sync_region_t, ompt_callback_sync_region, kind, endpoint, &region,
	     &implicit[thread], code);
}

static void
implicit_begin(unsigned thread)
{
	SEND(ompt_callback_implicit_task_t, ompt_callback_implicit_task, ompt_scope_begin, &region,
	     &implicit[thread], 2, thread, ompt_task_implicit);
}

static void
second_begins(void)
{
	implicit_begin(1);
	wait_for(ompt_sync_region_barrier_explicit, ompt_scope_begin, 1);
}

static void
second_runs_last_part(void)
{
	switch_tasks(&implicit[1], ompt_task_switch, &task);
}

static void
second_leaves_barrier(void)
{
	wait_for(ompt_sync_region_barrier_explicit, ompt_scope_end, 1);
}

static void
second_runs_other(void)
{
	switch_tasks(&implicit[1], ompt_task_switch, &other);
	switch_tasks(&other, ompt_task_complete, &implicit[1]);
}

/* Two parts are run by the first thread, the last one by the second. */
static void
region_begin(void)
{
	SEND(ompt_callback_parallel_begin_t, ompt_callback_parallel_begin, &initial, NULL, &region,
	     2, (int)ompt_parallel_team, code);
	implicit_begin(0);
	second(second_begins);
	create(&implicit[0], &task);
	wait_for(ompt_sync_region_taskwait, ompt_scope_begin, 0);
	for (int i = 0; i < 2; i++) {
		switch_tasks(&implicit[0], ompt_task_switch, &task);
		switch_tasks(&task, ompt_task_switch, &implicit[0]);
	}
}

static void
first_tells_end(void)
{
	switch_tasks(&task, ompt_task_complete, &implicit[0]);
}

static void
region_end(void)
{
	wait_for(ompt_sync_region_taskwait, ompt_scope_end, 0);
	wait_for(ompt_sync_region_barrier_explicit, ompt_scope_begin, 0);
	wait_for(ompt_sync_region_barrier_explicit, ompt_scope_end, 0);
	wait_for(ompt_sync_region_barrier_implicit, ompt_scope_begin, 0);
	wait_for(ompt_sync_region_barrier_implicit, ompt_scope_end, 0);
	SEND(ompt_callback_implicit_task_t, ompt_callback_implicit_task, ompt_scope_end, NULL,
	     &implicit[0], 0, 0, ompt_task_implicit);
	SEND(ompt_callback_parallel_end_t, ompt_callback_parallel_end, &region, &initial,
	     (int)ompt_parallel_team, code);
}

/* The end is known before the second thread shows that it has left. */
static void
end_first(void)
{
	second(second_runs_last_part);
	first_tells_end();
	pause_here();
	second(second_leaves_barrier);
}

/* The second thread shows it first, by the end of its wait. */
static void
wait_ends_first(void)
{
	second(second_runs_last_part);
	second(second_leaves_barrier);
	pause_here();
	first_tells_end();
}

/* The same by another task that it begins. */
static void
other_begins_first(void)
{
	create(&implicit[0], &other);
	second(second_runs_last_part);
	second(second_runs_other);
	pause_here();
	first_tells_end();
	second(second_leaves_barrier);
}

static void
second_tells_end(void)
{
	switch_tasks(&other, ompt_task_complete, &implicit[1]);
}

/* Each thread has run the last part of the task whose end the other one tells. */
static void
crosswise(void)
{
	create(&implicit[0], &other);
	switch_tasks(&implicit[0], ompt_task_switch, &other);
	second(second_runs_last_part);
	pause_here();
	first_tells_end();
	second(second_tells_end);
	second(second_leaves_barrier);
}

/* The memory of the task is that of another before the second thread shows anything. */
static void
word_is_reused(void)
{
	second(second_runs_last_part);
	first_tells_end();
	create(&implicit[0], &task);
	pause_here();
	second(second_runs_last_part);
	first_tells_end();
	second(second_leaves_barrier);
}

/* A worker shows nothing before its next region. */
static void
never_shown(void)
{
	second(second_runs_last_part);
	first_tells_end();
	pause_here();
}

/* Events of the same form: tasks that a cancellation discards end where they never began. */
static void
discarded(void)
{
	create(&implicit[0], &other);
	SEND(ompt_callback_cancel_t, ompt_callback_cancel, &other,
	     ompt_cancel_parallel | ompt_cancel_discarded_task, code);
	switch_tasks(&other, ompt_task_complete, &implicit[0]);
	switch_tasks(&implicit[0], ompt_task_switch, &task);
	switch_tasks(&task, ompt_task_complete, &implicit[0]);
	second(second_leaves_barrier);
}

static void
work_on(unsigned type, ompt_scope_endpoint_t endpoint)
{
	SEND(ompt_callback_work_t, ompt_callback_work, (ompt_work_t)type, endpoint, &region,
	     &implicit[0], 10, code);
}

/* A construct of OpenMP 6.0 that has no chunks. */
static void
workdistribute(void)
{
	work_on(WN_OMPT_WORK_WORKDISTRIBUTE, ompt_scope_begin);
	work_on(WN_OMPT_WORK_WORKDISTRIBUTE, ompt_scope_end);
	end_first();
}

/* Numbers behind those of OpenMP 6.0: 7 of these events are noted. */
static void
unknown_values(void)
{
	struct wn_ompt_chunk chunk = {0, 5};
	ompt_data_t instance = {.ptr = &chunk};

	work_on(99, ompt_scope_begin);
	SEND(ompt_callback_dispatch_t, ompt_callback_dispatch, &region, &implicit[0],
	     (ompt_dispatch_t)99, instance);
	work_on(99, ompt_scope_end);
	wait_for((ompt_sync_region_t)99, ompt_scope_begin, 0);
	wait_for((ompt_sync_region_t)99, ompt_scope_end, 0);
	wait_for((ompt_sync_region_t)0, ompt_scope_begin, 0);
	wait_for((ompt_sync_region_t)0, ompt_scope_end, 0);
	other.value = 0;
	SEND(ompt_callback_task_create_t, ompt_callback_task_create, &implicit[0], NULL, &other,
	     ompt_task_explicit | 0x00ffffe0, 0, code);
	switch_tasks(&implicit[0], (ompt_task_status_t)99, &other);
	switch_tasks(&other, ompt_task_complete, &implicit[0]);
	switch_tasks(&task, (ompt_task_status_t)99, NULL);
	end_first();
}

static void *
free_agent(void *unused)
{
	ompt_data_t nothing = {0};
	(void)unused;
	switch_tasks(&nothing, ompt_task_switch, &other);
	pause_here();
	switch_tasks(&other, ompt_task_complete, &nothing);
	return NULL;
}

static void
agent_runs_other(void)
{
	pthread_t agent;

	create(&implicit[0], &other);
	if (pthread_create(&agent, NULL, free_agent, NULL) == 0)
		pthread_join(agent, NULL);
	end_first();
}

static const struct scenario {
	const char *name;
	void (*events)(void);
	uint64_t n_tasks, n_unseen;
	bool is_paused_inside; /* the pause lies between what is known of the last part and the end
	                        */
	bool is_paused_after;  /* or after it, in the second thread's wait */
	uint32_t n_agents;     /* threads besides the two */
	uint64_t n_notes;      /* events of unknown kinds */
} scenarios[] = {
    {"the end is told first", end_first, 1, 1, false, true, 0, 0},
    {"the wait is over first", wait_ends_first, 1, 1, true, false, 0, 0},
    {"another task begins first", other_begins_first, 2, 1, true, false, 0, 0},
    {"each tells the other's", crosswise, 2, 2, false, false, 0, 0},
    {"the word is used again", word_is_reused, 2, 2, false, true, 0, 0},
    {"nothing shows it", never_shown, 1, 1, false, true, 0, 0},
    {"a task is discarded", discarded, 2, 0, false, false, 0, 0},
    {"workdistribute", workdistribute, 1, 1, false, true, 0, 0},
    {"unknown values", unknown_values, 2, 1, false, true, 0, 7},
    {"a free-agent thread", agent_runs_other, 2, 1, false, true, 1, 0},
};

static int
play(const struct scenario *s)
{
	ompt_start_tool_result_t *(*start)(unsigned, const char *);
	*(void **)&start = dlsym(RTLD_DEFAULT, "ompt_start_tool");
	ompt_start_tool_result_t *tool = start ? start(201811, "a runtime of the tests") : NULL;
	pthread_t thread;

	if (!tool || !tool->initialize(lookup, 0, &tool->tool_data))
		return 1;
	sem_init(&is_told, 0, 0);
	sem_init(&is_done, 0, 0);
	if (pthread_create(&thread, NULL, work, NULL) != 0)
		return 1;
	region_begin();
	s->events();
	region_end();
	second(NULL);
	pthread_join(thread, NULL);
	tool->finalize(&tool->tool_data);
	return 0;
}

/* --- what was recorded ------------------------------------------------------------------------ */

static void
look_at_times(const struct wn_graph *g, const struct scenario *s)
{
	const struct wn_thread_time *t = &g->thread_time[1];
	uint64_t wait_ns = t->idle_ready_ns + t->idle_empty_ns + t->scheduling_ns + t->leaving_ns;
	wn_grain first = 0;

	while (first < g->n && g->kind[first] != WN_GRAIN_TASK)
		first++;
	if (first == g->n)
		return;
	uint64_t life_ns = g->end_ns[first] - g->begin_ns[first];
	ok(wn_work_ns(g, first) <= life_ns, "%s: no more work than time", s->name);
	ok(t->lost_ns == 0, "%s: all of the second thread's time is somebody's", s->name);
	if (s->is_paused_inside)
		ok(wn_work_ns(g, first) + PAUSE_NS <= life_ns,
		   "%s: the time after it was left is not its work", s->name);
	if (s->is_paused_after)
		ok(wait_ns >= PAUSE_NS, "%s: the time after it ended is the wait's", s->name);
}

/* Only the notes say that there was more. */
static void
look_at_notes(const struct wn_graph *g, const struct scenario *s)
{
	char why[WN_WITHHELD_BYTES];
	uint64_t n = 0;

	for (size_t i = 0; i < g->n_notes; i++)
		if (g->notes[i].note == WN_NOTE_UNKNOWN_EVENT)
			n += g->notes[i].count;
	ok(n == s->n_notes, "%s: %d events are noted as unknown", s->name, (int)s->n_notes);
	ok(wn_withheld(g, why) == (s->n_notes > 0), "%s: %s", s->name,
	   s->n_notes ? "no verdict" : "a verdict");
	ok(g->n_loops == 0, "%s: no loop", s->name);
}

static void
look(const struct scenario *s, const char *path)
{
	struct wn_trace *trace = NULL;
	struct wn_graph *g = NULL;
	wn_err err = {0};
	uint64_t n_tasks = 0, n_over = 0;
	wn_status st = wn_trace_open(path, &trace, &err);

	if (st == WN_OK)
		st = wn_graph_build(trace, &g, &err);
	ok(st == WN_OK && g->n_threads == 2 + s->n_agents, "%s: recorded from all threads %s",
	   s->name, st == WN_OK ? "" : err.msg);
	if (st == WN_OK) {
		const struct wn_anomalies *a = &g->anomalies;
		for (wn_grain id = 0; id < g->n; id++) {
			n_tasks += g->kind[id] == WN_GRAIN_TASK;
			n_over += g->kind[id] == WN_GRAIN_TASK && g->flags[id] & WN_GF_COMPLETED;
		}
		ok(n_tasks == s->n_tasks && n_over == n_tasks, "%s: %d tasks, and all complete",
		   s->name, (int)s->n_tasks);
		ok(!a->n_incomplete && !a->n_unmatched && !a->n_never_started && !a->n_lost,
		   "%s: no event is left over", s->name);
		ok(a->n_parts_unseen == s->n_unseen, "%s: ends that nobody told: %d of %d", s->name,
		   (int)a->n_parts_unseen, (int)s->n_unseen);
		ok(wn_graph_check(g, &err) == WN_OK, "%s: the graph's laws hold", s->name);
		look_at_times(g, s);
		look_at_notes(g, s);
	}
	wn_graph_free(g);
	wn_trace_close(trace);
}

int
main(int argc, char **argv)
{
	size_t n = sizeof scenarios / sizeof *scenarios;
	char path[PATH_MAX_BYTES], number[2] = "0";
	_Static_assert(sizeof scenarios / sizeof *scenarios <= 10, "a digit says which");

	if (argc == 2)
		return play(&scenarios[(size_t)(argv[1][0] - '0') % n]);
	if (argc != 3)
		return 2;
	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/own-runtime.%zu.grains", argv[2], i);
		unlink(path);
		number[0] = (char)('0' + i);
		pid_t child = fork();
		if (child == 0) {
			setenv("LD_PRELOAD", argv[1], 1);
			setenv("WINNOW_OUT", path, 1);
			setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
			unsetenv("WINNOW_SOURCE");
			execl("/proc/self/exe", argv[0], number, (char *)NULL);
			_exit(127);
		}
		int status = -1;
		waitpid(child, &status, 0);
		ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s: played", scenarios[i].name);
		look(&scenarios[i], path);
	}
	return done();
}
