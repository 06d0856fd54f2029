/* SPDX-License-Identifier: MIT */
#include "job/rank.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct launcher {
	const char *name, *processes;
	const char *rank, *size, *local_rank, *local_size, *node, *job, *step;
};

static const struct launcher launchers[] = {
#define WN_LAUNCHER(...) {__VA_ARGS__},
#include "job/launchers.def"
#undef WN_LAUNCHER
};
#define LAUNCHERS_N (sizeof launchers / sizeof *launchers)

#define STEPS_MAX 0xfffffff0L /* Slurm numbers batch scripts and daemons from here on */

static const char *
value_of(const char *const *environment, const char *name)
{
	size_t n = name ? strlen(name) : 0;
	for (size_t i = 0; name && environment[i]; i++)
		if (strncmp(environment[i], name, n) == 0 && environment[i][n] == '=')
			return environment[i] + n + 1;
	return NULL;
}

/* -1 if it is not a number from 0 to WN_RANK_MAX. */
static int64_t
number_of(const char *text)
{
	if (!text || !*text || strlen(text) > 7 || text[strspn(text, "0123456789")] != '\0')
		return -1;
	return strtol(text, NULL, 10);
}

/* In a batch script, the variables of the step are missing or name none. */
static bool
is_outside_step(const struct launcher *l, const char *const *environment)
{
	const char *step = value_of(environment, l->step);
	if (strcmp(l->name, "Slurm") != 0)
		return false;
	return !step || !*step || strtol(step, NULL, 10) >= STEPS_MAX;
}

static bool
has_rank(const struct launcher *l, const char *const *environment)
{
	return number_of(value_of(environment, l->rank)) >= 0 && !is_outside_step(l, environment);
}

static bool
is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);
	for (const char *at = list; n > 0 && (at = strstr(at, name)); at++)
		if ((at == list || at[-1] == ' ') && at[n] == ' ')
			return true;
	return false;
}

/* The ancestor that starts ranks by this launcher, or NULL. */
static const struct launcher *
find_nearest(const char *const *environment, const struct wn_ancestor *ancestors, size_t n,
             const struct wn_ancestor **which)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < LAUNCHERS_N; k++)
			if ((is_listed(launchers[k].processes, ancestors[i].name) ||
			     is_listed(launchers[k].processes, ancestors[i].title)) &&
			    has_rank(&launchers[k], environment)) {
				*which = &ancestors[i];
				return &launchers[k];
			}
	return NULL;
}

static const struct launcher *
find_first(const char *const *environment)
{
	for (size_t k = 0; k < LAUNCHERS_N; k++)
		if (has_rank(&launchers[k], environment))
			return &launchers[k];
	return NULL;
}

/* The word behind "--control-port" of a proxy of Hydra: HOST:PORT of mpiexec. */
static const char *
control_port(const struct wn_ancestor *proxy)
{
	static const char option[] = "--control-port ";
	const char *at = proxy ? strstr(proxy->words, option) : NULL;
	return at ? at + sizeof option - 1 : NULL;
}

static void
make_key(const struct launcher *l, const struct wn_ancestor *proxy, struct wn_rank *out)
{
	char text[WN_ANCESTOR_BYTES + 64];
	const char *port = control_port(proxy);
	if (out->job)
		snprintf(text, sizeof text, "%s-%s%s%s", l->name, out->job, out->step ? "." : "",
		         out->step ? out->step : "");
	else if (port)
		snprintf(text, sizeof text, "%s-%.*s", l->name, (int)strcspn(port, " "), port);
	else
		return;
	for (char *c = text; c < text + strlen(l->name); c++)
		*c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
	wn_job_clean_key(text, out->key);
}

static void
fill(const struct launcher *l, const char *const *environment, const struct wn_ancestor *above,
     struct wn_rank *out)
{
	out->is_known = true;
	out->launcher = l->name;
	out->source = l->rank;
	out->rank = (uint32_t)number_of(value_of(environment, l->rank));
	out->size = number_of(value_of(environment, l->size));
	out->local_rank = number_of(value_of(environment, l->local_rank));
	out->local_size = number_of(value_of(environment, l->local_size));
	out->node = value_of(environment, l->node);
	out->job = value_of(environment, l->job);
	out->step = value_of(environment, l->step);
	if (!out->job) /* "JOB.STEP" by srun --mpi=pmi2 and by PALS */
		out->job = value_of(environment, "PMI_JOBID");
	make_key(l, above, out);
}

void
wn_rank_find(const char *const *environment, const struct wn_ancestor *ancestors, size_t n,
             struct wn_rank *out)
{
	const struct wn_ancestor *above = NULL;
	const struct launcher *l = find_nearest(environment, ancestors, n, &above);
	const char *job = value_of(environment, "WINNOW_JOB");
	int64_t own = number_of(value_of(environment, "WINNOW_RANK"));
	*out = (struct wn_rank){.size = -1, .local_rank = -1, .local_size = -1};
	if (!l)
		l = find_first(environment);
	if (l)
		fill(l, environment, above, out);
	if (own >= 0) {
		out->is_known = true;
		out->rank = (uint32_t)own;
		out->source = "WINNOW_RANK";
	}
	/* a number that is inherited from elsewhere */
	if (out->size >= 0 && out->rank >= out->size)
		out->size = -1;
	if (job && *job)
		wn_job_clean_key(job, out->key);
}

static void
read_name(long pid, char out[WN_ANCESTOR_BYTES])
{
	char path[64], target[4096];
	snprintf(path, sizeof path, "/proc/%ld/exe", pid);
	ssize_t n = readlink(path, target, sizeof target - 1);
	target[n > 0 ? n : 0] = '\0';
	const char *slash = strrchr(target, '/');
	snprintf(out, WN_ANCESTOR_BYTES, "%.255s", slash ? slash + 1 : target);
}

/* Fills in an ancestor, and returns the process above it; 0 if there is none or it is unknown. */
static long
read_ancestor(long pid, struct wn_ancestor *out)
{
	char path[64], status[1024];
	long parent;
	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	if (wn_read_start(path, status, sizeof status) == 0)
		return 0;
	char *name = strchr(status, '('), *end = strrchr(status, ')');
	if (!name || !end || strlen(end) < 5) /* ") S 123 ..." */
		return 0;
	parent = strtol(end + 4, NULL, 10);
	*end = '\0';
	snprintf(out->title, sizeof out->title, "%.255s", name + 1);
	read_name(pid, out->name);
	snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
	size_t n = wn_read_start(path, out->words, sizeof out->words);
	for (size_t i = 0; i + 1 < n; i++)
		out->words[i] = out->words[i] == '\0' ? ' ' : out->words[i];
	return parent;
}

/* Reads the ancestors of this process, as far as it may. Returns their number. */
static size_t
read_ancestors(struct wn_ancestor out[WN_ANCESTORS_MAX])
{
	size_t n = 0;
	long pid = getppid();
	while (pid > 1 && n < WN_ANCESTORS_MAX)
		pid = read_ancestor(pid, &out[n++]);
	return n;
}

void
wn_rank_find_own(struct wn_rank *out)
{
	const char *const *environment = (const char *const *)environ;
	int saved_errno = errno;
	size_t n = 0, size_bytes = WN_ANCESTORS_MAX * sizeof(struct wn_ancestor);
	struct wn_ancestor *ancestors = MAP_FAILED;
	if (find_first(environment)) /* not on the stack: a thread of a program may have little */
		ancestors = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
		                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ancestors != MAP_FAILED)
		n = read_ancestors(ancestors);
	wn_rank_find(environment, ancestors, n, out);
	if (ancestors != MAP_FAILED)
		munmap(ancestors, size_bytes);
	errno = saved_errno;
}

static bool
is_variable(const char *variable, const char *name)
{
	size_t n = name ? strlen(name) : 0;
	return n > 0 && strncmp(variable, name, n) == 0 && variable[n] == '=';
}

bool
wn_rank_uses(const char *variable)
{
	static const char *const more[] = {"WINNOW_RANK", "WINNOW_JOB",   "PMI_RANK",
	                                   "PMI_SIZE",    "PMI_JOBID",    "PMI_LOCAL_RANK",
	                                   "PBS_JOBID",   "SLURM_NNODES", "FLUX_JOB_NNODES"};
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		if (is_variable(variable, more[i]))
			return true;
	for (size_t k = 0; k < LAUNCHERS_N; k++) {
		const struct launcher *l = &launchers[k];
		const char *const names[] = {l->rank, l->size, l->local_rank, l->local_size,
		                             l->node, l->job,  l->step};
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (is_variable(variable, names[i]))
				return true;
	}
	return false;
}

bool
wn_rank_is_launcher(const char *program)
{
	static const char *const names[] = {
	    "mpirun",        "mpiexec",     "orterun",        "prterun",         "prun",
	    "srun",          "aprun",       "jsrun",          "mpiexec.hydra",   "mpirun_rsh",
	    "ibrun",         "flux",        "mpirun.openmpi", "mpiexec.openmpi", "mpirun.mpich",
	    "mpiexec.mpich", "mpirun.hydra"};
	const char *slash = strrchr(program, '/');
	const char *base = slash ? slash + 1 : program;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(base, names[i]) == 0)
			return true;
	return false;
}
