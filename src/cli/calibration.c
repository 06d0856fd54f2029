/* SPDX-License-Identifier: MIT */
#include "cli/calibration.h"

#include "base/mem.h"
#include "base/plural.h"
#include "cli/launch.h"
#include "cli/library.h"
#include "cli/machine.h"
#include "cli/message.h"
#include "cli/newfile.h"
#include "cli/progress.h"
#include "job/rank.h"
#include "trace/hash.h"
#include "trace/trace_calibrate.h"
#include "trace/trace_finish.h"
#include "trace/trace_outline.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The hash of a file's contents: another build has another one, whatever its name. */
static bool
hash_file(const char *path, uint64_t *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat info;
	void *bytes = MAP_FAILED;
	if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
		bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (bytes == MAP_FAILED)
		return false;
	*out = XXH3_64bits(bytes, (size_t)info.st_size);
	munmap(bytes, (size_t)info.st_size);
	return true;
}

bool
calibration_key_of(const struct wn_trace_header *header, struct calibration_key *out)
{
	char library[PATH_MAX];
	uint64_t recorder, runtime;
	const char *path = memchr(header->runtime, '/', sizeof header->runtime);
	size_t name_bytes = path ? strcspn(header->runtime, " ") : 0;
	if (!path ||
	    !memchr(path, '\0', sizeof header->runtime - (size_t)(path - header->runtime)) ||
	    header->clock_kind != WN_CLOCK_TICKS || !library_find(library) ||
	    !hash_file(library, &recorder) || !hash_file(path, &runtime))
		return false;
	machine_cpu_model(out->cpu, sizeof out->cpu);
	snprintf(out->recorder, sizeof out->recorder, "%016" PRIx64, recorder);
	snprintf(out->runtime, sizeof out->runtime, "%.*s %016" PRIx64, (int)name_bytes,
	         header->runtime, runtime);
	snprintf(out->runtime_path, sizeof out->runtime_path, "%s", path);
	return true;
}

/* A home that does not exist, as of a service's user, is not made. */
static bool
folder_path(char *out, size_t out_bytes)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n = -1;
	if (cache && cache[0] == '/')
		n = snprintf(out, out_bytes, "%s/winnow", cache);
	else if (home && home[0] == '/' && access(home, F_OK) == 0)
		n = snprintf(out, out_bytes, "%s/.cache/winnow", home);
	return n > 0 && (size_t)n < out_bytes;
}

bool
calibration_path(const struct calibration_key *key, char out[PATH_MAX])
{
	char folder[PATH_MAX - 256];
	const char *runtime = strrchr(key->runtime, ' ');
	if (!runtime || !folder_path(folder, sizeof folder))
		return false;
	int n = snprintf(out, PATH_MAX, "%s/%s-%s.calibration", folder, key->recorder, runtime + 1);
	return n > 0 && n < PATH_MAX;
}

/* Reads a file: its size, 0 if it cannot be read. False: it is damaged, and `why` has the reason.
 */
static bool
read_profile(const char *path, char *text, size_t *n_bytes, struct wn_calibration *out, wn_err *why)
{
	*n_bytes = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	ssize_t n = read(fd, text, WN_CALIBRATION_TEXT_MAX);
	close(fd);
	if (n < 0)
		return true;
	if (wn_calibration_read(text, (size_t)n, out, why) != WN_OK)
		return false;
	*n_bytes = (size_t)n;
	return true;
}

/* A folder may be shared by machines. */
static bool
is_of_machine(const struct wn_calibration *c, const struct calibration_key *key)
{
	return strcmp(c->cpu, key->cpu) == 0 && strcmp(c->recorder, key->recorder) == 0;
}

/* Reads the profile. The text has at most WN_CALIBRATION_TEXT_MAX bytes, *n_bytes; 0 if there is
 * none for this key. False: it is damaged, and `why` has the reason. */
static bool
load(const struct calibration_key *key, char *text, size_t *n_bytes, struct wn_calibration *out,
     wn_err *why)
{
	char path[PATH_MAX];
	*n_bytes = 0;
	if (!calibration_path(key, path))
		return true;
	if (!read_profile(path, text, n_bytes, out, why))
		return false;
	if (!is_of_machine(out, key) || strcmp(out->runtime, key->runtime) != 0)
		*n_bytes = 0;
	return true;
}

/* Visits the machine's profiles for this recorder. Those with a smaller spread get this one if
 * `raises`. Returns the largest. */
static uint32_t
visit_spreads(const struct calibration_key *key, uint32_t spread, bool raises)
{
	char folder[PATH_MAX - 256], path[PATH_MAX];
	const struct dirent *file;
	struct wn_calibration *c = wn_calloc(1, sizeof *c);
	char *text = wn_calloc(WN_CALIBRATION_TEXT_MAX, 1);
	DIR *listing = c && text && folder_path(folder, sizeof folder) ? opendir(folder) : NULL;
	size_t n_bytes;
	wn_err err;
	while (listing && (file = readdir(listing))) {
		struct calibration_key other = *key;
		if (strncmp(file->d_name, key->recorder, strlen(key->recorder)) != 0 ||
		    snprintf(path, sizeof path, "%s/%s", folder, file->d_name) >=
		        (int)sizeof path ||
		    !read_profile(path, text, &n_bytes, c, &err) || n_bytes == 0 ||
		    !is_of_machine(c, key))
			continue;
		if (c->spread >= spread) {
			spread = c->spread;
		} else if (raises) {
			snprintf(other.runtime, sizeof other.runtime, "%s", c->runtime);
			c->spread = spread;
			n_bytes = wn_calibration_write(c, text, WN_CALIBRATION_TEXT_MAX);
			if (n_bytes > 0)
				(void)calibration_save(&other, text, n_bytes);
		}
	}
	if (listing)
		closedir(listing);
	wn_free(c);
	wn_free(text);
	return spread;
}

uint32_t
calibration_share_spread(const struct calibration_key *key, uint32_t spread)
{
	spread = visit_spreads(key, spread, false);
	return visit_spreads(key, spread, true);
}

/* CPUs that differ by more than usual were rather disturbed at the moment. With a larger spread,
 * imbalance of the program would be attributed to the CPUs. */
void
calibration_raise_spread(const char *trace_path, uint32_t spread)
{
	struct wn_trace_header header;
	struct calibration_key key;
	int fd;
	if (wn_trace_open_header(trace_path, O_RDONLY, &header, &fd, NULL) != WN_OK)
		return;
	close(fd);
	if (calibration_key_of(&header, &key))
		visit_spreads(&key, spread < MACHINE_SPREAD_USUAL ? spread : MACHINE_SPREAD_USUAL,
		              true);
}

void
calibration_describe(const char *library, char *out, size_t out_bytes)
{
	char folder[PATH_MAX - 256], recorder[24];
	const struct dirent *file;
	unsigned n = 0;
	uint64_t hash;
	if (!hash_file(library, &hash) || !folder_path(folder, sizeof folder)) {
		snprintf(out, out_bytes, "none: neither XDG_CACHE_HOME nor HOME is a folder");
		return;
	}
	snprintf(recorder, sizeof recorder, "%016" PRIx64 "-", hash);
	DIR *listing = opendir(folder);
	while (listing && (file = readdir(listing)))
		n += strncmp(file->d_name, recorder, strlen(recorder)) == 0;
	if (listing)
		closedir(listing);
	if (n)
		snprintf(out, out_bytes, "%u profile%s of this recorder in %s", n, wn_plural(n),
		         folder);
	else
		snprintf(
		    out, out_bytes,
		    "none: times contain the cost of recording; 'winnow calibrate' measures it");
}

/* Makes the folders of a file. 0, or an errno. */
static int
make_folders(char *path)
{
	for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		int error = mkdir(path, 0700) == 0 ? 0 : errno;
		*at = '/';
		if (error && error != EEXIST && error != EROFS && error != EACCES)
			return error;
	}
	return 0;
}

int
calibration_make_folder(char folder[PATH_MAX])
{
	folder[0] = '\0';
	if (!folder_path(folder, PATH_MAX - 1)) {
		folder[0] = '\0';
		return ENOENT;
	}
	size_t length = strlen(folder);
	memcpy(folder + length, "/", 2); /* make_folders() makes those of a file */
	int error = make_folders(folder);
	folder[length] = '\0';
	if (!error && access(folder, W_OK) != 0)
		error = errno;
	return error;
}

int
calibration_save(const struct calibration_key *key, const char *text, size_t n_bytes)
{
	char path[PATH_MAX];
	struct newfile file;
	if (!calibration_path(key, path))
		return ENOENT;
	int error = make_folders(path);
	if (error)
		return error;
	if (newfile_open(path, &file) != 0)
		return errno;
	if (fwrite(text, 1, n_bytes, file.to) != n_bytes) {
		error = errno;
		newfile_discard(&file);
		return error;
	}
	return newfile_commit(&file) == 0 ? 0 : errno;
}

/* Rounds of a profile that is measured when it is first needed: enough to see that they agree. */
#define FIRST_ROUNDS "7"

/* Other ranks use the CPUs. */
static bool
is_rank(void)
{
	struct wn_rank rank;
	wn_rank_find_own(&rank);
	return rank.is_known;
}

/* Measures the profile of a runtime with that very library. */
static void
make_profile(const struct calibration_key *key)
{
	char self[PATH_MAX], folder[PATH_MAX];
	const char *never = getenv("WINNOW_CALIBRATE"), *before = getenv("LD_LIBRARY_PATH");
	bool is_omp = strncmp(key->runtime, "libomp", 6) == 0;
	char *argv[] = {(char *)"winnow",
	                (char *)"calibrate",
	                (char *)"--runtime",
	                (char *)(is_omp ? "libomp" : "libgomp"),
	                (char *)"--rounds",
	                (char *)FIRST_ROUNDS,
	                NULL};
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if ((never && strcmp(never, "never") == 0) || is_rank() || n <= 0 ||
	    calibration_make_folder(folder) != 0)
		return;
	self[n] = '\0';
	snprintf(folder, sizeof folder, "%s", key->runtime_path);
	*strrchr(folder, '/') = '\0';
	char *kept = before ? strdup(before) : NULL;
	setenv("LD_LIBRARY_PATH", folder, 1);
	progress_step("measuring the cost of recording, once");
	bool is_ok = launch_quietly(self, argv);
	if (kept)
		setenv("LD_LIBRARY_PATH", kept, 1);
	else
		unsetenv("LD_LIBRARY_PATH");
	free(kept);
	if (is_ok)
		message("measured the costs of recording and of this runtime, once "
		        "(winnow-calibrate(1))");
}

void
calibration_attach(const char *trace_path, bool makes_one)
{
	struct wn_trace_header header;
	struct calibration_key key;
	struct wn_calibration *profile = wn_calloc(1, sizeof *profile);
	char *text = wn_calloc(WN_CALIBRATION_TEXT_MAX, 1);
	const char *counters = getenv("WINNOW_COUNTERS");
	size_t n_bytes = 0;
	wn_err err;
	int fd;
	if (!profile || !text || (counters && *counters) ||
	    wn_trace_open_header(trace_path, O_RDONLY, &header, &fd, NULL) != WN_OK)
		goto out;
	close(fd);
	if (header.state != WN_STATE_CLOSED || !calibration_key_of(&header, &key))
		goto out;
	bool is_sound = load(&key, text, &n_bytes, profile, &err);
	if (is_sound && n_bytes == 0 && makes_one) {
		make_profile(&key);
		is_sound = load(&key, text, &n_bytes, profile, &err);
	}
	if (!is_sound) {
		char path[PATH_MAX] = "";
		(void)calibration_path(&key, path);
		message("%s: %s; it is not used: 'winnow calibrate' writes a new one", path,
		        err.msg);
	} else if (n_bytes > 0 && wn_trace_append(trace_path, WN_PROCESS_CALIBRATION, text, n_bytes,
	                                          &err) != WN_OK) {
		message("%s: the calibration was not added: %s", trace_path, err.msg);
	}
out:
	wn_free(profile);
	wn_free(text);
}
