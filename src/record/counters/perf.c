/* SPDX-License-Identifier: MIT */
/*
 * perf.c - the kernel's counters of a thread: the processor's events and its own.
 *
 *   WINNOW_COUNTERS=perf:NAME=TYPE.CONFIG.CONFIG1.CONFIG2.UNIT,...
 *
 * TYPE and CONFIG are those of struct perf_event_attr, as hexadecimal numbers that the command has
 * looked up (cli/event_names.c). Events of one kind form a group, which the kernel schedules
 * together; when no more fit, the next group begins.
 *
 * A group is read in user space where the kernel lets it, and by read(2) elsewhere. Descriptors are
 * as high as possible, and checked before each read: the program may close and reuse them, and
 * reading would consume its data.
 */
#include "record/counters/counter_page.h"
#include "record/counters/counters.h"
#include "trace/ticks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#define CAN_READ_COUNTERS true
#else
/* The instruction faults where the administrator switches it off, even later (AArch64), or is not
 * written here. */
#define CAN_READ_COUNTERS false
#endif

static struct {
	uint32_t type;
	bool is_user; /* kernel mode is excluded, as permissions require */
	uint64_t config, config1, config2;
} events[WN_COUNTERS_MAX];
static uint32_t n_events;
static size_t page_bytes;

/* Layout of read(2) of a group, according to `read_format` below. */
struct group_values {
	uint64_t n, enabled_ns, running_ns;
	struct {
		uint64_t value, id;
	} of[WN_COUNTERS_MAX];
};

/* The highest free number below the limit, since programs use low numbers. */
static int
move_high(int fd)
{
	struct rlimit limit;
	uint64_t top = 1024;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
		top = limit.rlim_cur;
	if (top > 65536) /* the kernel's table is as large as its highest number */
		top = 65536;
	for (uint64_t from = top - top / 8; from > 64; from -= from / 4) {
		int high = fcntl(fd, F_DUPFD_CLOEXEC, (int)from);
		if (high >= 0) {
			close(fd);
			return high;
		}
	}
	return fd;
}

static int
open_event(uint32_t i, int group_fd)
{
	struct perf_event_attr attr;
	memset(&attr, 0, sizeof attr);
	attr.size = sizeof attr;
	attr.type = events[i].type;
	attr.config = events[i].config;
	attr.config1 = events[i].config1;
	attr.config2 = events[i].config2;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
	                   PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
	attr.exclude_kernel = events[i].is_user;
	attr.exclude_hv = 1;
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, group_fd, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -1 : move_high((int)fd);
}

static bool
is_ours(const struct wn_counter_thread *c, uint32_t i)
{
	uint64_t id;
	return ioctl(c->fd[i], PERF_EVENT_IOC_ID, &id) == 0 && id == c->id[i];
}

static const char *
why_not(int error, char *text, size_t text_bytes)
{
	const char *why = strerror(error);
	switch (error) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		why = "this machine does not provide it";
		break;
	case EACCES:
	case EPERM:
		why = "the kernel does not allow it (perf_event_paranoid)";
		break;
	case EMFILE:
	case ENFILE:
		why = "too many open files";
		break;
	default:
		break;
	}
	snprintf(text, text_bytes, "%s", why);
	return text;
}

/* Can the event be counted? Some software events occur in kernel mode, which requires
 * permission. */
static int
try_event(uint32_t i)
{
	int fd = open_event(i, -1);
	if (fd < 0 && (errno == EACCES || errno == EPERM) && !events[i].is_user &&
	    (events[i].config == PERF_COUNT_SW_TASK_CLOCK ||
	     events[i].config == PERF_COUNT_SW_PAGE_FAULTS)) {
		events[i].is_user = true;
		fd = open_event(i, -1);
	}
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* Parses one NAME=TYPE.CONFIG.CONFIG1.CONFIG2.UNIT of n_bytes; false if it is malformed. */
static bool
take_event(const char *text, size_t n_bytes, struct wn_counter_name *name)
{
	size_t name_bytes = strcspn(text, "=,");
	if (name_bytes >= n_bytes || name_bytes >= sizeof name->name)
		return false;
	memset(name, 0, sizeof *name);
	memcpy(name->name, text, name_bytes);
	uint64_t numbers[4] = {0};
	char *at = (char *)(uintptr_t)(text + name_bytes + 1);
	for (int i = 0; i < 4; i++) {
		numbers[i] = strtoull(at, &at, 16);
		at += *at == '.';
	}
	size_t unit_bytes = strcspn(at, ",");
	if (unit_bytes >= sizeof name->unit)
		return false;
	memcpy(name->unit, at, unit_bytes);
	events[n_events].type = (uint32_t)numbers[0];
	events[n_events].config = numbers[1];
	events[n_events].config1 = numbers[2];
	events[n_events].config2 = numbers[3];
	events[n_events].is_user = numbers[0] != PERF_TYPE_SOFTWARE;
	return true;
}

static bool
open_perf(const char *wanted, struct wn_counter_set *set)
{
	char why[128];
	n_events = 0;
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	while (*wanted && n_events < WN_COUNTERS_MAX) {
		size_t n = strcspn(wanted, ",");
		struct wn_counter_name *name = &set->names[n_events];
		if (take_event(wanted, n, name)) {
			int error = try_event(n_events);
			if (error)
				wn_counters_miss(set, name->name, why_not(error, why, sizeof why));
			else
				n_events++;
		}
		wanted += n + (wanted[n] == ',');
	}
	set->n = n_events;
	memcpy(set->by, "perf_event", sizeof "perf_event");
	return true;
}

/* Opens the event in the group of its kind, or as leader of a new one if the group is full. */
static bool
begin_event(struct wn_counter_thread *c, uint32_t i, uint32_t *leader)
{
	c->fd[i] = *leader == UINT32_MAX ? -1 : open_event(i, c->fd[*leader]);
	if (c->fd[i] < 0) {
		c->fd[i] = open_event(i, -1);
		*leader = c->fd[i] < 0 ? *leader : i;
	}
	if (c->fd[i] < 0)
		return false;
	c->leader[i] = (uint8_t)*leader;
	if (ioctl(c->fd[i], PERF_EVENT_IOC_ID, &c->id[i]) == 0)
		return true;
	close(c->fd[i]); /* it could not be recognised later */
	*leader = *leader == i ? UINT32_MAX : *leader;
	return false;
}

static uint64_t
begin(struct wn_counter_thread *c, uint32_t os_tid, uint64_t tick)
{
	uint32_t leaders[2] = {UINT32_MAX, UINT32_MAX}; /* software events; hardware events */
	uint64_t counted = 0;
	(void)os_tid;
	(void)tick;
	for (uint32_t i = 0; i < n_events; i++) {
		if (!begin_event(c, i, &leaders[events[i].type != PERF_TYPE_SOFTWARE]))
			continue;
		void *page = !CAN_READ_COUNTERS
		                 ? MAP_FAILED
		                 : mmap(NULL, page_bytes, PROT_READ, MAP_SHARED, c->fd[i], 0);
		c->page[i] = page == MAP_FAILED ? NULL : page;
		counted |= UINT64_C(1) << i;
	}
	return counted;
}

/* The program has closed the descriptors. */
static void
lose_group(struct wn_counter_thread *c, uint32_t leader)
{
	for (uint32_t i = leader; i < n_events; i++)
		if (c->leader[i] == leader)
			c->counted &= ~(UINT64_C(1) << i);
}

/* Reads a group with one system call, after checking the descriptor. */
static void
read_group(struct wn_counter_thread *c, uint32_t leader, uint64_t *totals)
{
	struct group_values got;
	int saved_errno = errno;
	ssize_t n_bytes = is_ours(c, leader) ? read(c->fd[leader], &got, sizeof got) : -1;
	errno = saved_errno;
	if (n_bytes < (ssize_t)(3 * sizeof got.n) || got.n > WN_COUNTERS_MAX) {
		lose_group(c, leader);
		return;
	}
	for (uint64_t k = 0; k < got.n; k++) {
		struct wn_page_value v = {got.of[k].value, got.enabled_ns, got.running_ns};
		for (uint32_t i = leader; i < n_events; i++) {
			if (c->counted >> i & 1 && c->id[i] == got.of[k].id)
				wn_page_take(c, i, &v, totals);
		}
	}
}

static uint64_t
read_counter(uint32_t index)
{
#if defined(__x86_64__)
	return (uint64_t)__rdpmc((int)index);
#else
	(void)index;
	return 0;
#endif
}

static uint64_t
read_clock(void)
{
	return wn_ticks();
}

static void
read_perf(struct wn_counter_thread *c, uint64_t tick, uint64_t *totals)
{
	static const struct wn_page_processor processor = {read_counter, read_clock};
	(void)tick;
	wn_pages_read(c, n_events, &processor, read_group, totals);
}

static void
end(struct wn_counter_thread *c)
{
	for (uint32_t i = 0; i < n_events; i++) {
		if (!(c->counted >> i & 1))
			continue;
		if (c->page[i])
			munmap(c->page[i], page_bytes);
		if (is_ours(c, i))
			close(c->fd[i]);
	}
	c->counted = 0;
}

const struct wn_counter_backend wn_counters_perf = {
    .name = "perf", .open = open_perf, .begin = begin, .read = read_perf, .end = end};
