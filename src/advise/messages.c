/* SPDX-License-Identifier: MIT */
/* messages.c - formats findings: the problem with its numbers, and advice. */
#include "advise/advise_private.h"

#include "base/decimal.h"
#include "trace/trace_switches.h"

#include <inttypes.h>
#include <stdio.h>

/* The texts of a rule that contain no numbers. */
static const struct texts {
	const char *name, *title;
	const char *brief; /* the title in a narrow column */
	const char *advice;
	const char *other_advice; /* for has_other_cause(); or NULL */
	const char *doubt;
	const char *doubt_if_off; /* where times off the CPU are unknown; or NULL: the same */
} texts[WN_RULE_N] = {
    [WN_RULE_SMALL_TASKS] =
	{
	    .name = "small_tasks",
	    .title = "granularity too fine (tasks)",
	    .brief = "tasks too fine",
	    .advice =
		"stop creating tasks below some size: a cut-off, final(), or taskloop grainsize()",
	    .doubt = "too high a cut-off leaves too few tasks for all threads",
	},
    [WN_RULE_UNEVEN_LOOP] =
	{
	    .name = "uneven_loop",
	    .title = "load imbalance (loop)",
	    .brief = "load imbalance",
	    .advice = "smaller chunks, or the long iterations first",
	    .other_advice = "schedule(dynamic, n) or schedule(guided)",
	    .doubt = "dispatching chunks takes time, too, and moves them away from their data",
	    .doubt_if_off =
		"dispatching chunks takes time, too, and moves them away from their data; on a "
		"shared machine the slowest thread may only have been preempted",
	},
    [WN_RULE_SMALL_CHUNKS] =
	{
	    .name = "small_chunks",
	    .title = "granularity too fine (chunks)",
	    .brief = "chunks too fine",
	    .advice =
		"larger chunks: schedule(dynamic, n) with n so that a chunk takes 10 us or more",
	    .doubt = "with large chunks, threads may wait for the last one",
	},
    [WN_RULE_UNEVEN_REGION] =
	{
	    .name = "uneven_region",
	    .title = "load imbalance (region)",
	    .brief = "load imbalance",
	    .advice = "divide the work more evenly; for a loop in it, schedule(dynamic, n) or "
		      "schedule(guided)",
	    .other_advice =
		"divide what this thread does (a worksharing loop or tasks), or give the others "
		"work meanwhile (nowait, tasks)",
	    .doubt = "the work may depend on data, and differ from run to run",
	    .doubt_if_off = "on a shared machine the slowest thread may only have been preempted",
	},
    [WN_RULE_SERIAL] =
	{
	    .name = "serial_part",
	    .title = "serial fraction outside regions",
	    .brief = "serial fraction",
	    .advice = "move the code before it into a parallel region, or overlap it with one",
	    .doubt = "input, output and set-up cannot always overlap with other code",
	},
    [WN_RULE_SERIAL_START] =
	{
	    .name = "serial_start",
	    .title = "serial fraction before the first region",
	    .brief = "serial fraction",
	    .advice = "move computations before it into a parallel region",
	    .doubt = "it was not recorded: it may wait for input, or load libraries",
	},
    [WN_RULE_WAIT_EACH] =
	{
	    .name = "wait_after_each_task",
	    .title = "taskwait after each task",
	    .brief = "taskwait each",
	    .advice = "create all tasks first, then one taskwait",
	    .doubt = "a task that needs the result of the previous one has to wait for it",
	},
    [WN_RULE_ONE_PRODUCER] =
	{
	    .name = "one_producer",
	    .title = "one thread creates all tasks",
	    .brief = "one producer",
	    .advice = "fewer and larger tasks, or let tasks create tasks (taskloop, recursive "
		      "splitting)",
	    .other_advice = "move that work into the tasks, or let several threads create them",
	    .doubt = "memory or a lock may then limit all threads",
	},
    [WN_RULE_NO_PARALLELISM] =
	{
	    .name = "no_parallelism",
	    .title = "low parallelism",
	    .brief = "low parallelism",
	    .advice = "split the work at this place, or remove it from the critical path",
	    .other_advice = "depend clauses that order only what has to be in order: in in place "
			    "of inout, elements or blocks in place of a whole array; or split "
			    "these tasks",
	    .doubt = "the path may be inherent in the algorithm; smaller tasks cost more to create",
	},
    [WN_RULE_UNEVEN_TASKS] =
	{
	    .name = "uneven_tasks",
	    .title = "load imbalance (tasks)",
	    .brief = "load imbalance",
	    .advice = "split long tasks, or create the longest one first",
	    .doubt =
		"the next longest task then delays the join; smaller tasks cost more to create",
	},
    [WN_RULE_MANY_REGIONS] =
	{
	    .name = "many_regions",
	    .title = "fork/join overhead of short regions",
	    .brief = "fork/join",
	    .advice = "one region around the loop that opens them, or more work in each; an if "
		      "clause, where the work of one is less than a few us",
	    .doubt = "serial code between the loops then needs a single construct and its barrier",
	},
    [WN_RULE_LONE_TEAMS] =
	{
	    .name = "teams_of_one",
	    .title = "teams of one thread",
	    .brief = "one thread",
	    .advice = "if one thread is not intended (an if clause, too little work): look for "
		      "num_threads(1), omp_set_num_threads(1)",
	    .other_advice =
		"if one thread is not intended: OMP_MAX_ACTIVE_LEVELS=2, or more work for the "
		"threads of the enclosing region",
	    .doubt = "one thread may be intended; nested teams may have more threads than there "
		     "are cores",
	},
    [WN_RULE_MUTEX] =
	{
	    .name = "contended_mutex",
	    .title = "lock contention",
	    .brief = "lock contention",
	    .advice = "less work in the ordered part; where the order matters only for output, "
		      "store results and write them after the loop",
	    .other_advice =
		"less work while it is held, or no lock: a reduction, atomic, data private to "
		"each thread, several locks",
	    .doubt =
		"sums in another order round differently; the data that the lock protects must "
		"stay protected",
	},
    [WN_RULE_INLINE_TASKS] =
	{
	    .name = "inline_tasks",
	    .title = "taskloop run by one thread",
	    .brief = "inline tasks",
	    .advice =
		"num_tasks() or grainsize(), for at most 64 tasks per thread: libgomp queues no "
		"task of a larger taskloop",
	    .doubt = "larger tasks are harder to balance",
	},
    [WN_RULE_OVERSUBSCRIBED] =
	{
	    .name = "oversubscription",
	    .title = "more threads than cores",
	    .brief = "oversubscribed",
	    .advice =
		"OMP_NUM_THREADS at most the number of cores that the process may use, nested "
		"regions included; or a larger allocation or affinity mask",
	    .doubt =
		"threads that block in input, output or messages may need others in their place",
	},
    [WN_RULE_BOUND] =
	{
	    .name = "binding",
	    .title = "threads bound to too few cores",
	    .brief = "bound threads",
	    .advice =
		"OMP_PROC_BIND=spread with OMP_PLACES=cores, or neither; with ranks of MPI, a "
		"set of cores for each rank",
	    .doubt = "the binding may keep other programs' cores free",
	},
    [WN_RULE_QUOTA] =
	{
	    .name = "cpu_quota",
	    .title = "CPU quota below the number of threads",
	    .brief = "CPU quota",
	    .advice = "OMP_NUM_THREADS at most the quota, rounded up; or a larger quota (cpu.max, "
		      "docker --cpus)",
	    .doubt = "fewer threads avoid the stops; only a larger quota gives more CPU time",
	},
    [WN_RULE_OTHER_THREADS] =
	{
	    .name = "other_threads",
	    .title = "other threads of the process",
	    .brief = "other threads",
	    .advice =
		"find out what starts them (another runtime, a library's thread pool), and use "
		"fewer of them, or none while parallel regions run",
	    .doubt = "their work may be needed",
	},
    [WN_RULE_CPU_SPEEDS] =
	{
	    .name = "cpu_speeds",
	    .title = "CPUs of different speed",
	    .brief = "CPU speeds",
	    .advice =
		"one thread for each core, with no other program on it (OMP_PLACES=cores "
		"OMP_PROC_BIND=spread); where cores differ by design, schedule(dynamic, n) or "
		"schedule(guided)",
	    .doubt = "speeds were not measured during the run: the program may divide its work "
		     "unevenly, too",
	},
    [WN_RULE_PAGE_FAULTS] =
	{
	    .name = "page_faults",
	    .title = "page faults",
	    .brief = "page faults",
	    .advice = "reuse memory instead of allocating it in each step, or huge pages (madvise, "
		      "MALLOC_TOP_PAD_ of glibc)",
	    .doubt = "each page has to be touched once; the kernel may have had other work",
	},
    [WN_RULE_PASSIVE_WAITS] =
	{
	    .name = "wait_policy",
	    .title = "passive wait policy",
	    .brief = "passive waits",
	    .advice = "unset OMP_WAIT_POLICY=passive, KMP_BLOCKTIME=0, GOMP_SPINCOUNT=0",
	    .doubt = "threads that spin take cores from other programs, and power",
	},
    [WN_RULE_BLOCKED] =
	{
	    .name = "blocked_time",
	    .title = "off the CPU: blocked",
	    .brief = "blocked",
	    .advice =
		"look for sleeps, input and output, page faults with a read, and locks that are "
		"not OpenMP's in this code",
	    .doubt = "input and output may be needed; overlap it with other work",
	},
    [WN_RULE_TASK_QUEUE] =
	{
	    .name = "task_queue",
	    .title = "scheduling overhead (tasks)",
	    .brief = "task scheduling",
	    .advice = "larger tasks; threads take tasks from shared queues one at a time, so "
		      "compare with one thread",
	    .doubt = "larger tasks are harder to balance",
	},
    [WN_RULE_TASKWAIT] =
	{
	    .name = "taskwait_idle",
	    .title = "idle in taskwait",
	    .brief = "idle taskwait",
	    .advice = "depend clauses in place of the taskwait, or more children of about equal "
		      "length: a waiting thread runs no task but its task's own",
	    .doubt = "what follows the taskwait may need all results",
	},
    [WN_RULE_CREATION] =
	{
	    .name = "task_creation",
	    .title = "task creation overhead",
	    .brief = "task creation",
	    .advice = "no copies of large data into tasks (firstprivate of arrays and objects): "
		      "pointers, shared data, or a copy made by the task; fewer, larger tasks",
	    .doubt = "data that changes before the task runs has to be copied",
	},
    [WN_RULE_FEW_TASKS] =
	{
	    .name = "few_tasks",
	    .title = "low parallelism at times",
	    .brief = "low parallelism",
	    .advice = "more and smaller tasks, the longest of them first (priority, or created "
		      "first); fewer waits for all tasks (taskwait, barriers) before others start",
	    .other_advice = "divide what one thread does there, such as the code of a single or "
			    "master, or overlap it with tasks of the other threads",
	    .doubt = "smaller tasks cost more to create; the code may have to run in order",
	},
    [WN_RULE_MANY_BARRIERS] =
	{
	    .name = "many_barriers",
	    .title = "synchronisation overhead of frequent barriers",
	    .brief = "barriers",
	    .advice =
		"fewer barriers: nowait, one loop in place of several, more work between two of "
		"them; or dependent tasks, so that threads wait only for what they need",
	    .doubt = "threads may need data that other threads write before each of them",
	},
    [WN_RULE_UNEXPLAINED] =
	{
	    .name = "unexplained",
	    .title = "time lost, cause unknown",
	    .brief = "unexplained",
	    .advice = "", /* lost_time_advice() */
	    .doubt = "other programs on the machine may have caused it: compare with a second run",
	},
    [WN_RULE_ATOMIC] =
	{
	    .name = "contended_atomic",
	    .title = "possible contention: atomic updates in a loop",
	    .brief = "atomic in loop",
	    .advice =
		"a reduction, or private copies that are added up after the loop; to settle it, "
		"compare numbers of threads (winnow run --threads 1,2 PROG), or count shared "
		"cache lines (winnow count --sharing PROG)",
	    .doubt = "waits for other threads' cache lines are not measured: it may save nothing; "
		     "sums in another order round differently",
	},
    [WN_RULE_FALSE_SHARING] =
	{
	    .name = "false_sharing",
	    .title = "possible false sharing in a loop",
	    .brief = "false sharing",
	    .advice =
		"a local variable, stored after the loop, or elements of one thread at least a "
		"cache line (64 bytes) apart; to settle it, compare numbers of threads (winnow "
		"run --threads 1,2 PROG), or count shared cache lines (winnow count --sharing "
		"PROG)",
	    .doubt = "waits for other threads' cache lines are not measured: it may save nothing",
	},
    [WN_RULE_TRUE_SHARING] =
	{
	    .name = "true_sharing",
	    .title = "possible contention: threads write one variable in a loop",
	    .brief = "shared variable",
	    .advice =
		"a local variable, stored after the loop; to settle it, compare numbers of "
		"threads (winnow run --threads 1,2 PROG), or count shared cache lines (winnow "
		"count --sharing PROG)",
	    .doubt = "waits for other threads' cache lines are not measured: it may save nothing; "
		     "without synchronisation the program has a data race there",
	},
    [WN_RULE_STRIDED] =
	{
	    .name = "strided_access",
	    .title = "possible waits for memory: access with a large stride",
	    .brief = "large stride",
	    .advice =
		"make the loop that steps through neighbouring elements the innermost one "
		"(exchange the loops, or store the array transposed), or divide both loops into "
		"blocks; of an array of structures, an array for each member in use; to settle "
		"it, try it on a small part",
	    .doubt = "waits for memory are not measured: it may save nothing, as where the data "
		     "is in the caches",
	},
    [WN_RULE_REPEATED] =
	{
	    .name = "repeated_work",
	    .title = "work that each thread repeats",
	    .brief = "repeated work",
	    .advice = "a worksharing construct (omp for, omp do) on the loop, or single, if one "
		      "thread should do it for all",
	    .doubt = "each thread may need its own copy of the result behind a pointer",
	},
    [WN_RULE_RUNTIME_CALLS] =
	{
	    .name = "runtime_calls",
	    .title = "frequent calls of the OpenMP runtime",
	    .brief = "runtime calls",
	    .advice = "omp_get_thread_num() and threadprivate variables read once, before a loop; "
		      "a function without constructs for recursion below a cut-off, since clang "
		      "requests the thread's number at each call of a function with constructs; "
		      "fewer constructs on little work",
	    .doubt = "samples do not show which code called the runtime; a debug build of the "
		     "runtime takes longer than a release",
	},
    [WN_RULE_BUSY_WAIT] =
	{
	    .name = "busy_wait",
	    .title = "busy waiting",
	    .brief = "busy waiting",
	    .other_advice = "functions that share no state: rand_r() or a generator for each "
			    "thread in place of rand(); fewer allocations and less output in "
			    "parallel regions; less work under a mutex, or data private to each "
			    "thread",
	    .advice = "divide the work so that threads need not wait there; depend clauses, a "
		      "taskwait or a barrier in place of the loop, where threads have other work "
		      "meanwhile, and waits are measured",
	    .doubt = "the waits are known from samples; the order may be inherent in the "
		     "algorithm, as in a pipeline",
	},
    [WN_RULE_UNEVEN_SECTIONS] =
	{
	    .name = "uneven_sections",
	    .title = "load imbalance (sections)",
	    .brief = "load imbalance",
	    .advice = "divide the longest section, or begin with it; tasks in place of sections, "
		      "which create further tasks",
	    .doubt = "the code of one section may have to run in order",
	},
    [WN_RULE_INFLATION] =
	{
	    .name = "work_inflation",
	    .title = "work inflation",
	    .brief = "work inflation",
	    .advice = "reduce the memory traffic of the threads: access memory in order, block the "
		      "loops, "
		      "touch data first where it is used, OMP_PROC_BIND=true",
	    .doubt = "cores share caches, memory and clock rates, so a part of it remains; on a "
		     "shared machine the reference run may only have been less disturbed",
	},
};

const char *
wn_rule_name(enum wn_rule rule)
{
	return texts[rule].name;
}

const char *
wn_rule_title(enum wn_rule rule)
{
	return texts[rule].title;
}

#define LESS_MUTEX                                                                                 \
	"less work while it is held; a mutex for each part of the data; data private to each "     \
	"thread, or a reduction, in place of what it protects"

#define NO_WAIT                                                                                    \
	"nowait on the first loop, if the next one needs none of its results: threads with less "  \
	"work in one have more in another"

/* Variants that have a title or an advice of their own; NULL: the rule's. */
static const struct variant_texts {
	enum wn_rule rule;
	uint32_t variant;
	const char *title, *advice;
} variants[] = {
    {WN_RULE_BUSY_WAIT, WN_FINDING_IN_LIBRARY, "lock contention in the C library", NULL},
    {WN_RULE_BUSY_WAIT, WN_FINDING_AT_MUTEX, "contention for a mutex of the program", LESS_MUTEX},
    {WN_RULE_BLOCKED, WN_FINDING_IN_MUTEX, "off the CPU: probably waits for a mutex", LESS_MUTEX},
    {WN_RULE_BLOCKED, WN_FINDING_IN_SLEEP, "off the CPU: probably sleeps",
     "in place of sleeps until another thread is ready: depend clauses, a taskwait or a barrier, "
     "which wake threads at once"},
    {WN_RULE_BLOCKED, WN_FINDING_IN_OUTPUT, "off the CPU: probably input or output",
     "a buffer of each thread, written at once after the parallel work: a stream has a lock, for "
     "which other threads wait"},
    {WN_RULE_UNEVEN_REGION, WN_FINDING_SINGLE, "serial code in single or masked", NULL},
    {WN_RULE_UNEVEN_REGION, WN_FINDING_OPPOSITE, NULL, NO_WAIT},
    {WN_RULE_UNEVEN_LOOP, WN_FINDING_OPPOSITE, NULL, NO_WAIT},
    {WN_RULE_MUTEX, MUTEX_DOACROSS, "waits of doacross iterations",
     "more work between two waits: wait and post once for a block of iterations, such as of "
     "columns, in place of each"},
    {WN_RULE_MUTEX, MUTEX_REDUCTION, NULL,
     "it adds up the threads' copies of a reduction: add them up once, after the loop over steps; "
     "reduce fewer elements; where few of them change, atomic updates of one array"},
    {WN_RULE_ATOMIC, WN_FINDING_SAMPLED_COUNT, NULL,
     "smart pointers passed by reference (const std::shared_ptr<T> &), or a plain pointer or "
     "reference to the object: each copy updates the reference count"},
    {WN_RULE_NO_PARALLELISM, PATH_CREATES, NULL,
     "more and smaller tasks of that work: a deeper cut-off, tasks for its loops and calls"},
};

static const struct variant_texts *
find_variant(const struct wn_finding *f)
{
	static const struct variant_texts none = {.title = NULL};
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
		if (variants[i].rule == f->rule && variants[i].variant == f->variant)
			return &variants[i];
	return &none;
}

const char *
wn_finding_title(const struct wn_finding *f)
{
	const char *title = find_variant(f)->title;
	return title ? title : texts[f->rule].title;
}

const char *
wn_rule_brief(enum wn_rule rule)
{
	return texts[rule].brief;
}

static const char *
time_text(double ns, char text[WN_DECIMAL_BYTES])
{
	return wn_decimal_time((uint64_t)(ns + 0.5), text);
}

static int
stride_message(const struct wn_finding *f, char *text, size_t size)
{
	char a[WN_DECIMAL_BYTES],
	    stride[WN_DECIMAL_BYTES + 32] = "a distance that is not in the code";
	if (f->value2 > 0)
		snprintf(stride, sizeof stride, "%.0f bytes", f->value2);
	return snprintf(
	    text, size,
	    "threads work %s in loops whose turns access memory %s apart, and use %" PRIu32
	    " of the 64 bytes of each cache line",
	    time_text(f->value, a), stride, f->variant);
}

size_t
wn_finding_message(const struct wn_finding *f, const struct wn_metrics *m, char *text, size_t size)
{
	char a[WN_DECIMAL_BYTES], b[WN_DECIMAL_BYTES], number[WN_DECIMAL_BYTES];
	int n = 0;
	bool is_one = f->n == 1;
	wn_decimal_count(f->n, number);
	switch (f->rule) {
	case WN_RULE_SMALL_TASKS:
		n = snprintf(text, size,
		             is_one
		                 ? "%s task does %s of work and costs %s to create and schedule"
		                 : "%s tasks do %s of work each and cost %s to create and schedule",
		             number, time_text(f->value, a), time_text(f->value2, b));
		break;
	case WN_RULE_UNEVEN_LOOP:
	case WN_RULE_UNEVEN_REGION:
		n = snprintf(
		    text, size,
		    f->is_noise ? "its busiest thread works %.2f times the mean, which is "
				  "within noise: it is another one each time, or differs "
				  "no more than threads with equal work may"
		    : f->variant == WN_FINDING_SINGLE
			? "one thread executes it while the others wait: the busiest works "
			  "%.2f times the mean"
		    : f->variant == WN_FINDING_ALONE
			? "one thread works nearly alone, %.2f times the mean; the other "
			  "threads wait for it"
		    : f->variant == WN_FINDING_OPPOSITE
			? "its busiest thread works %.2f times the mean in each of several "
			  "loops, but is another one in the next; the other threads wait "
			  "for it"
			: "its busiest thread works %.2f times the mean; the other "
			  "threads wait for it",
		    f->value);
		break;
	case WN_RULE_SMALL_CHUNKS:
		n = snprintf(text, size,
		             is_one ? "%s chunk does %s of work and costs %s to dispatch"
		                    : "%s chunks do %s of work each and cost %s to dispatch",
		             number, time_text(f->value, a), time_text(f->value2, b));
		break;
	case WN_RULE_SERIAL:
		if (f->value2 <= 0) {
			n = snprintf(text, size, "%s outside parallel regions",
			             time_text(f->value, a));
			break;
		}
		n = snprintf(text, size, "%s in total, %s of it in one piece %s",
		             time_text(f->value, a), time_text(f->value2, b),
		             f->site == WN_NO_SITE ? "after the last region"
		                                   : "before this region");
		break;
	case WN_RULE_SERIAL_START:
		n = snprintf(
		    text, size,
		    "%s from the start of the program to its first region, this one, of %s "
		    "in total",
		    time_text(f->value, a), time_text(f->value2, b));
		break;
	case WN_RULE_WAIT_EACH:
		n = snprintf(text, size, "%s tasks of %s run one after the other", number,
		             time_text(f->value, a));
		break;
	case WN_RULE_ONE_PRODUCER:
		n = snprintf(text, size,
		             "%s to create %s tasks%s; the other threads wait for work %s each",
		             time_text(f->value, a), number,
		             f->value2 >= 0.5 ? ", mostly its own work between them" : "",
		             time_text((double)f->loss_ns, b));
		break;
	case WN_RULE_NO_PARALLELISM:
		n = snprintf(
		    text, size,
		    "average parallelism %.2f for %" PRIu32
		    " threads; most of the critical path is here%s",
		    f->value, m->totals.n_threads,
		    f->variant == PATH_DEPENDS
			? ", in tasks that wait for one another by depend clauses"
		    : f->variant == PATH_CREATES
			? ", in a thread that creates tasks and does most of the work itself"
			: "");
		break;
	case WN_RULE_UNEVEN_TASKS:
		n = snprintf(text, size, "the longest takes %s, the mean of its siblings is %s",
		             time_text(f->value, a), time_text(f->value2, b));
		break;
	case WN_RULE_MANY_REGIONS:
		n = snprintf(text, size, "%s regions of %s each, of which %s is fork/join overhead",
		             number, time_text(f->value, a), time_text(f->value2, b));
		break;
	case WN_RULE_LONE_TEAMS:
		n = snprintf(text, size,
		             "%s region%s%s on one thread for %s; the program may use %" PRIu32
		             " cores",
		             number, f->n == 1 ? " runs" : "s run",
		             f->value2 >= (double)f->n ? " inside others," : "",
		             time_text(f->value, a), wn_trace_header(m->g->trace)->n_cpus);
		break;
	case WN_RULE_MUTEX:
		if (f->value2 > 0)
			n = snprintf(
			    text, size, "threads %s %s times, wait %s each and hold it for %s%s",
			    f->variant == MUTEX_ORDERED ? "enter its ordered part" : "request it",
			    number, time_text(f->value, a), time_text(f->value2, b),
			    f->variant == MUTEX_LATE
				? "; most of these waits are not contention: the thread whose turn "
				  "it was did not run, as when others use the cores"
				: "");
		else /* iterations that wait for others: no lock is held */
			n = snprintf(text, size, "threads wait there %s times, %s each", number,
			             time_text(f->value, a));
		break;
	case WN_RULE_INLINE_TASKS:
		n = snprintf(
		    text, size,
		    "%s tasks with %s of work ran in the call that created them, one after "
		    "the other, while other threads were idle",
		    number, time_text(f->value, a));
		break;
	case WN_RULE_OVERSUBSCRIBED:
	case WN_RULE_BOUND:
	case WN_RULE_QUOTA:
	case WN_RULE_OTHER_THREADS:
	case WN_RULE_CPU_SPEEDS:
	case WN_RULE_PAGE_FAULTS:
	case WN_RULE_PASSIVE_WAITS:
		n = machine_message(f, text, size);
		break;
	case WN_RULE_BLOCKED:
		n = snprintf(
		    text, size,
		    "threads slept or waited %s in the program's own code, %.0f %% of their "
		    "time",
		    time_text(f->value, a), 100 * f->value2);
		break;
	case WN_RULE_TASK_QUEUE:
		n = snprintf(text, size,
		             "%s tasks; after a task becomes ready, %s pass until a waiting thread "
		             "has it, %.0f %% of the threads' time",
		             number, time_text(f->value, a), 100 * f->value2);
		break;
	case WN_RULE_TASKWAIT:
		n = snprintf(text, size,
		             "threads wait %s in taskwaits, %.0f %% of their time, while tasks are "
		             "ready that are not children of the waiting one",
		             time_text(f->value, a), 100 * f->value2);
		break;
	case WN_RULE_CREATION:
		n = snprintf(text, size,
		             is_one
		                 ? "%s task takes %s to create, %.0f %% of the threads' time"
		                 : "%s tasks take %s each to create, %.0f %% of the threads' time",
		             number, time_text(f->value, a), 100 * f->value2);
		break;
	case WN_RULE_FEW_TASKS:
		n = snprintf(text, size,
		             f->variant == FEW_OF_TASKS
		                 ? "threads are idle for %s, %.0f %% of their time, while others "
		                   "run tasks of this place: fewer were left than threads"
		                 : "threads are idle for %s, %.0f %% of their time, while others "
		                   "run code of this place",
		             time_text(f->value, a), 100 * f->value2);
		break;
	case WN_RULE_MANY_BARRIERS:
		n = snprintf(text, size,
		             "%s barriers after %s of work each; they cost %.0f %% of "
		             "the threads' time",
		             number, time_text(f->value, a), 100 * f->value2);
		break;
	case WN_RULE_UNEXPLAINED:
		n = snprintf(text, size,
		             f->is_noise
		                 ? "\"%s\" is %.0f %% of the threads' time: at this place "
		                   "they wait for the slowest one, which is another one each "
		                   "time, or as slow as threads with equal work may be"
		                 : "\"%s\" is %.0f %% of the threads' time",
		             lost_time_name(f), 100 * f->value2);
		break;
	case WN_RULE_ATOMIC:
		n = f->variant
		        ? snprintf(
			      text, size, "threads spend %s, %.0f %% of their time, at %s",
			      time_text(f->value, a), 100 * f->value2,
			      f->variant == WN_FINDING_SAMPLED
				  ? "an atomic update of the same memory"
			      : f->variant == WN_FINDING_SAMPLED_COUNT
				  ? "updates of reference counts"
			      : f->variant == WN_FINDING_SAMPLED_ALONE
				  ? "atomic updates, although a single thread waits for no other"
				  : "atomic updates of several elements: contention, or "
				    "reading them from memory")
		        : snprintf(text, size,
		                   "threads work %s in loops with an atomic update of the same "
		                   "memory every %.0f instructions",
		                   time_text(f->value, a), f->value2);
		break;
	case WN_RULE_BUSY_WAIT:
		n = snprintf(text, size, "threads spend %s, %.0f %% of their time, %s",
		             time_text(f->value, a), 100 * f->value2,
		             f->variant == WN_FINDING_IN_LIBRARY
		                 ? "at locks in the C library: a mutex of the program, or those "
		                   "that rand(), malloc() and streams have"
		             : f->variant == WN_FINDING_AT_MUTEX
		                 ? "at a mutex of the program (std::mutex, pthread_mutex_t)"
		                 : "in a loop that only waits until another thread writes memory");
		break;
	case WN_RULE_REPEATED:
		n = snprintf(text, size,
		             "each of %.0f threads executes this loop completely: %s in all; no "
		             "construct divides it",
		             f->value2, time_text(f->value, a));
		break;
	case WN_RULE_RUNTIME_CALLS:
		n = snprintf(text, size,
		             "%s of the work, %.0f %% of the threads' time, is code of the "
		             "OpenMP runtime without an event, such as entries of constructs",
		             time_text(f->value, a), 100 * f->value2);
		break;
	case WN_RULE_UNEVEN_SECTIONS:
		snprintf(number, sizeof number, "%" PRIu32, f->variant);
		n = snprintf(text, size, "%s%s%s %s of %s for all of them; the other threads wait",
		             f->variant > 0 ? "its longest section, number " : "the sections of ",
		             f->variant > 0 ? number : "the busiest thread",
		             f->variant > 0 ? ", takes" : " take", time_text(f->value, a),
		             time_text(f->value2, b));
		break;
	case WN_RULE_FALSE_SHARING:
	case WN_RULE_TRUE_SHARING:
		n = snprintf(text, size,
		             "threads work %s in loops with a store to %s every %.0f instructions",
		             time_text(f->value, a),
		             f->rule == WN_RULE_TRUE_SHARING ? "one variable"
		                                             : "a cache line of several threads",
		             f->value2);
		break;
	case WN_RULE_STRIDED:
		n = stride_message(f, text, size);
		break;
	case WN_RULE_INFLATION:
		n = snprintf(text, size,
		             "its grains work %s in total instead of %s on fewer threads, %.2f "
		             "times as long",
		             time_text(f->value, a), time_text(f->value2, b), f->value / f->value2);
		break;
	case WN_RULE_N:
		break;
	}
	return n > 0 ? (size_t)n : 0;
}

/* Some problems have two causes, each with its own advice. */
static bool
has_other_cause(const struct wn_finding *f)
{
	switch ((int)f->rule) {
	case WN_RULE_UNEVEN_LOOP:
		return (uint32_t)f->value2 == WN_WORK_LOOP_STATIC;
	case WN_RULE_ONE_PRODUCER: /* its own work between tasks */
		return f->value2 >= 0.5;
	case WN_RULE_LONE_TEAMS: /* inside others */
		return f->value2 >= (double)f->n;
	case WN_RULE_FEW_TASKS:
		return f->variant == FEW_OF_THREADS;
	case WN_RULE_UNEVEN_REGION:
		return f->variant == WN_FINDING_ALONE || f->variant == WN_FINDING_SINGLE;
	case WN_RULE_NO_PARALLELISM:
		return f->variant == PATH_DEPENDS;
	case WN_RULE_BUSY_WAIT:
		return f->variant == WN_FINDING_IN_LIBRARY;
	case WN_RULE_MUTEX: /* an actual lock, not the order of iterations */
		return f->value2 > 0 && f->variant != MUTEX_ORDERED;
	default:
		return false;
	}
}

const char *
wn_finding_advice(const struct wn_finding *f)
{
	const struct texts *t = &texts[f->rule];
	if (f->rule == WN_RULE_UNEXPLAINED && !f->is_noise)
		return lost_time_advice(f);
	if (find_variant(f)->advice)
		return find_variant(f)->advice;
	if (f->is_noise)
		return "record it again: work that is divided unevenly is so in each run";
	if (f->variant && f->rule >= WN_RULE_OVERSUBSCRIBED && f->rule <= WN_RULE_PASSIVE_WAITS)
		return machine_advice(f);
	return has_other_cause(f) ? t->other_advice : t->advice;
}

const char *
wn_finding_doubt(const struct wn_finding *f, const struct wn_metrics *m)
{
	const struct texts *t = &texts[f->rule];
	const char *const *why;
	bool is_known = m->g->off_cpu_ns && wn_trace_switches_missing(m->g->trace, &why) == 0;
	return !is_known && t->doubt_if_off ? t->doubt_if_off : t->doubt;
}
