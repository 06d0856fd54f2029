/* SPDX-License-Identifier: MIT */
/*
 * facts.c - what the machine did during the recording: CPUs that the threads may use, limits on CPU
 * time, steal, page faults, and threads of the process that are not recorded.
 *
 * Read when a trace is opened and when it ends, when its first thread begins, and for each thread
 * when it ends; never in the event path. Under a seccomp(2) filter nothing is read: its system
 * calls may be refused.
 */
#include "base/clock.h"
#include "base/cpu_limits.h"
#include "record/state.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MASK_WORDS  (CPU_SETSIZE / 64)
#define FOREIGN_MAX 512u /* threads that are not recorded: no more are examined */

/* Readings of counters that only grow. */
struct readings {
	uint64_t mono_ns, steal_ns, throttled_ns, minor_faults, major_faults, first_faults,
	    kernel_ns, cpu_ns, peak_bytes;
	bool has_steal, has_throttled, has_first;
};

static struct {
	bool is_open;
	struct readings at_start;
	_Atomic uint64_t bound[MASK_WORDS]; /* CPUs that any recorded thread may use */
	_Atomic bool is_unbounded;          /* the CPUs of one are unknown */
	_Atomic bool is_used;               /* a thread is recorded */
	uint64_t off_before_ns;             /* WN_FACT_OFF_BEFORE_NS */
} facts;

/* When this library was loaded, before main(), and the CPU time of the process until then; 0 = it
 * may have been later. */
static uint64_t loaded_ns, loaded_cpu_ns;

/* Preloaded libraries are loaded with the program; the runtime may load its tool at any time. */
__attribute__((constructor)) static void
note_loading(void)
{
	const char *preloaded = getenv("LD_PRELOAD");
	if (!preloaded || !strstr(preloaded, "winnow"))
		return;
	loaded_ns = wn_now_ns(CLOCK_MONOTONIC);
	if (!recorder_is_filtered())
		loaded_cpu_ns = wn_now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static uint64_t
ns_of(struct timeval time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* Adds the steal in a line "cpuN user nice system ..." of /proc/stat; false behind the last one. */
static bool
add_steal(const char *line, const cpu_set_t *cpus, uint64_t *ticks, bool *is_found)
{
	char *at;
	uint64_t value = 0;
	if (strncmp(line, "cpu", 3) != 0)
		return false;
	if (line[3] == ' ') /* all CPUs together */
		return true;
	unsigned long cpu = strtoul(line + 3, &at, 10);
	for (int i = 0; i < 8; i++) /* user nice system idle iowait irq softirq steal */
		value = strtoull(at, &at, 10);
	if (cpu < CPU_SETSIZE && CPU_ISSET(cpu, cpus)) {
		*ticks += value;
		*is_found = true;
	}
	return true;
}

/* Time that the hypervisor took from the CPUs that this process may use. */
static bool
read_steal(uint64_t *ns)
{
	char text[2048]; /* several lines of a CPU */
	cpu_set_t cpus;
	uint64_t ticks = 0;
	bool is_found = false, is_cpu = true;
	long hz = sysconf(_SC_CLK_TCK);
	if (hz <= 0 || sched_getaffinity(0, sizeof cpus, &cpus) != 0)
		return false;
	int fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
	ssize_t n;
	for (size_t kept = 0; fd >= 0 && is_cpu; kept = strlen(text)) {
		n = read(fd, text + kept, sizeof text - 1 - kept);
		if (n <= 0)
			break;
		text[kept + (size_t)n] = '\0';
		char *line = text;
		for (char *end; is_cpu && (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			is_cpu = add_steal(line, &cpus, &ticks, &is_found);
		}
		memmove(text, line, strlen(line) + 1);
	}
	if (fd >= 0)
		close(fd);
	*ns = ticks * (1000000000u / (uint64_t)hz);
	return is_found;
}

/* Minor page faults of the process's first thread. */
static bool
read_first_faults(uint64_t *n)
{
	char path[64], text[1024];
	snprintf(path, sizeof path, "/proc/self/task/%ld/stat", (long)getpid());
	if (!wn_read_start(path, text, sizeof text))
		return false;
	char *at = strrchr(text, ')');    /* of the name, which may contain anything */
	for (int i = 0; at && i < 8; i++) /* state ppid pgrp session tty tpgid flags minflt */
		at = strchr(at + 1, ' ');
	*n = at ? strtoull(at, NULL, 10) : 0;
	return at != NULL;
}

static void
take_readings(struct readings *r, struct wn_cpu_limits *limits)
{
	struct rusage usage;
	memset(r, 0, sizeof *r);
	r->mono_ns = wn_now_ns(CLOCK_MONOTONIC);
	r->has_steal = read_steal(&r->steal_ns);
	r->has_first = read_first_faults(&r->first_faults);
	wn_read_cpu_limits(limits);
	r->has_throttled = limits->has_throttled;
	r->throttled_ns = limits->throttled_ns;
	if (getrusage(RUSAGE_SELF, &usage) == 0) {
		r->minor_faults = (uint64_t)usage.ru_minflt;
		r->major_faults = (uint64_t)usage.ru_majflt;
		r->peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
		r->kernel_ns = ns_of(usage.ru_stime);
		r->cpu_ns = r->kernel_ns + ns_of(usage.ru_utime);
	}
}

void
recorder_facts_open(void)
{
	struct wn_cpu_limits limits;
	for (size_t i = 0; i < MASK_WORDS; i++)
		atomic_store(&facts.bound[i], 0);
	atomic_store(&facts.is_unbounded, false);
	atomic_store(&facts.is_used, false);
	facts.off_before_ns = 0;
	facts.is_open = !recorder_is_filtered();
	if (facts.is_open)
		take_readings(&facts.at_start, &limits);
}

/* Adds the CPUs that a thread may use. */
static void
add_bound(pid_t tid)
{
	uint64_t words[MASK_WORDS] = {0};
	long n = syscall(SYS_sched_getaffinity, tid, sizeof words, words);
	if (n <= 0) {
		atomic_store(&facts.is_unbounded, true);
		return;
	}
	for (size_t i = 0; i < MASK_WORDS && i * sizeof *words < (size_t)n; i++)
		if (words[i])
			atomic_fetch_or(&facts.bound[i], words[i]);
}

void
recorder_facts_attach(void)
{
	if (!facts.is_open || loaded_cpu_ns == 0 || atomic_exchange(&facts.is_used, true))
		return;
	uint64_t ns = wn_now_ns(CLOCK_MONOTONIC) - loaded_ns;
	uint64_t cpu_ns = wn_now_ns(CLOCK_PROCESS_CPUTIME_ID) - loaded_cpu_ns;
	facts.off_before_ns = ns > cpu_ns ? ns - cpu_ns : 0;
}

void
recorder_facts_thread(void)
{
	if (facts.is_open)
		add_bound(0);
}

/* --- at the end ------------------------------------------------------------------------------ */

struct writer {
	uint32_t n_bytes;
	uint8_t
	    bytes[WN_FACT_N * (sizeof(struct wn_process_record) + sizeof(struct wn_fact_record))];
};

static void
put_fact(struct writer *w, enum wn_fact kind, uint64_t value)
{
	struct wn_process_record head = {WN_PROCESS_FACT, sizeof(struct wn_fact_record)};
	struct wn_fact_record r = {.kind = (uint32_t)kind, .value = value};
	memcpy(w->bytes + w->n_bytes, &head, sizeof head);
	memcpy(w->bytes + w->n_bytes + sizeof head, &r, sizeof r);
	w->n_bytes += (uint32_t)(sizeof head + sizeof r);
}

static void
put_growth(struct writer *w, enum wn_fact kind, uint64_t before, uint64_t after)
{
	if (after >= before)
		put_fact(w, kind, after - before);
}

/* CPU time of a thread since it began. */
static uint64_t
cpu_time_of(pid_t tid)
{
	char path[64], text[96];
	snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", (long)tid);
	return wn_read_start(path, text, sizeof text) ? strtoull(text, NULL, 10) : 0;
}

struct entry64 { /* as getdents64(2) writes it */
	uint64_t inode;
	int64_t offset;
	uint16_t n_bytes;
	uint8_t type;
	char name[];
};

/* The threads that exist now. */
static void
look_at_threads(struct writer *w)
{
	_Alignas(8) char entries[4096];
	uint64_t n_foreign = 0, foreign_ns = 0;
	int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long n;
	while (fd >= 0 && (n = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0)
		for (long at = 0; at < n;) {
			const struct entry64 *e = (const void *)(entries + at);
			pid_t tid = (pid_t)strtol(e->name, NULL, 10);
			at += e->n_bytes;
			if (tid <= 0)
				continue;
			if (recorder_switches_has_thread((uint32_t)tid))
				add_bound(tid);
			else if (n_foreign++ < FOREIGN_MAX)
				foreign_ns += cpu_time_of(tid);
		}
	if (fd < 0)
		return;
	close(fd);
	put_fact(w, WN_FACT_OTHER_THREADS, n_foreign);
	put_fact(w, WN_FACT_OTHER_CPU_NS, foreign_ns);
}

static void
put_bound(struct writer *w)
{
	uint64_t n = 0;
	for (size_t i = 0; i < MASK_WORDS; i++)
		n += (uint64_t)__builtin_popcountll(atomic_load(&facts.bound[i]));
	if (n > 0 && !atomic_load(&facts.is_unbounded))
		put_fact(w, WN_FACT_BOUND_CPUS, n);
}

void
recorder_facts_write(void)
{
	const struct readings *before = &facts.at_start;
	struct readings after;
	struct wn_cpu_limits limits;
	struct writer w = {0};
	long n_online = sysconf(_SC_NPROCESSORS_ONLN);
	if (!facts.is_open || recorder_is_filtered())
		return;
	take_readings(&after, &limits);
	if (n_online > 0)
		put_fact(&w, WN_FACT_ONLINE_CPUS, (uint64_t)n_online);
	put_growth(&w, WN_FACT_SPAN_NS, before->mono_ns, after.mono_ns);
	if (limits.has_quota)
		put_fact(&w, WN_FACT_QUOTA_MILLICPUS, limits.quota_millicpus);
	if (before->has_throttled && after.has_throttled)
		put_growth(&w, WN_FACT_THROTTLED_NS, before->throttled_ns, after.throttled_ns);
	if (before->has_steal && after.has_steal)
		put_growth(&w, WN_FACT_STEAL_NS, before->steal_ns, after.steal_ns);
	if (loaded_ns > 0)
		put_growth(&w, WN_FACT_LOADED_NS, loaded_ns, before->mono_ns);
	if (atomic_load(&facts.is_used))
		put_fact(&w, WN_FACT_OFF_BEFORE_NS, facts.off_before_ns);
	put_growth(&w, WN_FACT_MINOR_FAULTS, before->minor_faults, after.minor_faults);
	put_growth(&w, WN_FACT_MAJOR_FAULTS, before->major_faults, after.major_faults);
	if (before->has_first && after.has_first)
		put_growth(&w, WN_FACT_FIRST_FAULTS, before->first_faults, after.first_faults);
	put_growth(&w, WN_FACT_KERNEL_NS, before->kernel_ns, after.kernel_ns);
	put_growth(&w, WN_FACT_CPU_NS, before->cpu_ns, after.cpu_ns);
	long page_bytes = sysconf(_SC_PAGESIZE);
	if (page_bytes > 0 && after.peak_bytes > 0)
		put_fact(&w, WN_FACT_PEAK_PAGES, after.peak_bytes / (uint64_t)page_bytes);
	look_at_threads(&w);
	put_bound(&w);
	recorder_process_write(w.bytes, w.n_bytes);
}
