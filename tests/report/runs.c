/* SPDX-License-Identifier: MIT */
/*
 * runs.c - addresses 0x1000 and so on lie in no module: places are called by their addresses, which
 * are the same everywhere.
 */
#include "runs.h"
#include "runs_advice.h"

#include "trace/encode.h"

#include <signal.h>
#include <string.h>

enum { REGION = 0x1000, LOOP = 0x2000, TASK = 0x3000, WAIT = 0x4000, BIG = 0x5000 };

/* The region [from, to) of thread 0; each thread of the team begins 1 us late. */
static void
region_begin(struct fake *f, uint64_t from, uint32_t team)
{
	FAKE(f, 0, REGION_BEGIN, from, REGION, 0, team);
	for (uint32_t i = 0; i < team; i++)
		FAKE(f, i, IMPLICIT_BEGIN, from + 1000, 0, 0, 0, 1, team, i);
}

static void
region_end(struct fake *f, uint64_t to, uint32_t team)
{
	for (uint32_t i = 0; i < team; i++) {
		FAKE(f, i, SYNC_END, to - 1000, 0, 0);
		FAKE(f, i, IMPLICIT_END, to - 1000, 0, 0);
	}
	FAKE(f, 0, REGION_END, to, 0, 0);
}

static void
barrier(struct fake *f, uint32_t thread, uint64_t at)
{
	FAKE(f, thread, SYNC_BEGIN, at, REGION, WN_SYNC_BARRIER_REGION);
}

/* A dynamic loop of 12 iterations on two threads: thread 0 gets the long ones. */
static void
loop_share(struct fake *f, uint32_t thread, uint64_t chunk_ns)
{
	uint64_t at = 100000;
	FAKE(f, thread, LOOP_BEGIN, at, LOOP, WN_WORK_LOOP_DYNAMIC | WN_LOOP_BOUNDS, 12, 0,
	     fake_zigzag(1), 2);
	for (unsigned i = 0; i < 3; i++) {
		at += 500; /* to get it */
		FAKE(f, thread, CHUNK_BEGIN, at, 0, 0, fake_zigzag(i ? 2 : thread * 2), 2);
		at += chunk_ns;
		FAKE(f, thread, CHUNK_END, at, 0, 0);
	}
	FAKE(f, thread, WORK_END, at + 500, 0, 0);
	barrier(f, thread, at + 600);
}

static void
make_loop(struct fake *f)
{
	static const char argv[] = "./fake\0--size\0"
				   "10";
	fake_init(f);
	fake_header(f)->wall_ns = 4000000;
	/* it ends 600 us after the last event, and started 250 us before the first one */
	fake_header(f)->start_mono_ns = 10000000;
	fake_header(f)->last_mono_ns = fake_header(f)->start_mono_ns + 3200000 + 600000;
	fake_fact(f, WN_PROCESS_ARGV, argv, sizeof argv - 1);
	/* the streams are open from the start; nothing is known to happen before the region */
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, THREAD, 0, 0, 0, 1000 + i, 0);
	region_begin(f, 50000, 2);
	loop_share(f, 0, 1000000);
	loop_share(f, 1, 250000);
	region_end(f, 3200000, 2);
	fake_seal(f);
}

/* One thread makes 200 tasks that cost more than they do, and one that does much more. */
static void
make_tasks(struct fake *f)
{
	uint64_t at = 20000, id = 1;
	fake_init(f);
	fake_header(f)->wall_ns = 600000;
	region_begin(f, 10000, 2);
	barrier(f, 1, 12000);
	for (unsigned i = 0; i < 200; i++) {
		bool is_big = i == 0;
		FAKE(f, 0, TASK_CREATE, at, is_big ? BIG : TASK, 0);
		FAKE(f, 0, CREATE_END, at + 800, 0, 0);
		FAKE(f, 1, TASK_BEGIN, at + 1000, 0, 0, 0, ++id);
		FAKE(f, 1, TASK_END, at + (is_big ? 101000 : 1200), 0, 0);
		at += is_big ? 102000 : 1500;
	}
	FAKE(f, 0, SYNC_BEGIN, at, WAIT, WN_SYNC_TASKWAIT);
	FAKE(f, 0, SYNC_END, at + 500, 0, 0);
	barrier(f, 0, at + 1000);
	region_end(f, at + 5000, 2);
	fake_seal(f);
}

/* Killed in a task, with losses and every note there is. */
static void
make_killed(struct fake *f)
{
	fake_init(f);
	struct wn_trace_header *h = fake_header(f);
	h->state = WN_STATE_RECORDING;
	h->wait_status = SIGSEGV;
	h->wall_ns = 90000;
	h->n_dropped = 17;
	h->sources = WN_SOURCE_OMPT | WN_SOURCE_LIBGOMP;
	h->n_cpus = 1;
	region_begin(f, 10000, 2);
	barrier(f, 1, 12000);
	for (uint32_t note = WN_NOTE_NONE; note <= WN_NOTE_N; note++)
		FAKE(f, 0, NOTE, 0, TASK + note / 4, note, 3);
	FAKE(f, 0, TASK_CREATE, 15000, TASK, 0);
	FAKE(f, 0, CREATE_END, 16000, 0, 0);
	FAKE(f, 0, TASK_CREATE, 17000, TASK, 0);
	FAKE(f, 0, CREATE_END, 18000, 0, 0);
	FAKE(f, 0, TASK_BEGIN, 20000, 0, 0, 0, 2);
	FAKE(f, 0, CPU, 0, 0, 0, 1);
	FAKE(f, 0, SYNC_BEGIN, 80000, WAIT, WN_SYNC_TASKWAIT);
	fake_seal(f);
}

/* A loop, in a program that imports entry points which are not recorded, and uses two runtimes. */
static void
make_unknown(struct fake *f)
{
	static const struct {
		struct wn_entry_record head;
		char text[40];
	} entries[] = {
	    {{WN_ENTRY_KIND_UNSEEN, 12}, "GOMP_interop/opt/libnext.so"},
	    {{WN_ENTRY_KIND_UNKNOWN, 17}, "GOMP_barrier_next"},
	    {{WN_ENTRY_KIND_UNKNOWN, 17}, "GOMP_barrier_next/again"},
	    {{WN_ENTRY_KIND_UNKNOWN, 12}, "__kmpc_\x1b[31m/opt/\x1b[32m"},
	    {{WN_ENTRY_KIND_UNKNOWN, 41}, "longer than its record"},
	    {{WN_ENTRY_KIND_UNKNOWN, 0}, "nameless"},
	};
	static const char *const runtimes[] = {
	    "libgomp /usr/lib/libgomp.so.1", "libomp [assertions] /opt/lib/libomp.so.5",
	    "libgomp /usr/lib/libgomp.so.1", "libgomp /site-packages/libgomp-a34b3233.so.1.0.0"};
	make_loop(f);
	for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
		fake_fact(f, WN_PROCESS_ENTRY, &entries[i],
		          (uint32_t)(sizeof entries[i].head + strlen(entries[i].text)));
	fake_fact(f, WN_PROCESS_ENTRY, "x", 1);
	for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++)
		fake_fact(f, WN_PROCESS_RUNTIME, runtimes[i], (uint32_t)strlen(runtimes[i]));
	fake_seal(f);
}

/* The recorder gave up; names that would steer a terminal or are no text. */
static void
make_hostile(struct fake *f)
{
	static const char argv[] = "./\x1b[31mred\x1b[0m\0\xff\xfe bytes\0tab\there\nand more\0"
				   "\xe2\x80\xae"
				   "right\xc3\xa9";
	static const char path[] = "/no/where/\x1b]0;title\x07 lib\xc0\xaf.so";
	struct {
		struct wn_module_record r;
		char path[sizeof path];
	} module = {.r = {.begin = 0x1000, .end = 0x6000, .path_bytes = sizeof path - 1}};
	fake_init(f);
	memcpy(module.path, path, sizeof path);
	fake_fact(f, WN_PROCESS_ARGV, argv, sizeof argv - 1);
	fake_fact(f, WN_PROCESS_MODULE, &module, sizeof module.r + sizeof path - 1);
	struct wn_trace_header *h = fake_header(f);
	h->state = WN_STATE_DEAD;
	h->dead_reason = WN_DEAD_NO_SPACE;
	h->finished = 0;
	memset(h->runtime, 'x', sizeof h->runtime);
	region_begin(f, 50000, 2);
	loop_share(f, 0, 1000000);
	loop_share(f, 1, 250000);
	region_end(f, 3200000, 2);
	fake_seal(f);
}

/* The loop again, of which one thread's block is no longer what was written. */
static void
make_damaged(struct fake *f)
{
	make_loop(f);
	((uint8_t *)(fake_block(f, 2) + 1))[3] ^= 1;
}

/* No thread has an event. */
static void
make_empty(struct fake *f)
{
	fake_init(f);
	fake_seal(f);
}

/* A region, and nothing in it; the program failed. */
static void
make_nothing(struct fake *f)
{
	fake_init(f);
	fake_header(f)->wait_status = 3 << 8;
	region_begin(f, 10000, 2);
	barrier(f, 0, 30000);
	barrier(f, 1, 30000);
	region_end(f, 32000, 2);
	fake_seal(f);
}

/* A task outside all regions, of which there is none. */
static void
make_serial_task(struct fake *f)
{
	fake_init(f);
	FAKE(f, 0, TASK_CREATE, 10000, TASK, WN_TASK_UNDEFERRED);
	FAKE(f, 0, TASK_BEGIN_OWN, 11000, 0, 0, 0);
	FAKE(f, 0, TASK_END, 31000, 0, 0);
	FAKE(f, 0, CREATE_END, 32000, 0, 0);
	fake_seal(f);
}

/* Intervals off the CPU of a thread, in microseconds since the trace's start: from, to, kind. */
static void
off_cpu(struct fake *f, uint32_t thread, const uint64_t (*of)[3], uint32_t n)
{
	uint8_t payload[256];
	struct wn_switches_record r = {.thread = thread, .n_intervals = n, .until_ns = 2000000};
	uint8_t *at = payload + sizeof r;
	uint64_t before = 0;
	for (uint32_t i = 0; i < n; i++) {
		at = wn_code_value(at, (of[i][0] - before) * 1000);
		at = wn_code_value(at, ((of[i][1] - of[i][0]) * 1000) << WN_SWITCH_KIND_BITS |
		                           of[i][2]);
		before = of[i][1];
	}
	memcpy(payload, &r, sizeof r);
	fake_fact(f, WN_PROCESS_SWITCHES, payload, (uint32_t)(at - payload));
}

/* Both threads work for 500 us; thread 1 takes 900 us for it. */
static void
region_of_one_late(struct fake *f)
{
	fake_init(f);
	fake_header(f)->wall_ns = 960000;
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, THREAD, 0, 0, 0, 1000 + i, 0);
	region_begin(f, 20000, 2);
	barrier(f, 0, 521000);
	barrier(f, 1, 921000);
	region_end(f, 940000, 2);
	FAKE(f, 0, REGION_BEGIN, 950000, REGION, 0, 1);
	FAKE(f, 0, REGION_END, 951000, 0, 0);
}

static void
make_late(struct fake *f)
{
	region_of_one_late(f);
	fake_seal(f);
}

/* The same, and why: another process had the CPU for 300 us, and it slept for 100 us. In its wait
 * thread 0 was off the CPU for 200 us, which costs nothing, and after the release for 10 us. */
static void
make_disturbed(struct fake *f)
{
	static const uint64_t first[][3] = {{600, 800, WN_SWITCH_PREEMPTED},
	                                    {925, 935, WN_SWITCH_PREEMPTED}};
	static const uint64_t second[][3] = {{100, 400, WN_SWITCH_PREEMPTED},
	                                     {700, 800, WN_SWITCH_BLOCKED}};
	region_of_one_late(f);
	off_cpu(f, 0, first, 2);
	off_cpu(f, 1, second, 2);
	fake_seal(f);
}

/* Thread 1 waits 300 us for its turn in the order, as thread 0 takes 500 us for its part before it,
 * in one of these runs since another process had its CPU for 300 us. */
static void
add_order(struct fake *f)
{
	fake_init(f);
	fake_header(f)->wall_ns = 960000;
	for (uint32_t i = 0; i < 2; i++)
		FAKE(f, i, THREAD, 0, 0, 0, 1000 + i, 0);
	region_begin(f, 20000, 2);
	for (uint32_t i = 0; i < 2; i++) {
		uint64_t at = i ? 521000 : 520000;
		FAKE(f, i, MUTEX_WAIT, i ? 221000 : at, MUTEX, WN_MUTEX_ORDERED, 7);
		FAKE(f, i, MUTEX_ACQUIRED, at, 0, 0);
		FAKE(f, i, MUTEX_RELEASED, at + 1000, MUTEX, WN_MUTEX_ORDERED, 7);
		barrier(f, i, 522000);
	}
	region_end(f, 523000, 2);
}

static void
make_order(struct fake *f)
{
	add_order(f);
	fake_seal(f);
}

static void
make_order_disturbed(struct fake *f)
{
	static const uint64_t first[][3] = {{100, 400, WN_SWITCH_PREEMPTED}};
	add_order(f);
	off_cpu(f, 0, first, 1);
	off_cpu(f, 1, NULL, 0);
	fake_seal(f);
}

/* Thread 1 sleeps for half of its time. */
static void
make_blocked(struct fake *f)
{
	static const uint64_t second[][3] = {{100, 550, WN_SWITCH_BLOCKED}};
	region_of_one_late(f);
	off_cpu(f, 0, NULL, 0);
	off_cpu(f, 1, second, 1);
	fake_seal(f);
}

/* It waits nine times for a lock, for which calls of the kernel take 100 us. */
static void
make_blocked_often(struct fake *f)
{
	enum { B = WN_SWITCH_BLOCKED };
	static const uint64_t second[][3] = {{100, 150, B}, {160, 210, B}, {220, 270, B},
	                                     {280, 330, B}, {340, 390, B}, {400, 450, B},
	                                     {460, 510, B}, {520, 570, B}, {580, 630, B}};
	region_of_one_late(f);
	off_cpu(f, 0, NULL, 0);
	off_cpu(f, 1, second, 9);
	fake_number(f, WN_FACT_KERNEL_NS, 100000);
	fake_number(f, WN_FACT_MINOR_FAULTS, 0);
	fake_seal(f);
}

/* It sleeps before a barrier inside the region. */
static void
make_blocked_inside(struct fake *f)
{
	static const uint64_t second[][3] = {{100, 550, WN_SWITCH_BLOCKED}};
	fake_init(f);
	fake_header(f)->wall_ns = 960000;
	region_begin(f, 20000, 2);
	for (uint32_t i = 0; i < 2; i++) {
		FAKE(f, i, SYNC_BEGIN, i ? 600000 : 100000, INNER, WN_SYNC_BARRIER_IMPLICIT);
		FAKE(f, i, SYNC_END, 600000, 0, 0);
		barrier(f, i, 900000);
	}
	region_end(f, 940000, 2);
	off_cpu(f, 0, NULL, 0);
	off_cpu(f, 1, second, 1);
	fake_seal(f);
}

/* Three threads of a library had the CPU for 300 us while thread 1 could have run. */
static void
make_other_threads(struct fake *f)
{
	static const uint64_t second[][3] = {{100, 500, WN_SWITCH_PREEMPTED}};
	region_of_one_late(f);
	off_cpu(f, 0, NULL, 0);
	off_cpu(f, 1, second, 1);
	fake_number(f, WN_FACT_OTHER_THREADS, 3);
	fake_number(f, WN_FACT_OTHER_CPU_NS, 300000);
	fake_seal(f);
}

/* Threads that work for 910 and 1000 us. */
static void
make_nearly_even(struct fake *f)
{
	fake_init(f);
	region_begin(f, 20000, 2);
	barrier(f, 0, 931000);
	barrier(f, 1, 1021000);
	region_end(f, 1030000, 2);
	fake_seal(f);
}

/* Records of one thread only, and a reason for the other. */
static void
make_half_known(struct fake *f)
{
	static const uint64_t second[][3] = {{100, 400, WN_SWITCH_PREEMPTED}};
	static const char why[] =
	    "no memory for more than 1 threads (kernel.perf_event_mlock_kb is 0)";
	region_of_one_late(f);
	off_cpu(f, 1, second, 1);
	fake_fact(f, WN_PROCESS_SWITCHES_MISSING, why, sizeof why - 1);
	fake_seal(f);
}

const struct run runs[] = {
    {"loop", make_loop},
    {"tasks", make_tasks},
    {"killed", make_killed},
    {"hostile", make_hostile},
    {"damaged", make_damaged},
    {"nothing", make_nothing},
    {"serial-task", make_serial_task},
    {"unknown", make_unknown},
    {"empty", make_empty},
    {"regions", make_regions},
    {"lone", make_lone},
    {"task-inline", make_inline},
    {"task-queued", make_queued},
    {"task-recursion", make_recursion},
    {"shared-cpu", make_shared_cpu},
    {"shared-uneven", make_shared_uneven},
    {"gap-beyond-spread", make_gap_beyond_spread},
    {"slow-wake", make_slow_wake},
    {"bound", make_bound},
    {"quota", make_quota},
    {"faults", make_faults},
    {"first-touch", make_first_touch},
    {"touched-once", make_touched_once},
    {"passive", make_passive},
    {"slow-start", make_slow_start},
    {"small-everywhere", make_small_everywhere},
    {"taskwait", make_taskwait},
    {"nested", make_nested},
    {"blocked", make_blocked},
    {"blocked-often", make_blocked_often},
    {"blocked-inside", make_blocked_inside},
    {"other-threads", make_other_threads},
    {"one-lock", make_one_lock},
    {"lone-limited", make_lone_limited},
    {"lone-asked", make_lone_requested},
    {"mutex", make_mutex},
    {"mutex-twice", make_mutex_twice},
    {"mutex-apart", make_mutex_apart},
    {"uneven-between", make_alternate},
    {"late-thread", make_late_thread},
    {"many-barriers", make_barriers},
    {"barriers-apart", make_barriers_apart},
    {"barriers-alone", make_barriers_alone},
    {"few-barriers-alone", make_few_barriers_alone},
    {"slow-loops", make_slow_loops},
    {"slow-regions", make_slow_regions},
    {"barriers-by-turns", make_barriers_by_turns},
    {"barriers-asleep", make_barriers_asleep},
    {"lonely-tasks", make_lonely},
    {"singles", make_singles},
    {"lonely-halves", make_lonely_halves},
    {"task-inline-many", make_inline_many},
    {"gaps-random", make_gaps_random},
    {"gaps-steady", make_gaps_steady},
    {"uneven-twice", make_uneven_twice},
    {"gaps-stolen", make_gaps_stolen},
    {"gap-stolen", make_gap_stolen},
    {"gaps-by-speed", make_gaps_by_speed},
    {"gaps-by-spread", make_gaps_by_spread},
    {"sections-by-speed", make_sections_by_speed},
    {"gaps-against-speed", make_gaps_against_speed},
    {"gaps-nearly", make_gaps_nearly},
    {"gap-once", make_gap_once},
    {"gap-wide", make_gap_wide},
    {"last-alone", make_last_alone},
    {"mutex-held", make_mutex_held},
    {"mutex-short", make_mutex_short},
    {"lock-untold", make_lock_unplaced},
    {"serial", make_serial},
    {"serial-tasks", make_serial_tasks},
    {"near", make_near},
    {"nearly-even", make_nearly_even},
    {"alone", make_alone},
    {"sections", make_sections},
    {"inflated", make_inflated},
    {"producer", make_producer},
    {"producer-again", make_producer_again},
    {"feeder", make_feeder},
    {"start", make_start},
    {"start-loaded", make_start_loaded},
    {"start-early", make_start_early},
    {"start-loading", make_start_loading},
    {"start-off", make_start_off},
    {"start-short", make_start_short},
    {"start-ends", make_ends},
    {"late", make_late},
    {"disturbed", make_disturbed},
    {"order", make_order},
    {"order-disturbed", make_order_disturbed},
    {"half-known", make_half_known},
    {NULL, NULL},
};

bool
run_make(const char *name, struct fake *f)
{
	for (const struct run *r = runs; r->name; r++)
		if (strcmp(r->name, name) == 0) {
			r->make(f);
			return true;
		}
	return false;
}
