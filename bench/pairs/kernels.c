/* SPDX-License-Identifier: MIT */
/*
 * kernels.c - kernels in the manner of the NAS Parallel Benchmarks, small, for bench/predict.sh:
 * their loops have schedule(runtime), so that OMP_SCHEDULE is the change.
 *
 *   cg  sparse matrix times vector, rows of uneven length, and dot products
 *   ep  pairs of random numbers, of which those in a circle count: nothing is shared
 *   is  counting sort of keys by blocks, with a histogram for each block
 *   mg  stencil of 27 points over a grid, plane by plane: bound by memory if it is large
 *   lu  wavefront over blocks of a matrix: a loop over each diagonal
 */
#include "../programs/bench.h"

static uint64_t checksum;

static void
cg(long n, long steps)
{
	double *x = bench_alloc((size_t)n, sizeof *x), *y = bench_alloc((size_t)n, sizeof *y);
	double sum = 0;
	for (long i = 0; i < n; i++)
		x[i] = 1.0 / (double)(i + 1);
	bench_begin();
#pragma omp parallel
	for (long step = 0; step < steps; step++) {
#pragma omp for schedule(runtime)
		for (long i = 0; i < n; i++) {
			long length = 4 + bench_pick((uint64_t)i, 60);
			double value = 0;
			for (long k = 0; k < length; k++)
				value += x[bench_pick((uint64_t)(i * 64 + k), n)] / (double)(k + 1);
			y[i] = value;
		}
#pragma omp for schedule(runtime) reduction(+ : sum)
		for (long i = 0; i < n; i++)
			sum += x[i] * y[i];
	}
	bench_end();
	checksum += (uint64_t)(sum * 1000);
	free(x);
	free(y);
}

static void
ep(long n, long steps)
{
	long inside = 0;
	bench_begin();
#pragma omp parallel for schedule(runtime) reduction(+ : inside)
	for (long i = 0; i < n; i++)
		for (long k = 0; k < steps; k++) {
			uint64_t h = bench_hash((uint64_t)(i * steps + k));
			double a = (double)(h & 0xffffff) / 0xffffff,
			       b = (double)(h >> 40) / 0xffffff;
			inside += a * a + b * b < 1;
		}
	bench_end();
	checksum += (uint64_t)inside;
}

#define KEYS 256

static void
is(long n, long steps)
{
	long blocks = 256, size = n / blocks;
	uint8_t *key = bench_alloc((size_t)n, 1);
	uint32_t(*count)[KEYS] = bench_alloc((size_t)blocks, sizeof *count);
	for (long i = 0; i < n; i++)
		key[i] = (uint8_t)bench_pick((uint64_t)i, KEYS);
	bench_begin();
#pragma omp parallel
	for (long step = 0; step < steps; step++) {
#pragma omp for schedule(runtime)
		for (long b = 0; b < blocks; b++) {
			memset(count[b], 0, sizeof *count);
			for (long i = b * size; i < (b + 1) * size; i++)
				count[b][key[i]]++;
		}
#pragma omp for schedule(runtime)
		for (long k = 0; k < KEYS; k++)
			for (long b = 1; b < blocks; b++)
				count[b][k] += count[b - 1][k];
	}
	bench_end();
	checksum += count[blocks - 1][7];
	free(key);
	free(count);
}

static double
stencil(const double *u, long n, long z, long y, long x)
{
	double sum = 0;
	for (long dz = -1; dz <= 1; dz++)
		for (long dy = -1; dy <= 1; dy++)
			for (long dx = -1; dx <= 1; dx++)
				sum += u[((z + dz) * n + y + dy) * n + x + dx];
	return sum / 27;
}

static void
mg(long n, long steps)
{
	size_t cells = (size_t)n * (size_t)n * (size_t)n;
	double *u = bench_alloc(cells, sizeof *u), *v = bench_alloc(cells, sizeof *v);
	for (size_t i = 0; i < cells; i++)
		u[i] = v[i] = (double)(i % 17);
	bench_begin();
#pragma omp parallel
	for (long step = 0; step < steps; step++) {
		const double *from = step % 2 ? v : u;
		double *to = step % 2 ? u : v;
#pragma omp for schedule(runtime)
		for (long z = 1; z < n - 1; z++)
			for (long y = 1; y < n - 1; y++)
				for (long x = 1; x < n - 1; x++)
					to[(z * n + y) * n + x] = stencil(from, n, z, y, x);
	}
	bench_end();
	checksum += (uint64_t)u[cells / 2];
	free(u);
	free(v);
}

static void
lu(long n, long size)
{
	double *a = bench_alloc((size_t)(n * n), sizeof *a);
	bench_begin();
#pragma omp parallel
	for (long d = 0; d < 2 * n - 1; d++) {
		long first = d < n ? 0 : d - n + 1, last = d < n ? d : n - 1;
#pragma omp for schedule(runtime)
		for (long i = first; i <= last; i++) {
			long j = d - i;
			double value = (i ? a[(i - 1) * n + j] : 1) + (j ? a[i * n + j - 1] : 1);
			for (long k = 0; k < size; k++)
				value = value * 0.999 + 1 / (1 + value);
			a[i * n + j] = value;
		}
	}
	bench_end();
	checksum += (uint64_t)a[n * n - 1];
	free(a);
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(long n, long steps);
	} kernels[] = {{"cg", cg}, {"ep", ep}, {"is", is}, {"mg", mg}, {"lu", lu}};
	struct bench_arg arg[] = {
	    {"kernel", "cg, ep, is, mg, lu", 0, 0, 0, "cg"},
	    {"n", "rows, pairs, keys, planes, blocks", 1000, 4, 1L << 30, NULL},
	    {"steps", "of the kernel; lu: work of a block", 10, 1, 1L << 30, NULL},
	};
	bool is_known = false;
	bench_parse(argc, argv, "Kernels in the manner of the NAS benchmarks.", arg, 3);
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
		if (strcmp(arg[0].text, kernels[i].name) == 0) {
			is_known = true;
			kernels[i].run(arg[1].value, arg[2].value);
		}
	printf("%s %llu\n", arg[0].text, (unsigned long long)checksum);
	return bench_finish(is_known);
}
