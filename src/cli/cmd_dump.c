/* SPDX-License-Identifier: MIT */
/*
 * cmd_dump.c - winnow dump: prints a trace as text, one event per line, for reading and for grep.
 *
 * Names of events and of their values come from trace/events.def. Prints the recorded data without
 * interpretation, damage included.
 */
#include "base/printable.h"
#include "cli/cmd.h"
#include "cli/pager.h"
#include "cli/runs.h"
#include "trace/encode.h"
#include "trace/trace_complete.h"
#include "trace/trace_reader.h"
#include "trace/trace_switches.h"
#include "trace/trace_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct dump_options {
	bool has_no_pager;
	const char *thread;
	uint64_t limit;
};

static const struct option_spec options[] = {
    {"thread", 0, OPTION_STRING, "N", "only the events of thread N",
     offsetof(struct dump_options, thread)},
    {"limit", 0, OPTION_NUMBER, "N", "at most N events of each thread (default: all)",
     offsetof(struct dump_options, limit)},
    PAGER_OPTION(struct dump_options),
    {0},
};

static const char *const examples[] = {
    "winnow dump fib.winnow | less",
    "winnow dump --thread 0 --limit 20 fib.winnow",
    NULL,
};

struct name {
	uint32_t value;
	const char *text;
};

static const struct name task_flags[] = {
    {WN_TASK_UNDEFERRED, "undeferred"},
    {WN_TASK_UNTIED, "untied"},
    {WN_TASK_FINAL, "final"},
    {WN_TASK_MERGEABLE, "mergeable"},
    {WN_TASK_TASKLOOP, "taskloop"},
    {WN_TASK_DEPENDENT, "dependent"},
    {WN_TASK_WAITPOINT, "waitpoint"},
    {WN_TASK_TARGET, "target"},
    {WN_TASK_DETACH, "detach"},
    {WN_TASK_FOREIGN_SITE, "foreign-site"},
    {WN_TASK_SITE_FUNCTION, "site-function"},
    {0, NULL},
};

static const struct name region_flags[] = {
    {WN_REGION_LEAGUE, "league"},
    {WN_REGION_COMBINED_LOOP, "combined-loop"},
    {0, NULL},
};

static const struct name loop_flags[] = {
    {WN_LOOP_UNSIGNED, "unsigned"},
    {WN_LOOP_RUNTIME, "runtime"},
    {WN_LOOP_ORDERED, "ordered"},
    {WN_LOOP_INLINE, "inline"},
    {WN_LOOP_BOUNDS, "bounds"},
    {WN_LOOP_OPEN, "open"},
    {0, NULL},
};

static const char *const sync_kinds[WN_SYNC_KIND_N] = {
    [WN_SYNC_TASKWAIT] = "taskwait",
    [WN_SYNC_TASKGROUP] = "taskgroup",
    [WN_SYNC_BARRIER_EXPLICIT] = "barrier",
    [WN_SYNC_BARRIER_IMPLICIT] = "barrier-implicit",
    [WN_SYNC_BARRIER_REGION] = "barrier-region",
    [WN_SYNC_BARRIER_TEAMS] = "barrier-teams",
    [WN_SYNC_REDUCTION] = "reduction",
    [WN_SYNC_TASKYIELD] = "taskyield",
    [WN_SYNC_DEPEND] = "depend",
};

static const char *const mutex_kinds[WN_MUTEX_KIND_N] = {
    [WN_MUTEX_CRITICAL] = "critical",   [WN_MUTEX_ATOMIC] = "atomic",
    [WN_MUTEX_ORDERED] = "ordered",     [WN_MUTEX_LOCK] = "lock",
    [WN_MUTEX_NEST_LOCK] = "nest-lock", [WN_MUTEX_DOACROSS] = "doacross",
};

static const struct name cancel_flags[] = {
    {WN_CANCEL_PARALLEL, "parallel"},   {WN_CANCEL_LOOP, "loop"},
    {WN_CANCEL_SECTIONS, "sections"},   {WN_CANCEL_TASKGROUP, "taskgroup"},
    {WN_CANCEL_ACTIVATED, "activated"}, {WN_CANCEL_DETECTED, "detected"},
    {WN_CANCEL_DISCARDED, "discarded"}, {0, NULL},
};

static const char *const work_kinds[WN_WORK_KIND_N] = {
    [WN_WORK_LOOP_STATIC] = "loop-static",
    [WN_WORK_LOOP_DYNAMIC] = "loop-dynamic",
    [WN_WORK_LOOP_GUIDED] = "loop-guided",
    [WN_WORK_LOOP_OTHER] = "loop",
    [WN_WORK_SECTIONS] = "sections",
    [WN_WORK_SINGLE_EXECUTOR] = "single-executor",
    [WN_WORK_SINGLE_OTHER] = "single-other",
    [WN_WORK_WORKSHARE] = "workshare",
    [WN_WORK_DISTRIBUTE] = "distribute",
    [WN_WORK_MASKED] = "masked",
    [WN_WORK_SCOPE] = "scope",
};

static const char *const notes[WN_NOTE_N] = {
    [WN_NOTE_CREATION_UNKNOWN] = "creation-unknown",
    [WN_NOTE_DISPATCH_UNKNOWN] = "dispatch-unknown",
    [WN_NOTE_STATIC_MERGED] = "static-merged",
    [WN_NOTE_DEPENDENCES_IGNORED] = "dependences-ignored",
    [WN_NOTE_STACK_OVERFLOW] = "stack-overflow",
    [WN_NOTE_UNKNOWN_EVENT] = "unknown-event",
    [WN_NOTE_CANCEL] = "cancel",
    [WN_NOTE_TARGET] = "target",
    [WN_NOTE_DETACH] = "detach",
    [WN_NOTE_TEAMS] = "teams",
    [WN_NOTE_PAUSED] = "paused",
    [WN_NOTE_MARKS_UNMATCHED] = "marks-unmatched",
    [WN_NOTE_CHUNKS_UNSEEN] = "chunks-unseen",
    [WN_NOTE_CALL_UNKNOWN] = "call-unknown",
    [WN_NOTE_NAMES_LOST] = "names-lost",
    [WN_NOTE_MARKS_EARLY] = "marks-early",
    [WN_NOTE_CHUNKS_GUESSED] = "chunks-guessed",
    [WN_NOTE_CONTROL_MISUSED] = "control-misused",
};

/* Prints names of the bits, comma-separated; bits without a name as a number. */
static void
print_flags(uint32_t flags, const struct name *names, const char *separator)
{
	for (const struct name *name = names; name->text; name++) {
		if (!(flags & name->value))
			continue;
		printf("%s%s", separator, name->text);
		separator = ",";
		flags &= ~name->value;
	}
	if (flags)
		printf("%s0x%" PRIx32, separator, flags);
}

static void
print_kind(uint32_t kind, const char *const *names, uint32_t n)
{
	if (kind < n && names[kind])
		printf(" %s", names[kind]);
	else
		printf(" %" PRIu32, kind);
}

static void
print_aux(enum wn_event_code code, uint32_t aux)
{
	switch ((int)code) {
	case WN_EV_REGION_BEGIN:
		print_flags(aux, region_flags, " ");
		return;
	case WN_EV_TASK_CREATE:
	case WN_EV_TASK_CREATE_BY:
	case WN_EV_TASKLOOP_BEGIN:
		print_flags(aux, task_flags, " ");
		return;
	case WN_EV_SYNC_BEGIN:
		print_kind(aux, sync_kinds, WN_SYNC_KIND_N);
		return;
	case WN_EV_WORK_BEGIN:
	case WN_EV_LOOP_BEGIN:
		print_kind(aux & WN_WORK_KIND_MASK, work_kinds, WN_WORK_KIND_N);
		print_flags(aux & ~WN_WORK_KIND_MASK, loop_flags, ",");
		return;
	case WN_EV_MUTEX_WAIT:
	case WN_EV_MUTEX_RELEASED:
		print_kind(aux, mutex_kinds, WN_MUTEX_KIND_N);
		return;
	case WN_EV_CANCEL:
		print_flags(aux, cancel_flags, " ");
		return;
	case WN_EV_NOTE:
		print_kind(aux, notes, WN_NOTE_N);
		return;
	default:
		print_flags(aux, loop_flags + 5, " ");
	}
}

/* Prints the module and file offset of an address; else the bare address. */
static void
print_site(const struct wn_trace *trace, struct wn_site_key key)
{
	const struct wn_trace_module *modules;
	size_t n = wn_trace_modules(trace, &modules);
	for (size_t i = 0; i < n; i++) {
		if (key.addr < modules[i].begin || key.addr >= modules[i].end)
			continue;
		const char *name = strrchr(modules[i].path, '/');
		name = name ? name + 1 : modules[i].path;
		printf(" at=");
		wn_print(stdout, name, strlen(name));
		printf("+0x%" PRIx64, key.addr - modules[i].base);
		return;
	}
	printf(" at=0x%" PRIx64, key.addr);
}

/* Prints " name=value" for each value; names are separated by commas, z: marks a signed one. */
static void
print_values(const struct wn_event *event)
{
	const char *name = wn_event_values(event->code);
	unsigned n = wn_event_n_values(event->code);
	for (unsigned i = 0; i < n; i++) {
		bool is_signed = strncmp(name, "z:", 2) == 0;
		name += is_signed ? 2 : 0;
		int length = (int)strcspn(name, ",");
		if (is_signed)
			printf(" %.*s=%" PRId64, length, name, wn_unzigzag(event->v[i]));
		else
			printf(" %.*s=%" PRIu64, length, name, event->v[i]);
		name += length + (name[length] == ',');
	}
}

static void
print_event(const struct wn_trace *trace, const struct wn_event *event)
{
	if (event->code == WN_EV_GAP) {
		printf("%14" PRIu64 "  GAP ids=%" PRIu64 " task=%" PRIu64 ":%" PRIu64
		       " depth=%" PRIu64 " regions=%" PRIu64 " dropped=%" PRIu64 "\n",
		       wn_trace_ns(trace, event->tick), event->v[0], event->v[1] >> 32,
		       event->v[1] & UINT32_MAX, event->v[2], event->v[3], event->v[4]);
		return;
	}
	if (wn_event_has_time(event->code))
		printf("%14" PRIu64, wn_trace_ns(trace, event->tick));
	else
		printf("%14s", "");
	printf("  %s", wn_event_name(event->code));
	if (event->site != WN_NO_SITE) {
		struct wn_site_key key = wn_trace_site(trace, event->site);
		print_aux(event->code, key.aux);
		print_site(trace, key);
	}
	print_values(event);
	putchar('\n');
}

static void
print_words(const char *title, const char *bytes, size_t n_bytes)
{
	if (n_bytes == 0)
		return;
	printf("%s", title);
	for (size_t at = 0, n; at < n_bytes; at += n + 1) {
		n = strnlen(bytes + at, n_bytes - at);
		putchar(' ');
		wn_print(stdout, bytes + at, n);
	}
	putchar('\n');
}

/* Prints the columns of an imported table. */
static void
print_table(const struct wn_trace *trace)
{
	static const char *const cells[] = {
	    [WN_CELL_NUMBER] = "number", [WN_CELL_TEXT] = "text", [WN_CELL_LIST] = "list"};
	const struct wn_table *table = wn_trace_table(trace);
	if (!table)
		return;
	printf("table %" PRIu64 " rows, %" PRIu64 " lost\n", table->n_rows, table->n_lost);
	for (uint32_t i = 0; i < table->n_facts; i++)
		print_words("fact", table->facts[i], strlen(table->facts[i]));
	for (uint32_t i = 0; i < table->n_columns; i++) {
		const struct wn_table_column *c = &table->columns[i];
		if (!c->name)
			continue;
		char title[40];
		snprintf(title, sizeof title, "column %s%s", cells[c->cell],
		         c->is_derived ? ", computed," : "");
		print_words(title, c->name, strlen(c->name));
	}
}

static void
print_counters(const struct wn_trace *trace)
{
	const struct wn_trace_counter *counters;
	const char *const *missing;
	size_t n = wn_trace_counters(trace, &counters);
	for (size_t i = 0; i < n; i++) {
		if (!counters[i].name)
			continue;
		printf("counter %zu %s by", i, counters[i].name);
		print_words("", counters[i].by, strlen(counters[i].by));
	}
	n = wn_trace_counters_missing(trace, &missing);
	for (size_t i = 0; i < n; i++)
		print_words("counter-missing", missing[i], strlen(missing[i]));
}

/* Prints the times off the CPU of each thread with switch records, and why others have none. */
static void
print_switches(const struct wn_trace *trace)
{
	const char *const *missing;
	size_t n = wn_trace_switches_missing(trace, &missing);
	for (size_t i = 0; i < n; i++)
		print_words("switches-missing", missing[i], strlen(missing[i]));
	uint64_t queue_ns;
	if (wn_trace_queue_ns(trace, &queue_ns))
		printf("run-queue %" PRIu64 "\n", queue_ns);
	if (wn_trace_woken_ns(trace, &queue_ns))
		printf("woken %" PRIu64 "\n", queue_ns);
	if (wn_trace_has_switches(trace))
		printf("switches-misplaced %" PRIu64 "\n", wn_trace_clock_residual_ns(trace));
	for (uint32_t i = 0; wn_trace_has_switches(trace) && i < wn_trace_n_threads(trace); i++) {
		struct wn_switch_cursor c;
		struct wn_switch s;
		uint64_t count[WN_SWITCH_KIND_N] = {0}, ns[WN_SWITCH_KIND_N] = {0};
		wn_switch_cursor_init(&c, trace, i);
		while (wn_switch_next(&c, &s)) {
			count[s.kind]++;
			ns[s.kind] += s.end_ns < WN_NS_MAX ? s.end_ns - s.begin_ns : 0;
		}
		printf("switches %" PRIu32 " preempted %" PRIu64 " %" PRIu64 " blocked %" PRIu64
		       " %" PRIu64 " unknown %" PRIu64 " %" PRIu64 "\n",
		       i, count[WN_SWITCH_PREEMPTED], ns[WN_SWITCH_PREEMPTED],
		       count[WN_SWITCH_BLOCKED], ns[WN_SWITCH_BLOCKED], count[WN_SWITCH_UNKNOWN],
		       ns[WN_SWITCH_UNKNOWN]);
	}
}

static void
print_speeds(const struct wn_trace *trace)
{
	const struct wn_cpu_speed_record *speeds;
	size_t n = wn_trace_cpu_speeds(trace, &speeds);
	for (size_t i = 0; i < n; i++)
		printf("cpu-speed %" PRIu32 " %.3f\n", speeds[i].cpu, speeds[i].per_mille / 1000.0);
}

static void
print_runtimes(const struct wn_trace *trace)
{
	const char *const *names;
	const struct wn_trace_entry *entries;
	size_t n = wn_trace_runtimes(trace, &names);
	for (size_t i = 0; i < n; i++)
		print_words("used", names[i], strlen(names[i]));
	n = wn_trace_entries(trace, &entries);
	for (size_t i = 0; i < n; i++) {
		const char *title = entries[i].is_known ? "entry-unseen" : "entry-unknown";
		print_words(title, entries[i].name, strlen(entries[i].name));
	}
}

static void
print_head(const struct wn_trace *trace)
{
	const struct wn_trace_header *h = wn_trace_header(trace);
	const struct wn_trace_module *modules;
	const char *const *env;
	size_t n_bytes;
	printf("format %u.%u\nstate %u\npid %" PRIu32 "\nsources %u\nthreads %" PRIu32
	       "\nslots %u\ncpus %" PRIu32 "\n",
	       h->version_major, h->version_minor, h->state, h->pid, h->sources,
	       wn_trace_n_threads(trace), h->n_slots, h->n_cpus);
	print_words("runtime", h->runtime, strlen(h->runtime));
	print_table(trace);
	printf("clock %s%s\nstart %" PRIu64 "\ndropped %" PRIu64 "\n",
	       h->clock_kind == WN_CLOCK_TICKS    ? (h->tick_hz ? "timer" : "tsc")
	       : h->clock_kind == WN_CLOCK_CYCLES ? "cycles"
	                                          : "monotonic",
	       wn_trace_clock_is_guess(trace) ? ", calibrated here" : "", h->start_realtime_ns,
	       wn_trace_damage(trace)->n_dropped);
	run_print_verdict(wn_trace_verdict(trace));
	if (h->finished)
		printf("wait-status %" PRId32 "\nwall %" PRIu64 "\n", h->wait_status, h->wall_ns);
	if (h->unseen_since_ns)
		printf("unseen %" PRIu64 " regions %" PRIu64 " tasks %" PRIu64 "\n",
		       h->unseen_since_ns - h->start_mono_ns, (uint64_t)h->n_unseen_regions,
		       (uint64_t)h->n_unseen_tasks);
	if (h->n_execs)
		printf("execs-uncounted %" PRIu64 "\n", h->n_execs);
	const char *argv = wn_trace_argv(trace, &n_bytes);
	print_words("argv", argv, n_bytes);
	size_t n = wn_trace_env(trace, &env);
	for (size_t i = 0; i < n; i++)
		print_words("env", env[i], strlen(env[i]));
	print_counters(trace);
	print_runtimes(trace);
	print_switches(trace);
	print_speeds(trace);
	n = wn_trace_modules(trace, &modules);
	for (size_t i = 0; i < n; i++) {
		printf("module 0x%" PRIx64 "-0x%" PRIx64 " base=0x%" PRIx64 " id=",
		       modules[i].begin, modules[i].end, modules[i].base);
		for (uint32_t k = 0; k < modules[i].build_id_bytes; k++)
			printf("%02x", modules[i].build_id[k]);
		print_words("", modules[i].path, strlen(modules[i].path));
	}
}

static int
print_stream(struct wn_trace *trace, uint32_t thread, uint64_t limit)
{
	struct wn_cursor cursor;
	struct wn_event event;
	int more = 1;
	printf("\nthread %" PRIu32 "\n", thread);
	wn_cursor_init(&cursor, trace, thread);
	for (uint64_t n = 0; (!limit || n < limit) && !ferror(stdout); n++) {
		if ((more = wn_cursor_next(&cursor, &event)) <= 0)
			break;
		print_event(trace, &event);
	}
	return more < 0 ? -1 : 0;
}

/* Parses a number below n; n if invalid. */
static uint32_t
thread_number(const char *text, uint32_t n)
{
	uint32_t number = 0;
	if (!*text)
		return n;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || number > n)
			return n;
		number = number * 10 + (uint32_t)(*text - '0');
	}
	return number < n ? number : n;
}

static int
dump(struct wn_trace *trace, const char *path, const struct dump_options *given)
{
	uint32_t first = 0, n = wn_trace_n_threads(trace);
	if (given->thread) {
		first = thread_number(given->thread, n);
		if (first == n)
			return USAGE_ERROR("--thread '%s': %s has %" PRIu32
			                   " threads, numbered from 0",
			                   given->thread, path, n);
		n = first + 1;
	}
	pager_begin();
	print_head(trace);
	for (uint32_t i = first; i < n; i++) {
		if (print_stream(trace, i, given->limit) != 0)
			return FAILURE("%s: out of memory", path);
	}
	const struct wn_damage *d = wn_trace_damage(trace);
	if (!d->n_bad_blocks && !d->n_gaps && !d->n_bad_bytes && !d->n_dropped && !d->is_cut &&
	    !d->has_lost_windows)
		return CLI_OK;
	message("%s: the trace is damaged; its readable part is shown; see winnow check", path);
	return CLI_DAMAGED;
}

static int
run(const void *values, int n_operands, char **operands)
{
	struct wn_trace *trace;
	wn_err err;
	(void)n_operands;
	wn_status st = wn_trace_open(operands[0], &trace, &err);
	if (st != WN_OK)
		return run_complain(operands[0], st, &err, "");
	int code = dump(trace, operands[0], values);
	wn_trace_close(trace);
	return code;
}

const struct cmd cmd_dump = {
    .name = "dump",
    .one_line = "Print a trace as text",
    .usage = "FILE",
    .about = "Facts about the process, its modules, then the events of each thread: "
	     "nanoseconds\nsince the trace's start, the event, its kind, place and values.",
    .examples = examples,
    .options = options,
    .options_bytes = sizeof(struct dump_options),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
