/* SPDX-License-Identifier: MIT */
/* cpu_limits.h - limits on CPU time from control groups (cpu.max, or cpu.cfs_quota_us of version
 * 1), and the event that records context switches. Inline, because the recorder links no library;
 * no allocation. */
#pragma once

#include "base/path.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct wn_cpu_limits {
	bool is_known; /* a CPU controller was found */
	bool has_quota;
	uint64_t quota_millicpus; /* the smallest quota / period of the group and those above it */
	bool has_throttled;
	uint64_t throttled_ns; /* summed over CPUs, since the group exists; of that group */
};

/* The number after a word at the start of a line; false if there is none. */
static inline bool
wn_number_after(const char *text, const char *word, uint64_t *out)
{
	size_t n = strlen(word);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, word, n) == 0 && line[n] == ' ') {
			*out = strtoull(line + n, NULL, 10);
			return true;
		}
	}
	return false;
}

/* One group: its quota, if it has one, and the time for which it was throttled. */
static inline void
wn_read_cpu_group(const char *folder, struct wn_cpu_limits *limits)
{
	char path[704], text[1024];
	uint64_t quota_us = 0, period_us = 0, throttled = 0, unit_ns = 1000;
	snprintf(path, sizeof path, "%s/cpu.max", folder);
	if (wn_read_start(path, text, sizeof text)) {
		char *next;
		quota_us = strtoull(text, &next, 10); /* 0 of "max" */
		period_us = strtoull(next, NULL, 10);
		limits->is_known = true;
	} else {
		snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
		if (!wn_read_start(path, text, sizeof text))
			return;
		quota_us = *text == '-' ? 0 : strtoull(text, NULL, 10);
		snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
		if (wn_read_start(path, text, sizeof text))
			period_us = strtoull(text, NULL, 10);
		limits->is_known = true;
	}
	if (quota_us == 0 || period_us == 0 || quota_us > UINT64_C(1) << 40)
		return;
	uint64_t millicpus = quota_us * 1000 / period_us;
	if (limits->has_quota && millicpus >= limits->quota_millicpus)
		return;
	limits->has_quota = true;
	limits->quota_millicpus = millicpus ? millicpus : 1;
	snprintf(path, sizeof path, "%s/cpu.stat", folder);
	limits->has_throttled = wn_read_start(path, text, sizeof text);
	if (limits->has_throttled && !wn_number_after(text, "throttled_usec", &throttled)) {
		unit_ns = 1;
		limits->has_throttled = wn_number_after(text, "throttled_time", &throttled);
	}
	limits->throttled_ns = throttled * unit_ns;
}

/* The CPU controller's path in /proc/self/cgroup: "4:cpu,cpuacct:/path", or "0::/path". */
static inline bool
wn_find_cpu_group(char *line, const char **mount, char **path)
{
	static const char *const mounts[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct",
	                                     "/sys/fs/cgroup/cpuacct,cpu"};
	char *list = strchr(line, ':');
	*path = list ? strchr(list + 1, ':') : NULL;
	if (!*path)
		return false;
	*(*path)++ = '\0';
	list++;
	*mount = NULL;
	if (*list == '\0')
		*mount = access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0 ? "/sys/fs/cgroup"
		                                                                : NULL;
	char padded[128];
	snprintf(padded, sizeof padded, ",%s,", list);
	for (size_t i = 0; strstr(padded, ",cpu,") && i < sizeof mounts / sizeof *mounts; i++)
		if (!*mount && access(mounts[i], F_OK) == 0)
			*mount = mounts[i];
	return *mount != NULL;
}

/* Reads the limits of this process. In a container, paths of the host are not visible; then the
 * group at the root is the container's. */
static inline void
wn_read_cpu_limits(struct wn_cpu_limits *limits)
{
	char text[4096], folder[640];
	char *save = NULL;
	memset(limits, 0, sizeof *limits);
	if (!wn_read_start("/proc/self/cgroup", text, sizeof text))
		return;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		const char *mount;
		char *path;
		if (!wn_find_cpu_group(line, &mount, &path) || strlen(path) > 512)
			continue;
		for (;;) { /* the group and all above it */
			snprintf(folder, sizeof folder, "%s%s", mount, path);
			wn_read_cpu_group(folder, limits);
			char *slash = strrchr(path, '/');
			if (!slash || *path == '\0')
				break;
			*slash = '\0';
		}
	}
}

/* Opens an event of the calling thread in user mode that never wakes a reader; needs no privilege
 * while kernel.perf_event_paranoid is 2 or less. -1 and errno. */
static inline int
wn_open_thread_event(struct perf_event_attr attr)
{
	attr.size = sizeof attr;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	attr.watermark = 1; /* never reached */
	attr.wakeup_watermark = UINT32_MAX;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Counts nothing, and records the thread's context switches. */
static inline int
wn_open_switch_event(void)
{
	return wn_open_thread_event((struct perf_event_attr){
	    .config = PERF_COUNT_SW_DUMMY,
	    .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	    .context_switch = 1,
	    .sample_id_all = 1,
	    .use_clockid = 1,
	    .clockid = CLOCK_MONOTONIC,
	});
}

/* Records the address of the thread's code after each `period_ns` of CPU time. */
static inline int
wn_open_sample_event(uint64_t period_ns)
{
	return wn_open_thread_event((struct perf_event_attr){
	    .config = PERF_COUNT_SW_TASK_CLOCK,
	    .sample_period = period_ns,
	    .sample_type = PERF_SAMPLE_IP,
	});
}

/* The same with the general registers: the words from the fourth on, in the order rax, rbx, rcx,
 * rdx, rsi, rdi, rbp, rsp, r8 to r15. -1 on other processors. */
static inline int
wn_open_registers_event(uint64_t period_ns)
{
#ifdef __x86_64__
	return wn_open_thread_event((struct perf_event_attr){
	    .config = PERF_COUNT_SW_TASK_CLOCK,
	    .sample_period = period_ns,
	    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_REGS_USER,
	    .sample_regs_user = 0xff00ff,
	});
#else
	(void)period_ns;
	return -1;
#endif
}

/* Records the address of the thread's code at each n-th page fault, and where a function returns to
 * that has saved nothing yet: the third word of a sample on x86-64 and AArch64. */
static inline int
wn_open_fault_event(uint64_t n)
{
	return wn_open_thread_event((struct perf_event_attr){
	    .config = PERF_COUNT_SW_PAGE_FAULTS,
	    .sample_period = n,
#ifdef __x86_64__
	    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_STACK_USER,
	    .sample_stack_user = 8,
#else
	    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_REGS_USER,
	    .sample_regs_user = UINT64_C(1) << 30, /* the link register */
#endif
	});
}
