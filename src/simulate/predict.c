/* SPDX-License-Identifier: MIT */
/* predict.c - self-check, ranges, and what limits a predicted run. */
#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"
#include "simulate/program.h"

#include <math.h>
#include <stdlib.h>

/* Errors of the replay beyond which the range is wider, and nothing is predicted. */
#define ERROR_WIDER   0.10
#define ERROR_REFUSED 0.25

/* Relative errors of predictions in measurements (doc/prediction.md): half-widths of the range. */
#define RANGE_REPLAY  0.05
#define RANGE_THREADS 0.15
#define RANGE_CUTOFF  0.30
#define RANGE_COSTS   0.50 /* of the share of the threads' time that goes to the runtime */

/* Work differs so much from run to run. */
#define WORK_SPREAD 0.03

/* Simulations with other random choices; fewer of large runs. */
#define SEEDS       8u
#define SEEDS_LARGE 3u
#define LARGE       1000000u

/* Share of work of unknown structure beyond which nothing is predicted. */
#define UNKNOWN_MAX 0.10

/* More memory than caches hold, as in the measurement of its bandwidth; and work that is so much of
 * the threads' time. */
#define CACHED_BYTES (64u << 20)
#define BOUND_SHARE  0.5

/* Outcomes that differ by more than this depend on a race. */
#define RACE 1.2
/* Outcomes with a smaller share are not likely. */
#define LIKELY 0.2

const char *const wn_limit_names[WN_LIMIT_N] = {
    "work", "serial", "span", "runtime_lock", "creation", "schedule", "mutex", "sync", "waits",
};
const char *const wn_limit_titles[WN_LIMIT_N] = {
    "work",       "serial code",         "span",     "runtime's lock",           "task creation",
    "scheduling", "the program's locks", "wake-ups", "waits beside ready tasks",
};

/* The part of the threads' time whose replay differs most from the recorded run. */
static const char *
largest_difference(const struct program *p, const struct wn_sim_result *r)
{
	static const char *const names[SIM_PART_N] = {
	    [SIM_PART_WORK] = "work",
	    [SIM_PART_RUNTIME] = "the runtime's own time",
	    [SIM_PART_LOCKS] = "waits for the program's locks",
	    [SIM_PART_IDLE] = "idle time",
	};
	const uint64_t simulated_ns[SIM_PART_N] = {
	    [SIM_PART_WORK] = r->ns[WN_SIM_WORK],
	    [SIM_PART_RUNTIME] = r->ns[WN_SIM_CREATION] + r->ns[WN_SIM_RUNTIME] +
	                         r->ns[WN_SIM_SCHEDULE] + r->ns[WN_SIM_SYNC],
	    [SIM_PART_LOCKS] = r->ns[WN_SIM_MUTEX],
	    [SIM_PART_IDLE] = r->ns[WN_SIM_IDLE] + r->ns[WN_SIM_IDLE_READY],
	};
	unsigned most = 0;
	double most_ns = -1;
	for (unsigned i = 0; i < SIM_PART_N; i++) {
		double ns = fabs((double)simulated_ns[i] - (double)p->part_ns[i]);
		if (ns > most_ns) {
			most = i;
			most_ns = ns;
		}
	}
	return names[most];
}

wn_status
wn_predict_check(const struct wn_simulation *s, struct wn_self_check *out, wn_err *err)
{
	const struct wn_scenario as_recorded = {.is_as_recorded = true};
	struct wn_sim_result result = s->recorded;
	if (s->p.has_nested_teams) {
		*out = (struct wn_self_check){.recorded_ns = s->p.recorded_ns, .is_unknown = true};
		return WN_OK;
	}
	wn_status st = s->knows_recorded ? WN_OK : wn_simulate(s, &as_recorded, &result, err);
	if (st != WN_OK)
		return st;
	*out = (struct wn_self_check){.simulated_ns = result.elapsed_ns,
	                              .recorded_ns = s->p.recorded_ns};
	out->error =
	    s->p.recorded_ns ? (double)result.elapsed_ns / (double)s->p.recorded_ns - 1 : 0;
	out->mostly = largest_difference(&s->p, &result);
	out->is_widened = fabs(out->error) > ERROR_WIDER;
	if (fabs(out->error) > ERROR_REFUSED)
		out->refused = "the replay of the recorded run differs from it by over 25 %";
	return WN_OK;
}

static enum wn_limit
limit_of(const struct wn_sim_result *r, uint32_t n_threads)
{
	static const enum wn_limit of_time[WN_SIM_TIME_N] = {
	    [WN_SIM_WORK] = WN_LIMIT_WORK,       [WN_SIM_CREATION] = WN_LIMIT_CREATION,
	    [WN_SIM_RUNTIME] = WN_LIMIT_RUNTIME, [WN_SIM_SCHEDULE] = WN_LIMIT_SCHEDULE,
	    [WN_SIM_MUTEX] = WN_LIMIT_MUTEX,     [WN_SIM_SYNC] = WN_LIMIT_SYNC,
	    [WN_SIM_IDLE] = WN_LIMIT_SPAN,       [WN_SIM_IDLE_READY] = WN_LIMIT_WAITS,
	    [WN_SIM_SERIAL] = WN_LIMIT_SERIAL};
	double all_ns = (double)n_threads * (double)r->elapsed_ns;
	enum wn_sim_time most = WN_SIM_CREATION;
	for (unsigned k = WN_SIM_CREATION; k < WN_SIM_TIME_N; k++)
		if (r->ns[k] > r->ns[most])
			most = (enum wn_sim_time)k;
	if ((double)r->ns[most] < 0.05 * all_ns)
		return WN_LIMIT_WORK;
	return of_time[most];
}

static const char *
extrapolation(const struct wn_simulation *s, uint32_t n_threads)
{
	if (n_threads > s->p.n_cpus && n_threads > s->p.machine_cpus)
		return "more threads than this machine has CPUs";
	if (n_threads > s->p.n_threads && s->p.n_threads > 1 && !s->costs.n_measured)
		return "no calibration of the runtime";
	if (s->costs.n_measured && n_threads > s->costs.n_measured)
		return "more threads than were calibrated";
	return NULL;
}

static bool
is_cutoff(const struct wn_scenario *scenario)
{
	for (size_t i = 0; i < scenario->n_changes; i++)
		if (scenario->changes[i].kind == WN_SIM_CHANGE_CUTOFF)
			return true;
	return false;
}

/* Half-width of the range from the kind of change, the calibration and the self-check. */
static double
half_width(const struct wn_simulation *s, const struct wn_self_check *check,
           const struct wn_scenario *scenario, const struct wn_sim_result *r, uint32_t n_threads)
{
	double width = n_threads == s->p.n_threads ? RANGE_REPLAY : RANGE_THREADS;
	if (scenario->n_changes)
		width = fmax(width, is_cutoff(scenario) ? RANGE_CUTOFF : RANGE_THREADS);
	if (check && check->is_unknown)
		width += ERROR_REFUSED;
	if (check && check->is_widened)
		width += fabs(check->error);
	/* costs of the runtime are less certain than work */
	double costs_ns = (double)r->ns[WN_SIM_CREATION] + (double)r->ns[WN_SIM_RUNTIME] +
	                  (double)r->ns[WN_SIM_SCHEDULE] + (double)r->ns[WN_SIM_SYNC];
	if (n_threads != s->p.n_threads && r->elapsed_ns)
		width += RANGE_COSTS * costs_ns / ((double)r->elapsed_ns * n_threads);
	return width;
}

static bool
is_much(const struct program *p, uint64_t work_ns)
{
	return (double)work_ns > UNKNOWN_MAX * (double)p->work_ns;
}

/* Why other numbers of threads are not predicted. */
static const char *
reason_against(const struct program *p)
{
	if (is_much(p, p->divided_ns))
		return "over 10 % of the work is outside of recorded loops and tasks: how other "
		       "numbers "
		       "of threads would divide it is not known";
	if (is_much(p, p->defaulted_ns))
		return "over 10 % of the work is in taskloops with as many tasks as threads: "
		       "without "
		       "grainsize or num_tasks, other numbers of threads have other tasks";
	return NULL;
}

/* Splits outcomes at the largest step between two of them. */
static void
take_race(struct wn_prediction *p, const uint64_t *times, uint32_t n)
{
	uint32_t at = 0;
	if (p->n_threads < 2 || p->result.n_tasks == 0 || times[0] == 0)
		return;
	for (uint32_t i = 1; i < n; i++)
		if (at == 0 || times[i] - times[i - 1] > times[at] - times[at - 1])
			at = i;
	if (at == 0 || (double)times[at] < RACE * (double)times[at - 1])
		return;
	p->is_race = true;
	p->fast_ns = times[(at - 1) / 2];
	p->slow_ns = times[at + (n - 1 - at) / 2];
	p->slow_share = (double)(n - at) / n;
}

/* Relative standard deviation of the costs: more beyond the threads that they were measured for. */
#define SIGMA_PER_DOUBLING 0.35

static double
cost_sigma(const struct wn_simulation *s, uint32_t n_threads)
{
	double n_known = s->costs.n_measured ? s->costs.n_measured : 2;
	return s->costs.relative_sigma + SIGMA_PER_DOUBLING * fmax(0, log2(n_threads / n_known));
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t
smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Why a range is wide. */
enum cause {
	CAUSE_RACE,
	CAUSE_COSTS,
	CAUSE_ENTRIES,
	CAUSE_RECORDING,
	CAUSE_UNSPLIT,
	CAUSE_NEIGHBOURS,
	CAUSE_MEMORY,
	CAUSE_REPLAY,
	CAUSE_N
};
static const char *const cause_texts[CAUSE_N] = {
    [CAUSE_RACE] = "which thread takes the first task",
    [CAUSE_COSTS] = "how long threads contend for the runtime's locks and counters",
    [CAUSE_ENTRIES] =
	"how fast the removed tasks are as plain calls; --learn of a recording with a coarser "
	"cut-off shows it",
    [CAUSE_RECORDING] = "how much of the work of such small grains recording added",
    [CAUSE_UNSPLIT] = "how other numbers of threads divide the work of static loops",
    [CAUSE_NEIGHBOURS] = "what neighbouring chunks share, which a recording on one thread does not "
			 "show",
    [CAUSE_MEMORY] = "whether memory bounds the work; --learn of a recording on other numbers of "
		     "threads shows it",
    [CAUSE_REPLAY] = "why the replay of the recorded run differs from it",
};

/* One prediction while it is made. */
struct maker {
	const struct wn_simulation *s;
	const struct program *p; /* with the changes that edit the graph */
	const struct wn_scenario *scenario;
	uint32_t n_threads;
	const double *alone;      /* growth of work on one thread; NULL */
	uint64_t low_ns, high_ns; /* of all simulations that count for the range */
	uint64_t least_work_ns;   /* of them */
	uint64_t unsure_ns;       /* of the elapsed time may be recording */
	double spans[CAUSE_N];    /* what each cause alone makes of the range: its ends' ratio */
};

/* Median, race and limits of simulations with other random choices. */
static wn_status
draw_seeds(struct maker *m, struct wn_prediction *p, wn_err *err)
{
	uint64_t times[SEEDS];
	struct wn_sim_result results[SEEDS];
	uint32_t n_seeds = m->p->n_grains < LARGE ? SEEDS : SEEDS_LARGE;
	struct wn_scenario draw = *m->scenario;
	wn_status st = WN_OK;
	draw.n_threads = m->n_threads;
	for (uint32_t i = 0; i < n_seeds; i++) {
		draw.seed = m->scenario->seed + i;
		WN_TRY(simulate_program(m->s, m->p, &draw, &results[i], err));
		times[i] = results[i].elapsed_ns;
	}
	qsort(times, n_seeds, sizeof *times, wn_compare_u64);
	p->ns = times[n_seeds / 2]; /* an outcome, not a mean of two */
	for (uint32_t i = 0; i < n_seeds; i++)
		if (results[i].elapsed_ns == p->ns)
			p->result = results[i];
	take_race(p, times, n_seeds);
	m->low_ns = times[0];
	m->high_ns = times[n_seeds - 1];
	m->spans[CAUSE_RACE] = m->low_ns ? (double)m->high_ns / (double)m->low_ns : 1;
	m->least_work_ns = p->result.work_ns;
out:
	return st;
}

/* A pair of simulations with less and more of one cause. */
static wn_status
extend_range(struct maker *m, const struct wn_scenario *draw, uint64_t ends_ns[2], wn_err *err)
{
	struct wn_sim_result other;
	wn_status st = simulate_program(m->s, m->p, draw, &other, err);
	if (st != WN_OK)
		return st;
	m->low_ns = smaller(m->low_ns, other.elapsed_ns);
	m->high_ns = larger(m->high_ns, other.elapsed_ns);
	m->least_work_ns = smaller(m->least_work_ns, other.work_ns);
	ends_ns[0] = smaller(ends_ns[0], other.elapsed_ns);
	ends_ns[1] = larger(ends_ns[1], other.elapsed_ns);
	return WN_OK;
}

static double
span_of(const uint64_t ends_ns[2])
{
	return ends_ns[0] ? (double)ends_ns[1] / (double)ends_ns[0] : (double)ends_ns[1] + 1;
}

/* The costs of contention, 1.6 standard deviations down and up; likewise entries of removed tasks.
 */
static wn_status
draw_costs(struct maker *m, wn_err *err)
{
	struct wn_sim_change changes[WN_SIM_CHANGES_MAX];
	struct wn_scenario draw = *m->scenario;
	double sigma = cost_sigma(m->s, m->n_threads);
	uint64_t of_costs_ns[2] = {UINT64_MAX, 0}, of_entries_ns[2] = {UINT64_MAX, 0};
	wn_status st = WN_OK;
	draw.n_threads = m->n_threads;
	for (int sign = -1; sign <= 1; sign += 2) {
		draw.cost_scale = exp(sign * 1.6 * sigma);
		WN_TRY(extend_range(m, &draw, of_costs_ns, err));
	}
	m->spans[CAUSE_COSTS] = span_of(of_costs_ns);
	draw.cost_scale = 1;
	draw.changes = changes;
	for (int sign = -1; is_cutoff(m->scenario) && sign <= 1; sign += 2) {
		for (size_t i = 0; i < draw.n_changes; i++) {
			changes[i] = m->scenario->changes[i];
			changes[i].entry_ns *= 1 + sign * changes[i].entry_spread;
		}
		WN_TRY(extend_range(m, &draw, of_entries_ns, err));
		m->spans[CAUSE_ENTRIES] = span_of(of_entries_ns);
	}
out:
	return st;
}

/* Standard deviation of what was taken out of work. What another recording shows of removed tasks
 * contains theirs. */
static uint64_t
compensation_sigma(const struct maker *m, const struct wn_prediction *p)
{
	const struct program *of = &m->s->p;
	uint64_t n_tasks = 0;
	if (!is_cutoff(m->scenario) || isnan(m->s->known_entry_ns))
		return of->compensation_sigma_ns;
	for (uint32_t id = 0; id < of->n_grains; id++)
		n_tasks += is_task_grain(&of->grains[id]);
	double kept = n_tasks ? (double)p->result.n_tasks / (double)n_tasks : 1;
	return (uint64_t)(kept * (double)of->compensation_sigma_ns);
}

/* Work of a process that has more memory than caches may be bound by it. */
static double
memory_span(const struct maker *m, const struct wn_prediction *p)
{
	const struct program *of = &m->s->p;
	double all_ns = (double)p->result.elapsed_ns * m->n_threads;
	double share = all_ns > 0 ? (double)p->result.ns[WN_SIM_WORK] / all_ns : 0;
	bool is_unknown = wn_simulation_growth(m->s, m->n_threads) == WN_GROWTH_MEMORY;
	if (!is_unknown || of->peak_bytes < CACHED_BYTES || share < BOUND_SHARE)
		return 1;
	return 1 + share * (wn_cost_memory(&m->s->costs, of->n_threads, m->n_threads) - 1);
}

/* If all of a static loop's work that one thread is recorded to have were in one thread's part; or
 * if each thread did all of the work. */
static void
widen_by_static(struct maker *m, struct wn_prediction *p)
{
	double n = m->n_threads, n_recorded = m->s->p.n_threads, ns = (double)p->ns;
	double most_ns = (double)m->p->hidden_most_ns, rest_ns = (double)m->p->hidden_rest_ns;
	double unsplit_ns = (double)m->s->p.unsplit_ns;
	if (n == n_recorded)
		return;
	double more_ns = unsplit_ns * (1 - 1 / n) + most_ns * fmax(0, 1 - n_recorded / n);
	double less_ns = fmin((double)p->low_ns, fmax(0, (most_ns + rest_ns) / n - most_ns));
	p->high_ns += (uint64_t)more_ns;
	p->low_ns -= (uint64_t)less_ns;
	m->unsure_ns += (uint64_t)less_ns;
	m->spans[CAUSE_UNSPLIT] = ns > less_ns ? (ns + more_ns) / (ns - less_ns) : INFINITY;
}

/* Chunks beside those of another thread may wait for cache lines that both use, one after another,
 * as the next dispatch waits for their stores. On one thread nothing shows it (beside.c). */
static void
widen_by_neighbours(struct maker *m, struct wn_prediction *p)
{
	if (m->s->p.n_threads > 1 || m->n_threads < 2)
		return;
	uint64_t more_ns = p->result.n_shared_chunks * wn_cost_ns(&m->s->costs, WN_COST_FAR, 1);
	p->high_ns += more_ns;
	m->spans[CAUSE_NEIGHBOURS] = p->ns ? 1 + (double)more_ns / (double)p->ns : 1;
}

static void
set_range(struct maker *m, const struct wn_self_check *check, struct wn_prediction *p)
{
	const struct program *of = &m->s->p;
	double width = half_width(m->s, check, m->scenario, &p->result, m->n_threads);
	double ns = (double)p->ns;
	m->spans[CAUSE_MEMORY] = memory_span(m, p);
	p->low_ns = (uint64_t)((double)m->low_ns / (1 + width));
	p->high_ns = (uint64_t)((double)m->high_ns * (1 + width) * m->spans[CAUSE_MEMORY]);
	if (check && check->is_widened)
		m->spans[CAUSE_REPLAY] = pow(1 + fabs(check->error), 2);
	/* two standard deviations of what was taken out of work as the cost of recording; and
	 * without a piece of the calibration, its cost is still in the work */
	uint64_t sigma_ns = 2 * compensation_sigma(m, p) / m->n_threads;
	uint64_t less_ns = sigma_ns + of->unprobed_ns / m->n_threads;
	p->high_ns += sigma_ns;
	p->low_ns = p->low_ns > less_ns ? p->low_ns - less_ns : 0;
	m->unsure_ns = less_ns;
	m->spans[CAUSE_RECORDING] =
	    ns > (double)less_ns ? (ns + (double)sigma_ns) / (ns - (double)less_ns) : INFINITY;
	widen_by_static(m, p);
	widen_by_neighbours(m, p);
}

/* Nothing is faster than the bounds of the edited graph; the lower end of the range is of one with
 * less work, if that of removed tasks or of recording is not known. */
static void
apply_bounds(const struct maker *m, struct wn_prediction *p)
{
	uint64_t bound_ns = larger(p->bound_work_ns, p->bound_span_ns);
	double least =
	    p->result.work_ns ? fmin(1, (double)m->least_work_ns / (double)p->result.work_ns) : 1;
	double least_ns = (1 - WORK_SPREAD) * least * (double)bound_ns - (double)m->unsure_ns;
	p->ns = larger(p->ns, bound_ns);
	p->low_ns = smaller(p->ns, larger(p->low_ns, (uint64_t)fmax(0, least_ns)));
	p->high_ns = larger(p->high_ns, bound_ns);
}

/* A range that spans too much has no number in it that is predicted, nor has a race of which both
 * outcomes are likely. */
static void
set_open(const struct maker *m, struct wn_prediction *p)
{
	enum cause most = CAUSE_COSTS;
	for (unsigned i = 0; i < CAUSE_N; i++)
		if (m->spans[i] > m->spans[most])
			most = (enum cause)i;
	if ((double)p->high_ns > WN_PREDICT_OPEN * (double)p->low_ns)
		p->open = cause_texts[most];
	/* of outcomes that are as little known themselves there are no two */
	double around = (double)p->high_ns * (double)p->fast_ns;
	p->is_race &= around <= WN_PREDICT_OPEN * (double)p->low_ns * (double)p->slow_ns;
	bool is_likely = p->slow_share >= LIKELY && p->slow_share <= 1 - LIKELY;
	if (p->is_race && is_likely && !p->open)
		p->open = cause_texts[CAUSE_RACE];
}

/* Cilkview's burden: 15,000 instructions, at one in a third of a nanosecond. */
#define BURDEN_NS 5000u

/* How much locks shorten a path is not known. */
static bool
has_shorter_lock(const struct wn_scenario *s)
{
	for (size_t i = 0; i < s->n_changes; i++)
		if (s->changes[i].kind == WN_SIM_CHANGE_SHORTER_LOCK)
			return true;
	return false;
}

static wn_status
set_bounds(const struct maker *m, struct wn_prediction *p, wn_err *err)
{
	const struct program *of = &m->s->p;
	bool is_edited = m->scenario->n_changes || m->scenario->growth || m->p != of;
	/* chunks that are divided otherwise have other paths */
	bool is_same = m->n_threads == of->n_threads || !of->has_divisible_loops;
	uint64_t burdened_ns = 0;
	wn_status st;
	p->bound_work_ns = (is_edited ? p->result.work_ns : of->work_ns) / m->n_threads;
	p->bound_span_ns = of->span_ns;
	if (is_edited || !is_same)
		WN_TRY(program_span(m->p, m->scenario, 0, &p->bound_span_ns, err));
	if (has_shorter_lock(m->scenario))
		p->bound_span_ns = 0;
	WN_TRY(program_span(m->p, m->scenario, BURDEN_NS, &burdened_ns, err));
	p->burdened_ns = p->bound_work_ns + burdened_ns;
	apply_bounds(m, p);
out:
	return st;
}

/* Times of a greedy schedule, and on one thread. */
static wn_status
draw_baselines(struct maker *m, struct wn_prediction *p, wn_err *err)
{
	struct wn_scenario draw = *m->scenario;
	struct wn_sim_result other;
	wn_status st;
	draw.n_threads = m->n_threads;
	draw.is_greedy = true;
	WN_TRY(simulate_program(m->s, m->p, &draw, &other, err));
	p->greedy_ns = other.elapsed_ns;
	draw = *m->scenario;
	draw.n_threads = 1;
	draw.growth = m->alone;
	WN_TRY(simulate_program(m->s, m->p, &draw, &other, err));
	p->speed_up = p->ns && m->n_threads > 1 ? (double)other.elapsed_ns / (double)p->ns : 1;
	p->efficiency = p->speed_up / m->n_threads;
out:
	return st;
}

/* All that is drawn, with the growth of work and the edited graph. */
static wn_status
make(struct maker *m, const struct wn_self_check *check, struct wn_prediction *p, wn_err *err)
{
	wn_status st;
	WN_TRY(draw_seeds(m, p, err));
	WN_TRY(draw_costs(m, err));
	set_range(m, check, p);
	WN_TRY(set_bounds(m, p, err));
	set_open(m, p);
	WN_TRY(draw_baselines(m, p, err));
	p->limit = limit_of(&p->result, m->n_threads);
	p->extrapolated = extrapolation(m->s, m->n_threads);
	p->growth = wn_simulation_growth(m->s, m->n_threads);
	p->memory_ratio = wn_cost_memory(&m->s->costs, m->s->p.n_threads, m->n_threads);
out:
	return st;
}

wn_status
wn_predict(const struct wn_simulation *s, const struct wn_self_check *check,
           const struct wn_scenario *scenario, struct wn_prediction *out, wn_err *err)
{
	uint32_t n_threads = scenario->n_threads ? scenario->n_threads : s->p.n_threads;
	struct maker m = {.s = s, .p = &s->p, .scenario = scenario, .n_threads = n_threads};
	struct wn_prediction p = {.n_threads = n_threads};
	struct wn_scenario grown = *scenario;
	struct program edited = {0};
	double *growth = NULL, *alone = NULL;
	wn_status st = WN_OK;
	const char *why = simulation_refuses(&s->p, scenario);
	if (why)
		return wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%s", why);
	bool is_divided = n_threads != s->p.n_threads && is_much(&s->p, s->p.divided_ns);
	if (program_needs_edit(scenario) || is_divided) {
		WN_TRY(program_edit(&s->p, scenario, &edited, err));
		m.p = &edited;
	}
	if (is_divided)
		WN_TRY(program_divide(&edited, err));
	if (n_threads != s->p.n_threads && (why = reason_against(m.p)) != NULL)
		WN_TRY(wn_fail(err, WN_E_ARG, WN_NO_OFFSET, "%s", why));
	if (!scenario->growth) {
		WN_TRY(simulation_growth(s, n_threads, &growth, err));
		WN_TRY(simulation_growth(s, 1, &alone, err));
		grown.growth = growth;
		m.scenario = &grown;
		m.alone = alone;
	}
	WN_TRY(make(&m, check, &p, err));
	*out = p;
out:
	program_fini(&edited);
	wn_free(growth);
	wn_free(alone);
	return st;
}
