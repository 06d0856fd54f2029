/* SPDX-License-Identifier: MIT */
/*
 * test_recorder_threads.c - the recorder by its own functions, from many threads at once: attach,
 * events over several blocks, threads that end and others that take over their windows, starts and
 * looks at new code meanwhile, forks in between. The traces must hold every task.
 *
 * The recorder's sources are compiled into this program, so that it also runs with sanitizers: see
 * the targets of that name in meson.build.
 */
#include "graph/graph.h"
#include "record/emit.h"
#include "tap.h"
#include "trace/trace_finish.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The runtimes of the sanitizers do not hold the locks of their allocators over a fork, gcc 12's
 * nor clang 14's: where another thread has one at that instant the child waits for it for ever, at
 * the first allocation, which dlsym() makes already. Only a program of one thread may fork there;
 * plain ones do so from among the others. And what a sanitizer can see it sees in few rounds.
 */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

#define N_ROUNDS      (IS_SANITIZED ? 3 : 12)
#define N_THREADS     8
#define N_KINDS       4
#define N_FORKS       (N_THREADS / N_KINDS) /* in half a round */
#define N_LONG_TASKS  20000                 /* several blocks */
#define N_SHORT_TASKS 3
#define N_CHILD_TASKS 500
#define CHILD_SECONDS 120 /* a child that hangs is a bad one */
#define SITE(n)       ((const void *)(uintptr_t)(0x1000 + 16 * (n)))
#define PATH_ROOM     4096

static char folder[] = "/tmp/winnow-threads.XXXXXX";
static _Atomic unsigned long n_tasks;
static _Atomic int n_refused;
static _Atomic int n_bad_children;

static bool
start(void)
{
	return wn_recorder_start(WN_SOURCE_OMPT, "test");
}

/* A task in a region of one thread, as sources write them. */
static void
one_task(struct wn_thread *t, unsigned long number)
{
	wn_id id = wn_ev_task_create(t, wn_clock(), SITE(number % 100), 0);
	wn_ev_create_end(t, wn_clock());
	wn_ev_task_begin(t, wn_clock(), id);
	wn_ev_task_end(t, wn_clock());
}

static unsigned long
region(unsigned long n)
{
	struct wn_thread *t = wn_thread_self();
	if (!t)
		return 0;
	uint64_t id = wn_ev_region_begin(t, wn_clock(), SITE(100), 0, 1);
	wn_ev_implicit_begin(t, wn_clock(), id, 1, 0);
	for (unsigned long i = 0; i < n; i++)
		one_task(t, i);
	wn_ev_implicit_end(t, wn_clock());
	wn_ev_region_end(t, wn_clock());
	return n;
}

static void
record(unsigned long n)
{
	unsigned long n_recorded = region(n);
	atomic_fetch_add(&n_tasks, n_recorded);
	if (n_recorded != n)
		atomic_fetch_add(&n_refused, 1);
}

/* In the child there is no trace until a source asks for one. */
static int
child(void)
{
	if (wn_thread_self() || region(1) != 0)
		return 1;
	if (!start() || region(N_CHILD_TASKS) != N_CHILD_TASKS)
		return 2;
	wn_recorder_finish();
	return 0;
}

static void
fork_once(void)
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		alarm(CHILD_SECONDS);
		_exit(child());
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
		atomic_fetch_add(&n_bad_children, 1);
}

static void *
run_long(void *arg)
{
	(void)arg;
	record(N_LONG_TASKS);
	return NULL;
}

static void *
run_short(void *arg)
{
	(void)arg;
	for (int i = 0; i < 5; i++) {
		record(N_SHORT_TASKS);
		start();
		wn_modules_record_address((uint64_t)(uintptr_t)&malloc);
		wn_modules_record_address((uint64_t)(uintptr_t)&n_tasks + (uint64_t)i * 0x10000);
	}
	return NULL;
}

static void *
run_fork(void *arg)
{
	record(N_SHORT_TASKS);
	if (!IS_SANITIZED)
		fork_once();
	record(N_SHORT_TASKS);
	return arg;
}

/* Threads of all kinds at once, twice over: the second half meets the first half's windows. */
static void
run_round(void)
{
	static void *(*const kinds[N_KINDS])(void *) = {run_long, run_short, run_short, run_fork};
	for (int half = 0; half < 2; half++) {
		pthread_t threads[N_THREADS];
		for (int i = 0; i < N_THREADS; i++)
			pthread_create(&threads[i], NULL, kinds[i % N_KINDS], NULL);
		for (int i = 0; i < N_THREADS; i++)
			pthread_join(threads[i], NULL);
		for (int i = 0; IS_SANITIZED && i < N_FORKS; i++)
			fork_once();
	}
}

static void *
run_start(void *arg)
{
	if (!start())
		atomic_fetch_add(&n_refused, 1);
	record(N_SHORT_TASKS);
	return arg;
}

/* The first start, by several threads at the same time. */
static void
start_together(void)
{
	pthread_t threads[N_THREADS];
	for (int i = 0; i < N_THREADS; i++)
		pthread_create(&threads[i], NULL, run_start, NULL);
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static unsigned long
completed_tasks(const struct wn_graph *g)
{
	unsigned long n = 0;
	for (wn_grain id = 0; id < g->n; id++)
		n += g->kind[id] == WN_GRAIN_TASK && (g->flags[id] & WN_GF_COMPLETED);
	return n;
}

/* The whole tasks of a trace without damage whose graph is sound; 0 if it is not. */
static unsigned long
read_trace(const char *path)
{
	struct wn_trace *trace = NULL;
	struct wn_graph *g = NULL;
	unsigned long n = 0;
	wn_err err = {.msg = ""};
	if (wn_trace_open(path, &trace, &err) == WN_OK &&
	    wn_graph_build(trace, &g, &err) == WN_OK && wn_graph_check(g, &err) == WN_OK) {
		const struct wn_damage *d = wn_trace_damage(trace);
		bool is_end_known = wn_trace_header(trace)->end_bytes == wn_trace_file_bytes(trace);
		if (!d->n_bad_blocks && !d->n_gaps && !d->n_bad_bytes && !d->n_dropped &&
		    !d->is_cut && is_end_known)
			n = completed_tasks(g);
	} else {
		note("%s: %s", path, err.msg);
	}
	wn_graph_free(g);
	wn_trace_close(trace);
	return n;
}

/* A limit of the file's size that all threads meet at the same time. The calling one has a window
 * before and fills it behind them: whoever else begins when there is no room left is not recorded
 * at all, and drops nothing. */
static void
run_out_of_room(const char *path)
{
	struct stat info;
	struct wn_trace *trace = NULL;
	struct wn_graph *g = NULL;
	if (stat(path, &info) != 0)
		return;
	region(1);
	rlim_t most = (rlim_t)info.st_size + 4 * WN_SLOT_BYTES;
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, RLIM_INFINITY});
	run_round();
	region(N_LONG_TASKS);
	ok(!start(), "without room for the trace the recorder is off");
	wn_recorder_finish();
	bool is_open =
	    wn_trace_open(path, &trace, NULL) == WN_OK && wn_graph_build(trace, &g, NULL) == WN_OK;
	ok(is_open && wn_graph_check(g, NULL) == WN_OK, "what it recorded before opens");
	ok(is_open && !wn_trace_damage(trace)->is_cut,
	   "and is not cut: what was never written is not missing");
	uint32_t why = is_open ? wn_trace_header(trace)->dead_reason : 0;
	uint64_t n_dropped = is_open ? wn_trace_damage(trace)->n_dropped : 0;
	if (!ok(why == WN_DEAD_NO_SPACE && n_dropped > 0,
	        "and says why it ended, and that there was more"))
		note("reason %u, %llu dropped", why, (unsigned long long)n_dropped);
	wn_graph_free(g);
	wn_trace_close(trace);
}

/* The children's traces, which are the others in the folder. */
static unsigned
count_child_traces(void)
{
	char command[PATH_ROOM], path[PATH_ROOM];
	unsigned n_good = 0;
	snprintf(command, sizeof command, "ls %s/trace.*", folder);
	FILE *list = popen(command, "r");
	while (list && fgets(path, sizeof path, list)) {
		path[strcspn(path, "\n")] = '\0';
		n_good += read_trace(path) == N_CHILD_TASKS;
	}
	if (list)
		pclose(list);
	return n_good;
}

static void
remove_folder(void)
{
	char command[PATH_ROOM];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	ok(system(command) == 0, "the folder goes");
}

int
main(void)
{
	char path[PATH_ROOM];
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof path, "%s/trace", folder);
	setenv("WINNOW_OUT", path, 1);

	ok(wn_thread_self() == NULL, "before the start there is nothing to record into");
	start_together();
	ok(start(), "starting again is no harm");
	for (int i = 0; i < N_ROUNDS; i++)
		run_round();
	record(N_SHORT_TASKS);
	wn_recorder_finish();

	ok(atomic_load(&n_refused) == 0, "no thread was refused");
	ok(atomic_load(&n_bad_children) == 0,
	   "each child started without a trace, and got its own");
	unsigned long n = read_trace(path);
	ok(n == atomic_load(&n_tasks), "the trace holds all tasks: %lu of %lu", n,
	   atomic_load(&n_tasks));
	unsigned n_children = N_ROUNDS * 2 * N_FORKS;
	unsigned n_good = count_child_traces();
	ok(n_good == n_children, "the children's traces hold theirs: %u of %u", n_good, n_children);
	run_out_of_room(path);
	remove_folder();
	wn_trace_sweep(path); /* of children whose traces were not read */
	return done();
}
