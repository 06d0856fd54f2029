/* SPDX-License-Identifier: MIT */
/*
 * test_job_directory.c - creates directories of jobs from several processes, and reads their
 * manifests.
 */
#include "job/directory.h"
#include "tap.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES_N 8

static char folder[64];

static struct wn_job
a_job(const char *key)
{
	return (struct wn_job){.key = key, .launcher = "Hydra", .size = 4, .host = "n1"};
}

static struct wn_manifest
a_manifest(const struct wn_rank *rank)
{
	return (struct wn_manifest){
	    .job_key = "k",
	    .rank = rank,
	    .host = "n1",
	    .pid = getpid(),
	    .exit_status = -1,
	    .signal = -1,
	    .bytes = -1,
	    .mpi = {.rank = -1, .size = -1},
	};
}

static void
check_two_jobs(void)
{
	char dir[128], in[WN_JOB_PATH_BYTES], other[WN_JOB_KEY_BYTES];
	bool is_other;
	struct wn_job first = a_job("one"), second = a_job("two");
	snprintf(dir, sizeof dir, "%s/jobs.winnow.d", folder);
	ok(wn_job_enter(dir, &first, in, &is_other, other) == 0 && !is_other &&
	       strcmp(in, dir) == 0,
	   "the first process creates the directory");
	ok(wn_job_enter(dir, &first, in, &is_other, other) == 0 && !is_other,
	   "others of the same job join");
	for (int i = 0; i < 2; i++)
		ok(wn_job_enter(dir, &second, in, &is_other, other) == 0 && is_other &&
		       strcmp(other, "one") == 0 && strcmp(in + strlen(dir), "/two") == 0,
		   "another job has a directory of its own (%d)", i);
	first.key = "three";
	ok(wn_job_enter("/proc/self/no", &first, in, &is_other, other) != 0,
	   "a directory that cannot be created is an error");
}

/* Processes that all claim one rank: each gets another attempt. */
static void
check_race(void)
{
	char path[WN_JOB_PATH_BYTES], trace[WN_JOB_PATH_BYTES];
	struct wn_rank rank = {.is_known = true, .rank = 17, .size = 18, .source = "X"};
	unsigned seen = 0;
	int status;
	for (int i = 0; i < PROCESSES_N; i++)
		if (fork() == 0) {
			struct wn_manifest m = a_manifest(&rank);
			int error = wn_job_claim(folder, &m, path, trace);
			_exit(error ? 100 : (int)m.attempt);
		}
	while (wait(&status) > 0)
		seen |= 1u << (WEXITSTATUS(status) & 31);
	ok(seen == (1u << PROCESSES_N) - 1, "processes that claim one rank get different files");
	struct stat info;
	ok(wn_job_rank_path(folder, WN_JOB_MANIFEST, 17, PROCESSES_N - 1, path, sizeof path) &&
	       stat(path, &info) == 0,
	   "the names of the attempts have no gaps");
}

static void
check_contents(void)
{
	static const char *const command[] = {"./a", "b \"c\"\n", "\xff", NULL};
	static const char *const environment[] = {"HOME=/root", "OMP_NUM_THREADS=2", "PMI_RANK=3",
	                                          NULL};
	char path[WN_JOB_PATH_BYTES], trace[WN_JOB_PATH_BYTES];
	struct wn_rank rank = {.is_known = true,
	                       .rank = 3,
	                       .size = -1,
	                       .local_rank = 1,
	                       .local_size = -1,
	                       .source = "PMI_RANK"};
	struct wn_manifest m = a_manifest(&rank);
	m.command = command;
	m.app = command[0];
	m.environment = environment;
	ok(wn_job_claim(folder, &m, path, trace) == 0 && strstr(trace, "r/000/000003.winnow"),
	   "a rank is claimed");
	m.has_end = true;
	m.signal = 9;
	m.state = WN_PROCESS_RECORDED;
	m.trace = "000003.winnow";
	m.mpi = (struct wn_mpi_use){.is_used = true, .abi = "MPICH", .rank = 3, .size = 4};
	ok(wn_job_update(path, &m) == 0, "its manifest is replaced at the end");
	json_t *read = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
	ok(read != NULL, "it is JSON");
	ok(strcmp(json_string_value(json_array_get(json_object_get(read, "command"), 1)),
	          "b \"c\"\n") == 0 &&
	       strcmp(json_string_value(json_array_get(json_object_get(read, "command"), 2)),
	              "\xef\xbf\xbd") == 0,
	   "arguments are kept; bytes that are no characters are replaced");
	json_t *env = json_object_get(read, "env");
	ok(json_object_size(env) == 2 && json_object_get(env, "OMP_NUM_THREADS"),
	   "variables that matter are kept, others are not");
	ok(json_is_null(json_object_get(read, "size")) &&
	       json_integer_value(json_object_get(json_object_get(read, "end"), "signal")) == 9 &&
	       json_is_null(json_object_get(json_object_get(read, "end"), "exit_status")),
	   "what is unknown is null");
	json_decref(read);
}

/* Text that is longer than a manifest. */
static void
check_cut(void)
{
	static char out[WN_MANIFEST_BYTES], word[6000];
	const char *many[] = {word, word, word, word, word, NULL};
	struct wn_rank rank = {.is_known = false};
	struct wn_manifest m = a_manifest(&rank);
	memset(word, 'x', sizeof word - 1);
	memcpy(word, "OMP_X=", 6);
	m.command = m.environment = many;
	size_t n = wn_manifest_text(&m, out, sizeof out);
	json_t *read = json_loadb(out, n, 0, NULL);
	ok(n > 0 && read, "a manifest with more than fits is JSON");
	ok(json_array_size(json_object_get(read, "command")) == 1, "arguments are cut");
	json_decref(read);
	ok(wn_manifest_text(&m, out, 256) == 0, "without room there is no manifest");
}

int
main(void)
{
	char remove[96];
	snprintf(folder, sizeof folder, "/tmp/winnow-job-XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	check_two_jobs();
	check_race();
	check_contents();
	check_cut();
	snprintf(remove, sizeof remove, "rm -rf %s", folder);
	ok(system(remove) == 0, "cleaned");
	return done();
}
