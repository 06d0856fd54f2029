/* SPDX-License-Identifier: MIT */
#include "cli/job_ranks.h"

#include "base/order.h"
#include "base/plural.h"
#include "cli/exit.h"
#include "cli/message.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static bool
has_entry(const char *path, const char *name)
{
	char entry[WN_JOB_PATH_BYTES];
	return snprintf(entry, sizeof entry, "%s/%s", path, name) < (int)sizeof entry &&
	       exists(entry);
}

bool
job_folder_is_one(const char *path)
{
	struct stat info;
	if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
		return false;
	return wn_job_is_name(path) || has_entry(path, WN_JOB_FILE) || has_entry(path, "r");
}

void
job_folder_path(const struct job_folder *folder, const struct job_rank *rank, enum wn_job_part part,
                char out[WN_JOB_PATH_BYTES])
{
	bool is_analysis = part == WN_JOB_SUMMARY || part == WN_JOB_STEPS;
	const char *dir = is_analysis ? folder->summaries : folder->path;
	(void)wn_job_rank_path(dir, part, rank->rank, rank->attempt, out, WN_JOB_PATH_BYTES);
}

/* --- which ranks --- */

static bool
has_file(const struct job_folder *folder, struct job_rank rank, enum wn_job_part part)
{
	char path[WN_JOB_PATH_BYTES];
	job_folder_path(folder, &rank, part, path);
	return exists(path);
}

/* Finds the last attempt; attempts have no gaps. Adds the rank, with or without files. */
static bool
add_rank(struct job_folder *folder, size_t *capacity, uint32_t number)
{
	struct job_rank rank = {.rank = number}, next = {.rank = number, .attempt = 1};
	while (has_file(folder, next, WN_JOB_MANIFEST) || has_file(folder, next, WN_JOB_TRACE))
		rank.attempt = next.attempt++;
	rank.has_manifest = has_file(folder, rank, WN_JOB_MANIFEST);
	rank.has_trace = has_file(folder, rank, WN_JOB_TRACE);
	if (folder->n == *capacity) {
		size_t grown = *capacity ? 2 * *capacity : 64;
		struct job_rank *ranks = realloc(folder->ranks, grown * sizeof *ranks);
		if (!ranks)
			return false;
		folder->ranks = ranks;
		*capacity = grown;
	}
	folder->ranks[folder->n++] = rank;
	return true;
}

/* Parses "000017.winnow" and "000017.json": the first attempt. */
static bool
parse_name(const char *name, uint32_t *rank)
{
	int end = 0;
	if (sscanf(name, "%7u.winnow%n", rank, &end) == 1 && end > 0 && name[end] == '\0')
		return true;
	end = 0;
	return sscanf(name, "%7u.json%n", rank, &end) == 1 && end > 0 && name[end] == '\0';
}

struct numbers {
	uint32_t *items;
	size_t n, capacity;
};

static bool
add_number(struct numbers *numbers, uint32_t number)
{
	if (numbers->n == numbers->capacity) {
		size_t grown = numbers->capacity ? 2 * numbers->capacity : 256;
		uint32_t *items = realloc(numbers->items, grown * sizeof *items);
		if (!items)
			return false;
		numbers->items = items;
		numbers->capacity = grown;
	}
	numbers->items[numbers->n++] = number;
	return true;
}

/* Lists the ranks with files in one folder of r/. */
static bool
list_shard(const char *path, struct numbers *out)
{
	DIR *dir = opendir(path);
	bool has_memory = true;
	uint32_t rank;
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (parse_name(entry->d_name, &rank))
			has_memory = add_number(out, rank) && has_memory;
	if (dir)
		closedir(dir);
	return has_memory;
}

/* Reads the number of ranks of the job from manifests; 0 = unknown. Where there are several ranks,
 * two say the same, as a damaged one may name millions. */
static uint64_t
read_size(const struct job_folder *folder, const struct numbers *ranks)
{
	uint64_t size = 0;
	for (size_t i = 0; i < ranks->n; i++) {
		char path[WN_JOB_PATH_BYTES];
		struct wn_rank_manifest m;
		wn_err err;
		if (i > 0 && ranks->items[i] == ranks->items[i - 1])
			continue;
		job_folder_path(folder, &(struct job_rank){.rank = ranks->items[i]},
		                WN_JOB_MANIFEST, path);
		if (wn_rank_manifest_read(path, &m, &err) != WN_OK)
			continue;
		uint64_t before = size;
		size = m.size;
		wn_rank_manifest_fini(&m);
		if (size > 0 && size == before)
			return size;
	}
	bool is_one = ranks->n > 0 && ranks->items[0] == ranks->items[ranks->n - 1];
	return is_one ? size : 0;
}

/* Adds a share of the ranks, in ascending order: all of the job, and others that have files. */
static bool
add_ranks(struct job_folder *folder, const struct numbers *listed, uint32_t index,
          uint32_t n_shares)
{
	size_t capacity = 0;
	bool has_memory = true;
	for (uint64_t i = index; has_memory && i < folder->file.size; i += n_shares)
		has_memory = add_rank(folder, &capacity, (uint32_t)i);
	for (size_t i = 0; has_memory && i < listed->n; i++)
		if (listed->items[i] >= folder->file.size && listed->items[i] % n_shares == index &&
		    (i == 0 || listed->items[i] != listed->items[i - 1]))
			has_memory = add_rank(folder, &capacity, listed->items[i]);
	return has_memory;
}

/* Where job.json does not have the size of the job, as a launcher wrote it, the folders are listed.
 */
static bool
list_ranks(struct job_folder *folder, struct numbers *out)
{
	char path[WN_JOB_PATH_BYTES];
	bool has_memory = true;
	snprintf(path, sizeof path, "%s/r", folder->path);
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (entry->d_name[0] != '.' && snprintf(path, sizeof path, "%s/r/%s", folder->path,
		                                        entry->d_name) < (int)sizeof path)
			has_memory = list_shard(path, out) && has_memory;
	if (dir)
		closedir(dir);
	if (out->n)
		qsort(out->items, out->n, sizeof *out->items, wn_compare_u32);
	folder->file.size = read_size(folder, out);
	return has_memory;
}

/* --- what else is there --- */

struct others {
	char jobs[160], foreign[160]; /* names, separated by commas */
	size_t n_jobs, n_foreign;
};

static void
note_name(char names[160], size_t n, const char *name)
{
	size_t used = strlen(names), room = 160 - used;
	if (snprintf(names + used, room, "%s%s", n ? ", " : "", name) >= (int)room)
		memcpy(names + 156, "...", 4);
}

/* Notes the entries that are not of the job: other jobs, and foreign files. */
static void
note_others(const char *path)
{
	static const char *const own[] = {WN_JOB_FILE, "r", "s", "other"};
	struct others others = {.n_jobs = 0};
	char entry_path[WN_JOB_PATH_BYTES];
	DIR *dir = opendir(path);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		bool is_own = entry->d_name[0] == '.';
		for (size_t i = 0; i < sizeof own / sizeof *own; i++)
			is_own = is_own || strcmp(entry->d_name, own[i]) == 0;
		if (is_own || snprintf(entry_path, sizeof entry_path, "%s/%s", path,
		                       entry->d_name) >= (int)sizeof entry_path)
			continue;
		if (has_entry(entry_path, WN_JOB_FILE))
			note_name(others.jobs, others.n_jobs++, entry->d_name);
		else
			note_name(others.foreign, others.n_foreign++, entry->d_name);
	}
	if (dir)
		closedir(dir);
	if (others.n_jobs)
		message("%s: also has job%s %s; each has a directory of its own, and this is of "
		        "the first job",
		        path, wn_plural(others.n_jobs), others.jobs);
	if (others.n_foreign)
		message("%s: %zu entr%s not of a job, ignored: %s", path, others.n_foreign,
		        others.n_foreign == 1 ? "y is" : "ies are", others.foreign);
}

/* --- all of it --- */

/* The last slash is cut. */
static bool
take_path(struct job_folder *out)
{
	size_t n = strlen(out->path);
	return n + 32 < sizeof out->summaries &&
	       snprintf(out->summaries, sizeof out->summaries, "%s", out->path) > 0;
}

int
job_folder_open(const char *path, uint32_t index, uint32_t n_shares, struct job_folder *out)
{
	char file[WN_JOB_PATH_BYTES];
	wn_err err;
	struct numbers listed = {0};
	bool has_memory = true;
	*out = (struct job_folder){.path = path};
	if (!take_path(out) || !wn_job_file_path(path, file, sizeof file))
		return FAILURE("%s: the path is too long", path);
	if (exists(file) && wn_job_file_read(file, &out->file, &err) != WN_OK)
		message("%s: %s; ranks are found by their files, so absent ones are not counted",
		        file, err.msg);
	if (n_shares == 1)
		note_others(path);
	if (out->file.size == 0)
		has_memory = list_ranks(out, &listed);
	has_memory = has_memory && add_ranks(out, &listed, index, n_shares);
	free(listed.items);
	if (!has_memory)
		return FAILURE("out of memory");
	size_t n_with_files = 0;
	for (size_t i = 0; i < out->n; i++)
		n_with_files += out->ranks[i].has_manifest || out->ranks[i].has_trace;
	if (n_with_files > 0 || n_shares > 1)
		return CLI_OK;
	return FAILURE(
	    "%s: no rank was recorded to this directory; mpirun winnow record -o %s PROG "
	    "does that",
	    path, path);
}

static void
remove_temporary(const char *path)
{
	char shard[WN_JOB_PATH_BYTES + 300], file[WN_JOB_PATH_BYTES + 600];
	char top[WN_JOB_PATH_BYTES + 4];
	snprintf(top, sizeof top, "%s/s", path);
	DIR *dir = opendir(top);
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(shard, sizeof shard, "%s/%s", top, entry->d_name);
		DIR *inner = opendir(shard);
		for (struct dirent *summary; inner && (summary = readdir(inner));)
			if (summary->d_name[0] != '.') {
				snprintf(file, sizeof file, "%s/%s", shard, summary->d_name);
				unlink(file);
			}
		if (inner)
			closedir(inner);
		rmdir(shard);
	}
	if (dir)
		closedir(dir);
	rmdir(top);
	rmdir(path);
}

void
job_folder_close(struct job_folder *folder)
{
	if (folder->is_temporary)
		remove_temporary(folder->summaries);
	wn_job_file_fini(&folder->file);
	free(folder->ranks);
	folder->ranks = NULL;
}

int
job_folder_trace(const char *path, const char *text, char out[WN_JOB_PATH_BYTES])
{
	char *end;
	errno = 0;
	unsigned long number = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || number > WN_RANK_MAX)
		return USAGE_ERROR("--rank '%s': not the number of a rank", text);
	struct job_folder folder = {.path = path};
	size_t capacity = 0;
	char why[WN_ABSENT_BYTES];
	int code = CLI_FAILURE;
	if (!job_folder_is_one(path))
		message("%s: --rank is for the directory of a job", path);
	else if (!take_path(&folder) || !add_rank(&folder, &capacity, (uint32_t)number))
		message("%s: out of memory, or the path is too long", path);
	else if (folder.ranks[0].has_trace)
		code = CLI_OK;
	else {
		job_rank_explain(&folder, &folder.ranks[0], why);
		message("%s: rank %lu has no trace: %s", path, number, why);
	}
	if (code == CLI_OK)
		job_folder_path(&folder, &folder.ranks[0], WN_JOB_TRACE, out);
	free(folder.ranks);
	return code;
}

void
job_rank_explain(const struct job_folder *folder, const struct job_rank *rank,
                 char why[WN_ABSENT_BYTES])
{
	char path[WN_JOB_PATH_BYTES];
	struct wn_rank_manifest m;
	wn_err err;
	if (!rank->has_manifest) {
		snprintf(why, WN_ABSENT_BYTES, "%s",
		         "it has no file: it did not start, or was not recorded");
		return;
	}
	job_folder_path(folder, rank, WN_JOB_MANIFEST, path);
	if (wn_rank_manifest_read(path, &m, &err) != WN_OK) {
		snprintf(why, WN_ABSENT_BYTES, "its manifest is not readable (%.80s)", err.msg);
		return;
	}
	const char *state = m.state ? m.state : "";
	if (strcmp(state, "no_openmp") == 0)
		snprintf(why, WN_ABSENT_BYTES, "it used no OpenMP runtime");
	else if (strcmp(state, "not_selected") == 0)
		snprintf(why, WN_ABSENT_BYTES, "it was not selected by --ranks");
	else if (strcmp(state, "failed") == 0)
		snprintf(why, WN_ABSENT_BYTES, "recording failed: %.120s",
		         m.reason ? m.reason : "unknown why");
	else if (strcmp(state, "recorded") == 0)
		snprintf(why, WN_ABSENT_BYTES, "its trace is missing");
	else if (m.signal)
		snprintf(why, WN_ABSENT_BYTES, "signal %d ended it before it used OpenMP",
		         m.signal);
	else
		snprintf(why, WN_ABSENT_BYTES,
		         "it still runs, or was killed before it used OpenMP");
	wn_rank_manifest_fini(&m);
}
