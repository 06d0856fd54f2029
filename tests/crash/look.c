/* SPDX-License-Identifier: MIT */
/*
 * look.c - what is in a trace that may have been left in a hurry.
 *
 *   look TRACE [COUNTERS]     prints "name value" lines; exit status 1 = the trace does not open
 *   look --memory FOLDER      prints how many segments of memory are left of traces below FOLDER
 *   look --free FOLDER        the same, and frees them: recorders attach each segment that is left
 *
 * With COUNTERS, of programs/steady.c and kinds.c: "lost N" is how many tasks that had ended, and
 * iterations of loops, are not in the trace, "invented N" how many tasks are there that the program
 * did not make, or that end there and had not ended.
 */
#include "graph/graph.h"
#include "outline.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>

static const char *const states[] = {"none", "recording", "closed", "dead"};
static const char *const reasons[] = {"none", "no-space", "io", "fd-lost", "no-memory"};

static const char *
name_of(const char *const *names, size_t n_names, uint32_t i)
{
	return i < n_names ? names[i] : "unknown";
}

static void
print_number(const char *name, uint64_t value)
{
	printf("%s %" PRIu64 "\n", name, value);
}

struct sums {
	uint64_t tasks, started, completed, implicit, chunks, iterations;
};

static struct sums
add_up(const struct wn_graph *g)
{
	struct sums sums = {0};
	for (wn_grain id = 0; id < g->n; id++) {
		sums.implicit += g->kind[id] == WN_GRAIN_IMPLICIT;
		sums.chunks += g->kind[id] == WN_GRAIN_CHUNK;
		if (g->kind[id] == WN_GRAIN_CHUNK && g->range[id])
			sums.iterations += g->ranges[g->range[id] - 1].iterations;
		if (g->kind[id] != WN_GRAIN_TASK && g->kind[id] != WN_GRAIN_TASKLOOP)
			continue;
		sums.tasks++;
		sums.started += (g->flags[id] & WN_GF_STARTED) != 0;
		sums.completed += (g->flags[id] & WN_GF_COMPLETED) != 0;
	}
	return sums;
}

static int
print_counters(const char *path, const struct sums *sums)
{
	uint64_t made[4] = {0}; /* created, begun, ended; of kinds.c: iterations that have ended */
	FILE *in = fopen(path, "rb");
	if (!in)
		return 1;
	size_t n = fread(made, sizeof made[0], 4, in);
	fclose(in);
	if (n < 3)
		return 1;
	print_number("ended", made[2] + made[3]);
	print_number("lost", (made[2] > sums->started ? made[2] - sums->started : 0) +
	                         (made[3] > sums->iterations ? made[3] - sums->iterations : 0));
	print_number("invented", (sums->tasks > made[0] ? sums->tasks - made[0] : 0) +
	                             (sums->completed > made[2] ? sums->completed - made[2] : 0));
	return 0;
}

static void
print_damage(const struct wn_damage *damage)
{
	print_number("bad_blocks", damage->n_bad_blocks);
	print_number("bad_bytes", damage->n_bad_bytes);
	print_number("gaps", damage->n_gaps);
	print_number("dropped", damage->n_dropped);
}

static size_t
count_segments(const char *folder, bool frees)
{
	struct shm_info used;
	struct shmid_ds info;
	size_t n = 0;
	int last = shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&used);
	for (int i = 0; i <= last; i++) {
		int id = shmctl(i, SHM_STAT, &info);
		if (id < 0 || info.shm_segsz < WN_SLOT_BYTES)
			continue;
		const struct wn_segment *s = shmat(id, NULL, SHM_RDONLY);
		if (s == (void *)-1)
			continue;
		bool is_of_folder = memcmp(s->magic, WN_SEGMENT_MAGIC, sizeof s->magic) == 0 &&
		                    strncmp(s->path, folder, strlen(folder)) == 0;
		n += is_of_folder;
		shmdt(s);
		if (is_of_folder && frees)
			shmctl(id, IPC_RMID, NULL);
	}
	return n;
}

int
main(int argc, char **argv)
{
	bool frees = argc == 3 && strcmp(argv[1], "--free") == 0;
	if (frees || (argc == 3 && strcmp(argv[1], "--memory") == 0)) {
		printf("%zu\n", count_segments(argv[2], frees));
		return 0;
	}
	struct wn_trace *trace = NULL;
	struct wn_graph *g = NULL;
	wn_err err = {.msg = ""};
	int status = 0;
	if (argc < 2 || wn_trace_open(argv[1], &trace, &err) != WN_OK) {
		printf("open %s\n", err.msg);
		return 1;
	}
	const struct wn_trace_header *header = wn_trace_header(trace);
	char why[OUTLINE_WHY_BYTES];
	printf("outline %s\n", outline_differs(argv[1], why) ? why : "agrees");
	printf("state %s\n", name_of(states, 4, header->state));
	printf("reason %s\n", name_of(reasons, 5, header->dead_reason));
	print_number("pid", header->pid);
	print_number("threads", wn_trace_n_threads(trace));
	print_number("bytes", wn_trace_file_bytes(trace));
	wn_status built = wn_graph_build(trace, &g, &err);
	print_damage(wn_trace_damage(trace));
	if (built == WN_E_EMPTY) {
		puts("graph empty");
	} else if (built != WN_OK) {
		printf("graph %s\n", err.msg);
		status = 1;
	} else {
		struct sums sums = add_up(g);
		print_number("regions", g->n_regions);
		print_number("implicit", sums.implicit);
		print_number("chunks", sums.chunks);
		print_number("tasks", sums.tasks);
		print_number("started", sums.started);
		print_number("completed", sums.completed);
		printf("graph %s\n", wn_graph_check(g, &err) == WN_OK ? "sound" : err.msg);
		if (argc > 2)
			status = print_counters(argv[2], &sums);
	}
	wn_graph_free(g);
	wn_trace_close(trace);
	return status;
}
