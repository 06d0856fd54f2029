/* SPDX-License-Identifier: MIT */
#include "job/process.h"

#include "base/clock.h"
#include "base/path.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NODES_MAX 64 /* memory nodes and sockets: bits of one word */

/* Appends "A" or "A-B"; what does not fit is left out. */
static void
append_range(char *list, size_t room, size_t first, size_t last)
{
	size_t used = strlen(list);
	char range[32] = "";
	if (last > first)
		snprintf(range, sizeof range, "-%zu", last);
	if (used + 32 < room)
		snprintf(list + used, room - used, "%s%zu%s", used > 0 ? "," : "", first, range);
}

static void
format_cpus(const cpu_set_t *cpus, char *out, size_t room)
{
	out[0] = '\0';
	for (size_t first = 0; first < CPU_SETSIZE; first++) {
		if (!CPU_ISSET(first, cpus))
			continue;
		size_t last = first;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, cpus))
			last++;
		append_range(out, room, first, last);
		first = last;
	}
}

static void
format_bits(uint64_t bits, char *out, size_t room)
{
	out[0] = '\0';
	for (size_t i = 0; i < NODES_MAX; i++)
		if (bits >> i & 1)
			append_range(out, room, i, i);
}

static uint64_t
read_sockets(const cpu_set_t *cpus)
{
	char path[96], line[32];
	uint64_t bits = 0;
	for (size_t i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, cpus))
			continue;
		snprintf(path, sizeof path,
		         "/sys/devices/system/cpu/cpu%zu/topology/physical_package_id", i);
		long number = wn_read_line(path, line, sizeof line) ? strtol(line, NULL, 10) : -1;
		if (number >= 0 && number < NODES_MAX)
			bits |= (uint64_t)1 << number;
	}
	return bits;
}

/* Is one of the CPUs in a list such as "0-3,8"? */
static bool
is_one_of(const char *list, const cpu_set_t *cpus)
{
	for (char *end; *list; list = *end == ',' ? end + 1 : end) {
		long first = strtol(list, &end, 10), last = first;
		if (end == list)
			return false;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		for (long i = first; i <= last && i < CPU_SETSIZE; i++)
			if (CPU_ISSET((size_t)i, cpus))
				return true;
	}
	return false;
}

static uint64_t
read_numa(const cpu_set_t *cpus)
{
	char path[96], line[1024];
	uint64_t bits = 0;
	for (size_t i = 0; i < NODES_MAX; i++) {
		snprintf(path, sizeof path, "/sys/devices/system/node/node%zu/cpulist", i);
		if (wn_read_line(path, line, sizeof line) && is_one_of(line, cpus))
			bits |= (uint64_t)1 << i;
	}
	return bits;
}

/* Reads the offset of this time namespace; 0 where the kernel has none. */
static int64_t
read_mono_offset(void)
{
	char line[128];
	long long s, ns;
	if (!wn_read_line("/proc/self/timens_offsets", line, sizeof line) ||
	    sscanf(line, "monotonic %lld %lld", &s, &ns) != 2)
		return 0;
	return s * 1000000000 + ns;
}

void
wn_process_read(struct wn_process *out)
{
	cpu_set_t cpus;
	memset(out, 0, sizeof *out);
	wn_job_host(out->host);
	wn_job_boot_id(out->boot_id);
	out->mono_offset_ns = read_mono_offset();
	if (sched_getaffinity(0, sizeof cpus, &cpus) != 0)
		return;
	format_cpus(&cpus, out->cpus, sizeof out->cpus);
	format_bits(read_numa(&cpus), out->numa, sizeof out->numa);
	format_bits(read_sockets(&cpus), out->sockets, sizeof out->sockets);
}

static const char *
known(const char *text)
{
	return *text ? text : NULL;
}

void
wn_process_begin(const struct wn_process *process, const struct wn_rank *rank, const char *job_key,
                 struct wn_manifest *out)
{
	*out = (struct wn_manifest){
	    .job_key = job_key,
	    .rank = rank,
	    .host = process->host,
	    .boot_id = known(process->boot_id),
	    .mono_offset_ns = process->mono_offset_ns,
	    .cpus = known(process->cpus),
	    .numa = known(process->numa),
	    .sockets = known(process->sockets),
	    .start_realtime_ns = wn_now_ns(CLOCK_REALTIME),
	    .start_mono_ns = wn_now_ns(CLOCK_MONOTONIC),
	    .exit_status = -1,
	    .signal = -1,
	    .bytes = -1,
	    .mpi = {.rank = -1, .size = -1},
	};
}

void
wn_process_end(struct wn_manifest *m, int64_t exit_status, int64_t signal_number)
{
	m->has_end = true;
	m->end_realtime_ns = wn_now_ns(CLOCK_REALTIME);
	m->end_mono_ns = wn_now_ns(CLOCK_MONOTONIC);
	m->exit_status = exit_status;
	m->signal = signal_number;
}
