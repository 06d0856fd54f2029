/* SPDX-License-Identifier: MIT */
/* derive.c - computes the prototype's columns that a file lacks. Results of missing values are
 * missing. */
#include "import/frame.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct derive {
	struct frame *f;
	struct parents k;
	bool has_loops;
	bool is_out_of_memory;
};

static const double *
numbers(const struct derive *d, const char *name)
{
	const struct frame_column *c = frame_find(d->f, name);
	return c ? c->numbers : NULL;
}

/* Adds a column, or returns NULL if the file has it. Addresses of other columns' cells stay valid.
 */
static double *
missing(struct derive *d, const char *name)
{
	if (frame_find(d->f, name))
		return NULL;
	struct frame_column *c = frame_add(d->f, name, WN_CELL_NUMBER, true);
	d->is_out_of_memory |= !c;
	return c ? c->numbers : NULL;
}

static void
add_work(struct derive *d)
{
	const double *exec = numbers(d, "exec_cycles"), *overhead = numbers(d, "overhead_cycles");
	double *work = missing(d, "work_cycles");
	for (size_t row = 0; work && row < d->f->n_rows; row++)
		work[row] = exec[row] - (overhead ? overhead[row] : (double)NAN);
	if (work && !overhead)
		frame_note(d->f, true,
		           "%s:1: no column overhead_cycles: work is not known, and taken to be "
		           "execution time",
		           d->f->path);
	for (size_t row = 0; work && !overhead && row < d->f->n_rows; row++)
		work[row] = exec[row];
}

static void
add_ratios(struct derive *d)
{
	const double *stalls = numbers(d, "PAPI_RES_STL_sum"), *work = numbers(d, "work_cycles");
	const double *count = numbers(d, "ins_count"), *footprint = numbers(d, "mem_fp");
	double *to = stalls ? missing(d, "mem_hier_util") : NULL;
	for (size_t row = 0; to && row < d->f->n_rows; row++)
		to[row] = stalls[row] / work[row];
	to = count && footprint ? missing(d, "compute_int") : NULL;
	for (size_t row = 0; to && row < d->f->n_rows; row++)
		to[row] = count[row] / footprint[row];
}

/* work / (own creation + share per child of the parent's runtime calls beyond creations) */
static void
add_benefit(struct derive *d)
{
	const struct parents *k = &d->k;
	size_t n = d->f->n_rows;
	const double *creation = numbers(d, "creation_cycles"), *work = numbers(d, "work_cycles");
	const double *overhead = numbers(d, "overhead_cycles");
	if (!creation || !overhead)
		return;
	double *parents = missing(d, "parent_overhead_cycles");
	double *sync = missing(d, "sync_cycles_per_child");
	double *benefit = missing(d, "parallel_benefit");
	for (size_t row = 0; parents && row < n; row++)
		parents[row] = k->parent[row] < n ? overhead[k->parent[row]] : (double)NAN;
	for (size_t p = 0; sync && p < n; p++) {
		double sum = 0, of_children = k->first_child[p + 1] - k->first_child[p];
		for (uint32_t i = k->first_child[p]; i < k->first_child[p + 1]; i++)
			sum += creation[k->children[i]];
		for (uint32_t i = k->first_child[p]; i < k->first_child[p + 1]; i++)
			sync[k->children[i]] = (overhead[p] - sum) / of_children;
	}
	const double *share = numbers(d, "sync_cycles_per_child");
	for (size_t row = 0; benefit && share && row < n; row++)
		benefit[row] = work[row] / (creation[row] + share[row]);
}

/* Returns the end of the children, in order, that join where this one does. */
static uint32_t
end_of_siblings(const struct derive *d, size_t parent, uint32_t first, const double *joins)
{
	uint32_t end = first + 1;
	while (end < d->k.first_child[parent + 1] &&
	       !(joins[d->k.children[end]] > joins[d->k.children[first]]))
		end++;
	return end;
}

struct spread {
	double most;
	long double sum;
	size_t n;
};

static void
spread_add(struct spread *s, double value)
{
	s->sum += (long double)value;
	s->most = s->n == 0 || value > s->most || isnan(value) ? value : s->most;
	s->n++;
}

static double
spread_balance(const struct spread *s)
{
	double mean = (double)(s->sum / (long double)s->n);
	return isnan(mean) ? mean : s->most / mean;
}

static void
add_siblings(struct derive *d)
{
	size_t n = d->f->n_rows;
	const double *joins = numbers(d, "joins_at"), *work = numbers(d, "work_cycles");
	double *count = missing(d, "num_siblings");
	double *balance = missing(d, "sibling_work_balance");
	for (size_t p = 0; p <= n; p++) {
		for (uint32_t i = d->k.first_child[p], end; i < d->k.first_child[p + 1]; i = end) {
			struct spread s = {0};
			end = end_of_siblings(d, p, i, joins);
			for (uint32_t j = i; j < end; j++)
				spread_add(&s, work[d->k.children[j]]);
			for (uint32_t j = i; j < end; j++) {
				if (balance)
					balance[d->k.children[j]] = spread_balance(&s);
				if (count)
					count[d->k.children[j]] = end - i;
			}
		}
	}
}

/* Counts pairs in a sorted list that differ by at most x. */
static uint64_t
pairs_within(const double *cpus, size_t n, double x)
{
	uint64_t pairs = 0;
	for (size_t low = 0, high = 0; high < n; high++) {
		while (cpus[high] - cpus[low] > x)
			low++;
		pairs += high - low;
	}
	return pairs;
}

/* Returns the k-th smallest difference, from 1; CPUs are whole numbers. */
static double
nth_difference(const double *cpus, size_t n, uint64_t k)
{
	double low = 0, high = cpus[n - 1] - cpus[0];
	while (low < high) {
		double middle = floor((low + high) / 2);
		if (pairs_within(cpus, n, middle) >= k)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Returns the median difference of CPU numbers, over all pairs. Sorts. */
static double
scatter_of(double *cpus, size_t n)
{
	if (n < 2)
		return (double)NAN;
	for (size_t i = 0; i < n; i++)
		if (!(cpus[i] >= 0) || cpus[i] > UINT32_MAX || cpus[i] > floor(cpus[i]))
			return (double)NAN;
	qsort(cpus, n, sizeof *cpus, wn_compare_double);
	uint64_t pairs = (uint64_t)n * (n - 1) / 2;
	double middle = nth_difference(cpus, n, (pairs + 1) / 2);
	return pairs % 2 ? middle : (middle + nth_difference(cpus, n, pairs / 2 + 1)) / 2;
}

static void
add_scatter(struct derive *d)
{
	size_t n = d->f->n_rows;
	const double *joins = numbers(d, "joins_at"), *cpu = numbers(d, "cpu_id");
	double *scatter = cpu && !d->has_loops ? missing(d, "sibling_scatter") : NULL;
	double *cpus = wn_calloc(n, sizeof *cpus);
	d->is_out_of_memory |= !cpus;
	for (size_t p = 0; cpus && scatter && p <= n; p++) {
		for (uint32_t i = d->k.first_child[p], end; i < d->k.first_child[p + 1]; i = end) {
			end = end_of_siblings(d, p, i, joins);
			for (uint32_t j = i; j < end; j++)
				cpus[j - i] = cpu[d->k.children[j]];
			double value = scatter_of(cpus, end - i);
			for (uint32_t j = i; j < end; j++)
				scatter[d->k.children[j]] = value;
		}
	}
	wn_free(cpus);
}

/* Finds a chunk's loop: its join in the idle task, which is its parent or grandparent. */
static void
add_loops(struct derive *d)
{
	size_t n = d->f->n_rows;
	const struct frame_column *metadata = frame_find(d->f, "metadata");
	const struct frame_column *tag = frame_find(d->f, "tag");
	const double *joins = numbers(d, "joins_at");
	double *to = missing(d, "idle_join");
	for (size_t row = 0; to && row < n; row++) {
		uint32_t p = d->k.parent[row];
		const char *parent_tag = p < n ? frame_text_at(d->f, tag, p) : NULL;
		to[row] = joins[row];
		if (!is_chunk(frame_text_at(d->f, metadata, row)))
			continue;
		if (!parent_tag || strcmp(parent_tag, "idle_task") != 0)
			to[row] = p < n ? joins[p] : (double)NAN;
	}
}

struct chunk {
	double loop, cpu, first;
	uint32_t row;
};

static int
by_loop_and_cpu(const void *left, const void *right)
{
	const struct chunk *a = left, *b = right;
	int order = (a->loop > b->loop) - (a->loop < b->loop);
	order = order ? order : (a->cpu > b->cpu) - (a->cpu < b->cpu);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

static int
by_loop_and_first(const void *left, const void *right)
{
	const struct chunk *a = left, *b = right;
	int order = (a->loop > b->loop) - (a->loop < b->loop);
	return order ? order : (a->first > b->first) - (a->first < b->first);
}

/* max / mean of the sums per CPU. CPUs without a chunk do not count. */
static double
cpu_balance(double *sums, size_t n)
{
	struct spread s = {0};
	qsort(sums, n, sizeof *sums, wn_compare_double);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || sums[i] > sums[i - 1] || isnan(sums[i]))
			spread_add(&s, sums[i]);
	return spread_balance(&s);
}

static void
balance_loop(struct derive *d, struct chunk *chunks, size_t n, double *sums, double *balance,
             double *cpu_sum, double *cpu_of)
{
	const double *work = numbers(d, "work_cycles");
	struct spread all = {0};
	size_t n_sums = 0;
	for (size_t i = 0, end; i < n; i = end) {
		long double sum = 0;
		for (end = i; end < n && !(chunks[end].cpu > chunks[i].cpu); end++) {
			spread_add(&all, work[chunks[end].row]);
			sum += (long double)work[chunks[end].row];
		}
		for (size_t j = i; cpu_sum && j < end; j++)
			cpu_sum[chunks[j].row] = (double)sum;
		sums[n_sums++] = (double)sum;
	}
	double even = cpu_balance(sums, n_sums);
	for (size_t i = 0; i < n; i++) {
		if (balance)
			balance[chunks[i].row] = spread_balance(&all);
		if (cpu_of)
			cpu_of[chunks[i].row] = even;
	}
}

/* Two chunks of a loop that begin at the same iteration indicate a mix of two runs. */
static wn_status
check_chunks(struct derive *d, struct chunk *chunks, size_t n, wn_err *err)
{
	const struct frame *f = d->f;
	qsort(chunks, n, sizeof *chunks, by_loop_and_first);
	for (size_t i = 1; i < n; i++)
		if (!by_loop_and_first(&chunks[i - 1], &chunks[i]) && !isnan(chunks[i].first))
			return wn_fail(
			    err, WN_E_FORMAT, WN_NO_OFFSET,
			    "%s:%u: two chunks of loop %.0f begin at iteration %.0f (the "
			    "other on line %u); a file must hold one run",
			    f->path, f->line[chunks[i].row], chunks[i].loop, chunks[i].first,
			    f->line[chunks[i - 1].row]);
	return WN_OK;
}

static wn_status
add_chunks(struct derive *d, wn_err *err)
{
	size_t n = 0;
	const struct frame_column *metadata = frame_find(d->f, "metadata");
	const double *cpu = numbers(d, "cpu_id"), *loop = numbers(d, "idle_join");
	struct chunk *chunks = wn_calloc(d->f->n_rows, sizeof *chunks);
	double *sums = wn_calloc(d->f->n_rows, sizeof *sums);
	wn_status st = WN_OK;
	if (!chunks || !sums || !loop) {
		d->is_out_of_memory |= !chunks || !sums;
		goto out;
	}
	for (uint32_t row = 0; row < d->f->n_rows; row++) {
		const char *text = frame_text_at(d->f, metadata, row);
		double first;
		if (!is_iteration_chunk(text))
			continue;
		const char *begin = text + strlen("chunk_");
		if (!cell_number(begin, strcspn(begin, "_"), &first))
			first = (double)NAN;
		chunks[n++] = (struct chunk){loop[row], cpu ? cpu[row] : 0, first, row};
	}
	WN_TRY(check_chunks(d, chunks, n, err));
	double *balance = missing(d, "chunk_work_balance");
	double *cpu_sum = cpu ? missing(d, "chunk_work_cpu") : NULL;
	double *cpu_of = cpu ? missing(d, "chunk_work_cpu_balance") : NULL;
	if (n)
		qsort(chunks, n, sizeof *chunks, by_loop_and_cpu);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && !(chunks[end].loop > chunks[i].loop); end++)
			;
		balance_loop(d, chunks + i, end - i, sums, balance, cpu_sum, cpu_of);
	}
out:
	wn_free(chunks);
	wn_free(sums);
	return st;
}

static void
add_leaves(struct derive *d)
{
	size_t n = d->f->n_rows;
	double *count = missing(d, "num_children");
	for (size_t row = 0; count && row < n; row++)
		count[row] = d->k.first_child[row + 1] - d->k.first_child[row];
	double *leaf = missing(d, "leaf");
	for (size_t row = 0; leaf && row < n; row++)
		leaf[row] = d->k.first_child[row + 1] == d->k.first_child[row];
}

struct ending {
	double cpu, end;
	uint32_t row;
};

static int
by_cpu_then_late(const void *left, const void *right)
{
	const struct ending *a = left, *b = right;
	int order = (a->cpu > b->cpu) - (a->cpu < b->cpu);
	return order ? order : (a->end < b->end) - (a->end > b->end);
}

static void
add_last(struct derive *d)
{
	size_t n = d->f->n_rows, n_known = 0;
	const double *cpu = numbers(d, "cpu_id"), *end = numbers(d, "exec_end_instant");
	double *last = cpu && end ? missing(d, "last_to_finish") : NULL;
	struct ending *all = last ? wn_calloc(n, sizeof *all) : NULL;
	if (!last || !all) {
		d->is_out_of_memory |= last != NULL;
		return;
	}
	for (uint32_t row = 0; row < n; row++)
		if (!isnan(cpu[row]) && !isnan(end[row]))
			all[n_known++] = (struct ending){cpu[row], end[row], row};
	if (n_known)
		qsort(all, n_known, sizeof *all, by_cpu_then_late);
	double best = 0;
	for (size_t i = 0; i < n_known; i++) {
		if (i == 0 || all[i].cpu > all[i - 1].cpu)
			best = all[i].end;
		last[all[i].row] = !(all[i].end < best);
	}
	wn_free(all);
}

wn_status
frame_derive(struct frame *f, wn_err *err)
{
	struct derive d = {.f = f, .has_loops = frame_has_loops(f)};
	wn_status st;
	WN_TRY(parents_make(f, &d.k, err));
	static void (*const steps[])(struct derive *) = {
	    add_leaves, add_work, add_ratios, add_benefit, add_siblings, add_scatter, add_last};
	for (size_t i = 0; i < sizeof steps / sizeof *steps && !d.is_out_of_memory; i++)
		steps[i](&d);
	if (d.has_loops && !d.is_out_of_memory) {
		add_loops(&d);
		WN_TRY(add_chunks(&d, err));
	}
	if (d.is_out_of_memory)
		st = wn_no_memory(err);
out:
	parents_fini(&d.k);
	return st;
}
