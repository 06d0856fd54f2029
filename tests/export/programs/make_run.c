/* SPDX-License-Identifier: MIT */
/*
 * make_run NAME - writes the trace of a made-up run to standard output. Addresses lie in no module,
 * or in one that does not exist, so that places have the same names everywhere.
 */
#include "fake_trace.h"

#include <stdio.h>
#include <string.h>

enum { REGION = 0x1000, LOOP = 0x2000, FIRST = 0x3000, SECOND = 0x3010, WAIT = 0x4000 };

static void
region_begin(struct fake *f, uint32_t by, uint64_t at, uint32_t number, uint32_t team)
{
	FAKE(f, by, REGION_BEGIN, at, REGION, 0, team);
	for (uint32_t i = 0; i < team; i++)
		FAKE(f, by + i, IMPLICIT_BEGIN, at + 100, 0, 0, by, number, team, i);
}

static void
region_end(struct fake *f, uint32_t by, uint64_t at, uint32_t team)
{
	for (uint32_t i = 0; i < team; i++) {
		FAKE(f, by + i, SYNC_END, at - 100, 0, 0);
		FAKE(f, by + i, IMPLICIT_END, at - 100, 0, 0);
	}
	FAKE(f, by, REGION_END, at, 0, 0);
}

static void
barrier(struct fake *f, uint32_t thread, uint64_t at)
{
	FAKE(f, thread, SYNC_BEGIN, at, REGION, WN_SYNC_BARRIER_REGION);
}

static void
create(struct fake *f, uint32_t thread, uint64_t at, uint64_t site)
{
	FAKE(f, thread, TASK_CREATE, at, site, 0);
	FAKE(f, thread, CREATE_END, at + 200, 0, 0);
}

/* Two tasks; the first has two children and waits for them, the second leaves one behind. */
static void
make_tree(struct fake *f)
{
	region_begin(f, 0, 1000, 1, 2);
	FAKE(f, 0, CPU, 0, 0, 0, 3);
	FAKE(f, 0, WORK_BEGIN, 1200, REGION, WN_WORK_SINGLE_EXECUTOR, 1);
	FAKE(f, 1, WORK_BEGIN, 1200, REGION, WN_WORK_SINGLE_OTHER, 1);
	FAKE(f, 1, WORK_END, 1250, 0, 0);
	barrier(f, 1, 1300);
	create(f, 0, 1500, FIRST);  /* 0:2 */
	create(f, 0, 2000, SECOND); /* 0:3 */
	FAKE(f, 0, WORK_END, 2400, 0, 0);
	barrier(f, 0, 2500);
	FAKE(f, 1, TASK_BEGIN, 2600, 0, 0, 0, 3);
	create(f, 1, 3000, FIRST); /* 1:2, nobody waits for it */
	FAKE(f, 1, TASK_END, 3500, 0, 0);
	FAKE(f, 0, TASK_BEGIN, 2700, 0, 0, 0, 2);
	create(f, 0, 3000, FIRST);  /* 0:4 */
	create(f, 0, 3500, SECOND); /* 0:5 */
	FAKE(f, 0, SYNC_BEGIN, 3800, WAIT, WN_SYNC_TASKWAIT);
	FAKE(f, 1, TASK_BEGIN, 3600, 0, 0, 0, 4);
	FAKE(f, 1, TASK_END, 9600, 0, 0);
	FAKE(f, 0, TASK_BEGIN, 4000, 0, 0, 0, 5);
	FAKE(f, 0, TASK_END, 6000, 0, 0);
	FAKE(f, 0, SYNC_END, 9700, 0, 0);
	FAKE(f, 0, TASK_END, 9900, 0, 0);
	FAKE(f, 1, TASK_BEGIN, 9800, 0, 0, 1, 2);
	FAKE(f, 1, TASK_END, 10800, 0, 0);
	region_end(f, 0, 12000, 2);
}

/* A dynamic loop of 12 iterations on two threads, and two sections. */
static void
make_loop(struct fake *f)
{
	region_begin(f, 0, 1000, 1, 2);
	for (uint32_t t = 0; t < 2; t++) {
		uint64_t at = 2000;
		FAKE(f, t, LOOP_BEGIN, at, LOOP, WN_WORK_LOOP_DYNAMIC | WN_LOOP_BOUNDS, 12, 0,
		     fake_zigzag(1), 2);
		for (unsigned i = 0; i < 3; i++) {
			FAKE(f, t, CHUNK_BEGIN, at += 50, 0, 0, fake_zigzag(i ? 2 : t * 2), 2);
			FAKE(f, t, CHUNK_END, at += t ? 300 : 900 * (i + 1), 0, 0);
		}
		FAKE(f, t, WORK_END, at + 50, 0, 0);
		FAKE(f, t, WORK_BEGIN, at + 100, SECOND, WN_WORK_SECTIONS, 2);
		FAKE(f, t, SECTION_BEGIN, at + 150, 0, 0, t);
		FAKE(f, t, CHUNK_END, at + 650, 0, 0);
		FAKE(f, t, WORK_END, at + 700, 0, 0);
		barrier(f, t, at + 800);
	}
	region_end(f, 0, 10000, 2);
}

/* Two threads of the program's own, each with a region of two. */
static void
make_threads(struct fake *f)
{
	for (uint32_t by = 0; by < 4; by += 2) {
		region_begin(f, by, 1000 + by * 100, 1, 2);
		for (uint32_t i = 0; i < 2; i++)
			barrier(f, by + i, 3000 + 500 * i);
		region_end(f, by, 5000 + by * 100, 2);
	}
}

/* No region at all. */
static void
make_serial(struct fake *f)
{
	FAKE(f, 0, GROUP_BEGIN, 1000, WAIT, 0);
	FAKE(f, 0, SYNC_BEGIN, 2000, WAIT, WN_SYNC_TASKGROUP);
	FAKE(f, 0, SYNC_END, 2100, 0, 0);
}

static void
depend(struct fake *f, uint64_t at, uint64_t site, uint64_t aux, uint64_t kind, uint64_t address)
{
	FAKE(f, 0, TASK_CREATE, at, site, aux | WN_TASK_DEPENDENT);
	FAKE(f, 0, DEPEND, 0, 0, 0, kind, address);
	FAKE(f, 0, CREATE_END, at + 100, 0, 0);
}

static void
run_task(struct fake *f, uint32_t thread, uint64_t number, uint64_t from, uint64_t to)
{
	FAKE(f, thread, TASK_BEGIN, from, 0, 0, 0, number);
	FAKE(f, thread, TASK_END, to, 0, 0);
}

/* One task, two that read what it wrote, two that write beside each other what those read, and a
 * wait for one of the first three alone; the last but one waits for a lock. */
static void
make_depend(struct fake *f)
{
	region_begin(f, 0, 1000, 1, 2);
	barrier(f, 1, 1300);
	depend(f, 1500, FIRST, 0, WN_DEPEND_OUT, 0x9000);      /* 0:2 */
	depend(f, 1700, SECOND, 0, WN_DEPEND_IN, 0x9000);      /* 0:3 */
	depend(f, 1900, SECOND, 0, WN_DEPEND_IN, 0x9000);      /* 0:4 */
	depend(f, 2100, FIRST, 0, WN_DEPEND_INOUTSET, 0x9000); /* 0:5 */
	depend(f, 2300, FIRST, 0, WN_DEPEND_INOUTSET, 0x9000); /* 0:6 */
	depend(f, 2500, FIRST, 0, WN_DEPEND_OUT, 0x9008);      /* 0:7 */
	depend(f, 2700, WAIT, WN_TASK_WAITPOINT | WN_TASK_UNDEFERRED, WN_DEPEND_IN, 0x9008);
	FAKE(f, 0, SYNC_BEGIN, 2800, WAIT, WN_SYNC_DEPEND);
	FAKE(f, 0, TASK_BEGIN, 2900, 0, 0, 0, 7);
	FAKE(f, 0, NAME, 0, 0, 0, 1, 0x7820726f66206f6e, 0, 0, 0); /* "no for x" */
	FAKE(f, 0, LABEL, 0, 0, 0, 1);
	FAKE(f, 0, TASK_END, 3900, 0, 0);
	run_task(f, 1, 2, 1700, 3500);
	FAKE(f, 0, SYNC_END, 4000, 0, 0);
	barrier(f, 0, 4500);
	run_task(f, 1, 3, 3600, 5000);
	run_task(f, 0, 4, 4600, 6000);
	FAKE(f, 0, TASK_BEGIN, 6100, 0, 0, 0, 5);
	FAKE(f, 0, MUTEX_WAIT, 6500, LOOP, WN_MUTEX_CRITICAL, 7);
	FAKE(f, 0, MUTEX_ACQUIRED, 6800, 0, 0);
	FAKE(f, 0, MUTEX_RELEASED, 7000, LOOP, WN_MUTEX_CRITICAL, 7);
	FAKE(f, 0, TASK_END, 8000, 0, 0);
	run_task(f, 1, 6, 6200, 7500);
	region_end(f, 0, 9000, 2);
}

static void
name_counter(struct fake *f, uint32_t number, const char *name)
{
	struct {
		struct wn_counter_record r;
		char text[32];
	} fact = {.r = {.number = number, .name_bytes = (uint16_t)strlen(name), .by_bytes = 4}};
	snprintf(fact.text, sizeof fact.text, "%sfake", name);
	fake_fact(f, WN_PROCESS_COUNTER, &fact, (uint32_t)(sizeof fact.r + strlen(fact.text)));
}

/* Until the next event, which has a time. */
static void
counted(struct fake *f, uint32_t thread, uint64_t n_instructions, uint64_t n_cycles)
{
	FAKE(f, thread, COUNTS, 0, 0, 0, 0, n_instructions, n_cycles, 0, 0);
}

static void
begin_on(struct fake *f, uint32_t thread, uint64_t at, uint64_t cpu, uint64_t number)
{
	FAKE(f, thread, CPU, 0, 0, 0, cpu);
	FAKE(f, thread, TASK_BEGIN, at, 0, 0, 0, number);
}

/* Two memory nodes, 0 and 8, of two CPUs each. The first task starts on CPU 0, goes on with CPU 1
 * of the same node, then 2 of the other, then 9 of none; the second stays on CPU 3. The first's
 * thread counts, cycles for half of the time. */
static void
make_nodes(struct fake *f)
{
	static const char nodes[] = "0 0-1 10 21\n8 2-3 21 10\n";
	fake_fact(f, WN_PROCESS_NODES, nodes, sizeof nodes - 1);
	name_counter(f, 0, "instructions");
	name_counter(f, 1, "cycles");
	FAKE(f, 0, COUNTING, 0, 0, 0, 3);
	region_begin(f, 0, 1000, 1, 2);
	barrier(f, 1, 1300);
	create(f, 0, 1500, FIRST);  /* 0:2 */
	create(f, 0, 2000, SECOND); /* 0:3 */
	barrier(f, 0, 2500);
	begin_on(f, 1, 2600, 3, 3);
	FAKE(f, 1, TASK_END, 3500, 0, 0);
	counted(f, 0, 90, 100);
	begin_on(f, 0, 2700, 0, 2);
	for (uint64_t i = 0; i < 3; i++) { /* 0:4 to 0:6 */
		counted(f, 0, 1000 * (i + 1), 800);
		create(f, 0, 3000 + 1000 * i, FIRST);
		counted(f, 0, 7, 5);
		FAKE(f, 0, SYNC_BEGIN, 3300 + 1000 * i, WAIT, WN_SYNC_TASKWAIT);
		begin_on(f, 0, 3400 + 1000 * i, i < 2 ? i + 1 : 9, 4 + i);
		counted(f, 0, 600 * i, 300);
		FAKE(f, 0, TASK_END, 3500 + 1000 * i, 0, 0);
		FAKE(f, 0, SYNC_END, 3600 + 1000 * i, 0, 0);
	}
	FAKE(f, 0, TASK_END, 6600, 0, 0);
	FAKE(f, 0, COUNT_SHARE, 0, 0, 0, 1, 6000, 3000);
	region_end(f, 0, 12000, 2);
}

/* Names that try to be markup, quotes, escapes or no text at all. */
static void
make_hostile(struct fake *f)
{
	static const char path[] = "/no/where/]]>\"'<&\x01\x1b\\N,\n\xff\xc0\xaf\xe2\x82\xac.so";
	struct {
		struct wn_module_record r;
		char path[sizeof path];
	} module = {.r = {.begin = 0x1000, .end = 0x6000, .path_bytes = sizeof path - 1}};
	memcpy(module.path, path, sizeof path);
	fake_fact(f, WN_PROCESS_MODULE, &module, sizeof module.r + sizeof path - 1);
	snprintf(fake_header(f)->command, sizeof fake_header(f)->command,
	         "./<a href=\"x\">&amp; \x02\xed\xa0\x80 \\\" -->");
	make_tree(f);
}

/* The tree without the second thread's events. */
static void
damage(struct fake *f)
{
	((uint8_t *)(fake_block(f, 2) + 1))[3] ^= 1;
}

static const struct {
	const char *name;
	void (*make)(struct fake *f);
	void (*after)(struct fake *f);
} runs[] = {
    {"tree", make_tree, NULL},     {"loop", make_loop, NULL},      {"threads", make_threads, NULL},
    {"depend", make_depend, NULL}, {"serial", make_serial, NULL},  {"hostile", make_hostile, NULL},
    {"nodes", make_nodes, NULL},   {"damaged", make_tree, damage},
};

int
main(int argc, char **argv)
{
	static struct fake f;
	for (size_t i = 0; argc == 2 && i < sizeof runs / sizeof *runs; i++) {
		if (strcmp(runs[i].name, argv[1]) != 0)
			continue;
		fake_init(&f);
		runs[i].make(&f);
		fake_seal(&f);
		if (runs[i].after)
			runs[i].after(&f);
		return fwrite(f.bytes, 1, sizeof f.bytes, stdout) == sizeof f.bytes &&
		               fflush(stdout) == 0
		           ? 0
		           : 1;
	}
	return 2;
}
