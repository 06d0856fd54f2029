/* SPDX-License-Identifier: MIT */
#include "cli/machine.h"

#include "base/clock.h"
#include "base/cpu_limits.h"
#include "base/path.h"
#include "cli/launch.h"
#include "cli/message.h"
#include "cli/newfile.h"
#include "trace/ticks.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#define HAS_RSEQ 1
#endif

void
machine_kernel(char *out, size_t out_bytes)
{
	struct utsname name;
	if (uname(&name) == 0)
		snprintf(out, out_bytes, "%s %s %s", name.sysname, name.release, name.machine);
	else
		snprintf(out, out_bytes, "unknown");
}

/* The value of a line "KEY<blanks>: VALUE" of /proc/cpuinfo; false for other lines. */
static bool
take_value(const char *line, const char *key, char *out, size_t out_bytes)
{
	const char *colon = strchr(line, ':');
	if (strncmp(line, key, strlen(key)) != 0 || !colon || !colon[1])
		return false;
	snprintf(out, out_bytes, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
	return true;
}

/* Identifies the CPU model: by its name on x86-64, by implementer and part numbers on AArch64, by
 * "cpu" on POWER and "uarch" on RISC-V. CPUs of other models may follow; the first one counts. */
void
machine_cpu_model(char *out, size_t out_bytes)
{
	static const char *const names[] = {"model name", "uarch", "cpu\t"};
	char line[512], designer[32] = "", part[32] = "";
	FILE *file = fopen("/proc/cpuinfo", "re");
	bool is_found = false;
	while (!is_found && file && fgets(line, sizeof line, file)) {
		for (size_t i = 0; i < sizeof names / sizeof names[0] && !is_found; i++)
			is_found = take_value(line, names[i], out, out_bytes);
		if (designer[0] == '\0')
			take_value(line, "CPU implementer", designer, sizeof designer);
		if (part[0] == '\0')
			take_value(line, "CPU part", part, sizeof part);
	}
	if (file)
		fclose(file);
	if (!is_found && part[0])
		snprintf(out, out_bytes, "model %s of designer %s", part, designer);
	else if (!is_found)
		snprintf(out, out_bytes, "unknown model");
}

void
machine_cpu(char *out, size_t out_bytes)
{
	char model[256];
	cpu_set_t *set = CPU_ALLOC(8192);
	size_t set_bytes = CPU_ALLOC_SIZE(8192);
	int n_usable = 0;
	if (set && sched_getaffinity(0, set_bytes, set) == 0)
		n_usable = CPU_COUNT_S(set_bytes, set);
	CPU_FREE(set);
	machine_cpu_model(model, sizeof model);
	snprintf(out, out_bytes, "%s, %d of %ld CPUs usable", model, n_usable,
	         sysconf(_SC_NPROCESSORS_ONLN));
}

#if defined(__aarch64__)
static void
describe_clock(char *out, size_t out_bytes, const char *kernel)
{
	uint64_t hz = wn_ticks_hz();
	if (wn_ticks_are_time())
		snprintf(out, out_bytes, "generic timer, a tick is %.3g ns (kernel: %s)",
		         1e9 / (double)hz, kernel);
	else
		snprintf(out, out_bytes,
		         "CLOCK_MONOTONIC, as the generic timer states %" PRIu64
		         " ticks per second (kernel: %s)",
		         hz, kernel);
}
#elif defined(__x86_64__)
static void
describe_clock(char *out, size_t out_bytes, const char *kernel)
{
	if (!wn_ticks_are_time())
		snprintf(
		    out, out_bytes,
		    "CLOCK_MONOTONIC, as there is no invariant time stamp counter (kernel: %s)",
		    kernel);
	else if (strcmp(kernel, "tsc") == 0)
		snprintf(out, out_bytes, "time stamp counter, invariant (kernel: tsc)");
	else
		snprintf(out, out_bytes,
		         "time stamp counter, invariant, but the kernel uses %s: CPUs may disagree",
		         kernel);
}
#else
static void
describe_clock(char *out, size_t out_bytes, const char *kernel)
{
	snprintf(out, out_bytes,
	         "CLOCK_MONOTONIC, as this processor's own counter is not used (kernel: %s)",
	         kernel);
}
#endif

void
machine_clock(char *out, size_t out_bytes)
{
	char source[64];
	if (!wn_read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource",
	                  source, sizeof source))
		snprintf(source, sizeof source, "unknown");
	describe_clock(out, out_bytes, source);
}

void
machine_perf(char *out, size_t out_bytes)
{
	char level[32];
	int value;
	if (!wn_read_line("/proc/sys/kernel/perf_event_paranoid", level, sizeof level) ||
	    sscanf(level, "%d", &value) != 1)
		snprintf(out, out_bytes, "not available in this kernel");
	else
		snprintf(out, out_bytes, "perf_event_paranoid %d: %s", value,
		         value <= 2 || geteuid() == 0
		             ? "counters of own processes allowed, where the CPU shows them"
		             : "no hardware counters for users");
}

/* A filter of system calls may kill for trying. */
static bool
is_filtered(void)
{
	char line[64] = "";
	FILE *file = fopen("/proc/self/status", "re");
	int mode = 0;
	while (file && mode == 0 && fgets(line, sizeof line, file))
		(void)sscanf(line, "Seccomp: %d", &mode);
	if (file)
		fclose(file);
	return mode != 0;
}

void
machine_switches(char *out, size_t out_bytes)
{
	if (is_filtered()) {
		snprintf(out, out_bytes,
		         "not recorded: a seccomp filter restricts system calls here");
		return;
	}
	int fd = wn_open_switch_event();
	char level[32] = "unknown";
	if (fd >= 0) {
		close(fd);
		snprintf(out, out_bytes, "recorded from the kernel's switch records");
		return;
	}
	int error = errno;
	(void)wn_read_line("/proc/sys/kernel/perf_event_paranoid", level, sizeof level);
	if (error == EACCES || error == EPERM)
		snprintf(out, out_bytes,
		         "not recorded: perf_event_paranoid is %s, and 2 or less is needed", level);
	else
		snprintf(out, out_bytes, "not recorded: perf_event_open: %s", strerror(error));
}

void
machine_limits(char *out, size_t out_bytes)
{
	struct wn_cpu_limits limits;
	char text[512], quota[64];
	if (is_filtered()) {
		snprintf(out, out_bytes,
		         "not recorded: a seccomp filter restricts system calls here");
		return;
	}
	wn_read_cpu_limits(&limits);
	if (limits.has_quota)
		snprintf(quota, sizeof quota, "a quota of %.2f CPUs, throttling %srecorded",
		         (double)limits.quota_millicpus / 1000, limits.has_throttled ? "" : "not ");
	else
		snprintf(quota, sizeof quota, "%s",
		         limits.is_known ? "no CPU quota" : "CPU quota not readable");
	bool has_steal = wn_read_line("/proc/stat", text, sizeof text);
	bool has_frequency = wn_read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
	                                  text, sizeof text);
	snprintf(out, out_bytes, "%s; steal %s; clock frequency %s", quota,
	         has_steal ? "recorded" : "not readable",
	         has_frequency ? "readable, not recorded" : "not readable");
}

void
machine_libc(char *out, size_t out_bytes)
{
	const char *cpu_source = "not registered: CPU changes are not recorded";
#ifdef HAS_RSEQ
	if (__rseq_size > 0)
		cpu_source = "registered";
#endif
	snprintf(out, out_bytes, "glibc %s, restartable sequences %s", gnu_get_libc_version(),
	         cpu_source);
}

void
machine_opari(char *out, size_t out_bytes)
{
	char path[PATH_MAX];
	if (launch_find("opari2", path) == 0)
		snprintf(out, out_bytes, "%s: 'winnow cc' can instrument programs", path);
	else
		snprintf(out, out_bytes, "not installed: 'winnow cc' needs it");
}

bool
machine_folder(char *out, size_t out_bytes)
{
	char folder[PATH_MAX];
	char size[16];
	char probe[PATH_MAX];
	struct statvfs space;
	if (!getcwd(folder, sizeof folder)) {
		snprintf(out, out_bytes, "unknown: %s", strerror(errno));
		return false;
	}
	int fd = newfile_beside("probe", 0600, probe);
	if (fd < 0) {
		snprintf(out, out_bytes, "%s, not writable: %s; name another with -o", folder,
		         strerror(errno));
		return false;
	}
	unlink(probe);
	close(fd);
	if (statvfs(".", &space) == 0)
		snprintf(out, out_bytes, "%s, writable, %s free", folder,
		         message_bytes((uint64_t)space.f_bavail * space.f_frsize, size));
	else
		snprintf(out, out_bytes, "%s, writable", folder);
	return true;
}

/* --- speeds of CPUs ----------------------------------------------------------------------------
 */

/* Windows in which steps are counted; the best one counts, since interrupts take part of others. */
#define WINDOWS   4
#define WINDOW_NS 400000u
/* Without so much CPU time after this time, another program has the CPU. */
#define PATIENCE_NS 10000000u
/* Threads that have not begun by then leave the others alone. */
#define START_NS 2000000u

struct probe {
	uint32_t cpu;
	double speed; /* steps per nanosecond of CPU time; 0: unknown */
	pthread_t thread;
	bool is_started;
	struct probes *all;
};

struct probes {
	struct probe each[MACHINE_SPEEDS_MAX];
	size_t n;
	_Atomic size_t n_ready;
	uint64_t begin_ns;
};

/* Independent chains, so that a hardware thread that shares the core's units with another one is
 * slower for it, as most code is. */
#define CHAINS 4

static void
run_steps(uint64_t x[CHAINS])
{
	for (int i = 0; i < 1000; i++)
		for (int k = 0; k < CHAINS; k++) {
			x[k] ^= x[k] << 13;
			x[k] ^= x[k] >> 7;
			x[k] ^= x[k] << 17;
		}
}

/* Returns the steps per nanosecond of CPU time in one window; 0: there was too little of it. */
static double
measure_window(uint64_t x[CHAINS])
{
	uint64_t begin_ns = wn_now_ns(CLOCK_MONOTONIC);
	uint64_t cpu_begin_ns = wn_now_ns(CLOCK_THREAD_CPUTIME_ID), cpu_ns = 0, n = 0;
	while (cpu_ns < WINDOW_NS) {
		if (wn_now_ns(CLOCK_MONOTONIC) - begin_ns > PATIENCE_NS)
			return 0;
		run_steps(x);
		n++;
		cpu_ns = wn_now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_begin_ns;
	}
	return (double)n / (double)cpu_ns;
}

static void *
measure_speed(void *user)
{
	struct probe *probe = user;
	struct probes *all = probe->all;
	uint64_t x[CHAINS], sum = 0;
	for (unsigned k = 0; k < CHAINS; k++)
		x[k] = probe->cpu + k + 1;
	atomic_fetch_add(&all->n_ready, 1);
	while (atomic_load(&all->n_ready) < all->n &&
	       wn_now_ns(CLOCK_MONOTONIC) - all->begin_ns < START_NS)
		;
	for (int i = 0; i < WINDOWS; i++) {
		double speed = measure_window(x);
		probe->speed = speed > probe->speed ? speed : probe->speed;
	}
	for (unsigned k = 0; k < CHAINS; k++)
		sum ^= x[k];
	return sum ? user : NULL; /* so that the steps are computed */
}

/* Starts a thread on the probe's CPU. */
static bool
start_probe(struct probe *probe)
{
	pthread_attr_t attributes;
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(probe->cpu, &set);
	if (pthread_attr_init(&attributes) != 0)
		return false;
	probe->is_started = pthread_attr_setaffinity_np(&attributes, sizeof set, &set) == 0 &&
	                    pthread_create(&probe->thread, &attributes, measure_speed, probe) == 0;
	pthread_attr_destroy(&attributes);
	return probe->is_started;
}

size_t
machine_cpu_speeds(const uint64_t *cpus, size_t n_words, struct wn_cpu_speed_record *speeds)
{
	static struct probes all;
	double fastest = 0;
	all = (struct probes){.begin_ns = wn_now_ns(CLOCK_MONOTONIC)};
	for (size_t cpu = 0; cpu < 64 * n_words && cpu < CPU_SETSIZE; cpu++) {
		if (!(cpus[cpu / 64] >> cpu % 64 & 1))
			continue;
		if (all.n == MACHINE_SPEEDS_MAX)
			return 0;
		all.each[all.n++] = (struct probe){.cpu = (uint32_t)cpu, .all = &all};
	}
	if (all.n < 2)
		return 0;
	bool is_known = true;
	for (size_t i = 0; i < all.n && is_known; i++)
		is_known = start_probe(&all.each[i]);
	for (size_t i = 0; i < all.n && all.each[i].is_started; i++) {
		pthread_join(all.each[i].thread, NULL);
		is_known = is_known && all.each[i].speed > 0;
		fastest = all.each[i].speed > fastest ? all.each[i].speed : fastest;
	}
	for (size_t i = 0; i < all.n && is_known; i++)
		speeds[i] = (struct wn_cpu_speed_record){
		    all.each[i].cpu, (uint32_t)(1000 * all.each[i].speed / fastest + 0.5)};
	return is_known ? all.n : 0;
}

#define SPREAD_TIMES    48
#define SPREAD_PAUSE_NS 10000000L

/* Returns whether this is a virtual machine, whose CPUs share cores with those of others. Half a
 * second shows that by chance only: a machine of two, whose CPUs differed by 1.04 then, had equal
 * loops differ by 1.2 to 1.5. Other processors than x86-64 do not show it here. */
static bool
is_virtual(void)
{
	char line[4096];
	bool is_found = false;
	FILE *file = fopen("/proc/cpuinfo", "re");
	while (!is_found && file && fgets(line, sizeof line, file))
		is_found = strncmp(line, "flags", 5) == 0 && strstr(line, " hypervisor");
	if (file)
		fclose(file);
	return is_found;
}

uint32_t
machine_cpu_spread(void)
{
	struct wn_cpu_speed_record speeds[MACHINE_SPEEDS_MAX];
	uint64_t words[CPU_SETSIZE / 64] = {0};
	uint32_t spread = 0;
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return 0;
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		words[cpu / 64] |= (uint64_t)(CPU_ISSET(cpu, &set) != 0) << cpu % 64;
	for (int i = 0; i < SPREAD_TIMES; i++) {
		const struct timespec pause = {.tv_nsec = SPREAD_PAUSE_NS};
		size_t n = machine_cpu_speeds(words, CPU_SETSIZE / 64, speeds);
		for (size_t k = 0; k < n; k++) {
			uint32_t slower = 1000000 / (speeds[k].per_mille ? speeds[k].per_mille : 1);
			spread = slower > spread ? slower : spread;
		}
		nanosleep(&pause, NULL);
	}
	return spread > 0 && spread < MACHINE_SPREAD_USUAL && is_virtual() ? MACHINE_SPREAD_USUAL
	                                                                   : spread;
}
