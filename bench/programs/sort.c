/* SPDX-License-Identifier: MIT */
/*
 * sort.c - four-way merge sort of integers, with a merge that is itself parallel.
 *
 * A part longer than `sort_cutoff`: four tasks sort its quarters, taskwait, two tasks merge them
 * in pairs, taskwait, a call merges the halves.  A merge longer than `merge_cutoff`: the longer
 * run is cut in its middle, the other where that value belongs, two tasks merge the two sides,
 * taskwait.  Shorter parts are sorted and merged by plain calls; quicksort leaves runs of up to
 * `insertion_cutoff` to insertion sort.  Check: the result is ordered and is a permutation of
 * the input (by a sum of hashes).
 */
#include "bench.h"

typedef uint32_t item;

static long sort_cutoff;
static long merge_cutoff;
static long insertion_cutoff;

static void
insertion_sort(item *a, long n)
{
	for (long i = 1; i < n; i++) {
		item moving = a[i];
		long j = i;

		for (; j > 0 && a[j - 1] > moving; j--)
			a[j] = a[j - 1];
		a[j] = moving;
	}
}

static item
median(item a, item b, item c)
{
	item low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

static void
quick_sort(item *a, long n)
{
	while (n > insertion_cutoff && n > 3) {
		item pivot = median(a[0], a[n / 2], a[n - 1]);
		long i = 0, j = n - 1;

		while (i <= j) {
			while (a[i] < pivot)
				i++;
			while (a[j] > pivot)
				j--;
			if (i <= j) {
				item swap = a[i];

				a[i++] = a[j];
				a[j--] = swap;
			}
		}
		/* Recurse into the shorter side: the depth stays logarithmic. */
		if (j + 1 < n - i) {
			quick_sort(a, j + 1);
			a += i;
			n -= i;
		} else {
			quick_sort(a + i, n - i);
			n = j + 1;
		}
	}
	insertion_sort(a, n);
}

static void
merge_plain(const item *a, long n_a, const item *b, long n_b, item *out)
{
	while (n_a > 0 && n_b > 0) {
		if (*b < *a) {
			*out++ = *b++;
			n_b--;
		} else {
			*out++ = *a++;
			n_a--;
		}
	}
	memcpy(out, n_a > 0 ? a : b, (size_t)(n_a > 0 ? n_a : n_b) * sizeof(*out));
}

/* How many items of the ordered a are less than key. */
static long
rank(const item *a, long n, item key)
{
	long lo = 0;

	while (lo < n) {
		long middle = lo + (n - lo) / 2;

		if (a[middle] < key)
			lo = middle + 1;
		else
			n = middle;
	}
	return lo;
}

static void
merge(const item *a, long n_a, const item *b, long n_b, item *out)
{
	long cut_a, cut_b;

	if (n_a < n_b) {
		merge(b, n_b, a, n_a, out);
		return;
	}
	if (n_a + n_b <= merge_cutoff || n_a < 2) {
		merge_plain(a, n_a, b, n_b, out);
		return;
	}
	cut_a = n_a / 2;
	cut_b = rank(b, n_b, a[cut_a]);
#pragma omp task firstprivate(a, b, out, cut_a, cut_b)
	{
		count_task();
		merge(a, cut_a, b, cut_b, out);
	}
#pragma omp task firstprivate(a, b, out, cut_a, cut_b, n_a, n_b)
	{
		count_task();
		merge(a + cut_a, n_a - cut_a, b + cut_b, n_b - cut_b, out + cut_a + cut_b);
	}
	count_taskwait();
#pragma omp taskwait
}

/* Sorts a[n] in place; room[n] is scratch. */
static void
sort(item *a, item *room, long n)
{
	long start[5];

	if (n <= sort_cutoff || n < 4) {
		quick_sort(a, n);
		return;
	}
	for (int i = 0; i <= 4; i++)
		start[i] = n / 4 * i;
	start[4] = n;
	for (int i = 0; i < 4; i++) {
		long from = start[i], length = start[i + 1] - from;

#pragma omp task firstprivate(a, room, from, length)
		{
			count_task();
			sort(a + from, room + from, length);
		}
	}
	count_taskwait();
#pragma omp taskwait
	for (int i = 0; i < 4; i += 2) {
		long from = start[i], middle = start[i + 1], end = start[i + 2];

#pragma omp task firstprivate(a, room, from, middle, end)
		{
			count_task();
			merge(a + from, middle - from, a + middle, end - middle, room + from);
		}
	}
	count_taskwait();
#pragma omp taskwait
	merge(room, start[2], room + start[2], n - start[2], a);
}

static uint64_t
checksum(const item *a, long n)
{
	uint64_t sum = 0;

	for (long i = 0; i < n; i++)
		sum += bench_hash(a[i]);
	return sum;
}

static bool
is_ordered(const item *a, long n)
{
	for (long i = 1; i < n; i++)
		if (a[i - 1] > a[i])
			return false;
	return true;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"n", "items", 1L << 22, 1, 1L << 30, NULL},
	    {"sort_cutoff", "longest part sorted by plain calls", 1L << 14, 1, 1L << 30, NULL},
	    {"merge_cutoff", "longest merge by plain calls", 1L << 14, 1, 1L << 30, NULL},
	    {"insertion", "longest run for insertion sort", 20, 1, 1L << 20, NULL},
	};

	bench_parse(argc, argv, "Four-way merge sort.", arg, 4);
	long n = arg[0].value;
	item *a = bench_alloc((size_t)n, sizeof(*a));
	item *room = bench_alloc((size_t)n, sizeof(*room));
	sort_cutoff = arg[1].value;
	merge_cutoff = arg[2].value;
	insertion_cutoff = arg[3].value;
	for (long i = 0; i < n; i++)
		a[i] = (item)bench_hash((uint64_t)i);
	uint64_t sum = checksum(a, n);

	bench_begin();
#pragma omp parallel
#pragma omp single
	{
#pragma omp task firstprivate(a, room, n)
		{
			count_task();
			sort(a, room, n);
		}
		count_taskwait();
#pragma omp taskwait
	}
	bench_end();
	printf("%ld items, smallest %u, largest %u\n", n, a[0], a[n - 1]);
	bool ok = is_ordered(a, n) && checksum(a, n) == sum;
	free(a);
	free(room);
	return bench_finish(ok);
}
