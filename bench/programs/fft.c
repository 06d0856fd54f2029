/* SPDX-License-Identifier: MIT */
/*
 * fft.c - discrete Fourier transform of n complex points by halving (decimation in time).
 *
 * A transform longer than `cutoff`: two tasks transform the even and the odd points, taskwait;
 * then the n / 2 butterflies, in tasks of `cutoff` butterflies each when there are more than
 * that, taskwait.  Shorter transforms recurse by plain calls.  Checks: a few frequencies by the
 * definition, and Parseval's theorem.
 */
#include "bench.h"

#include <math.h>

struct point {
	double re;
	double im;
};

static const double pi = 3.14159265358979323846;

static long cutoff;
static long n_total;
static struct point *root; /* [n_total / 2] root[k] = exp(-2 pi i k / n_total) */

static struct point
times(struct point a, struct point b)
{
	struct point p = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};

	return p;
}

/* Butterflies lo..hi-1 of a transform of n points whose halves lie in out. */
static void
combine(struct point *out, long n, long lo, long hi)
{
	long step = n_total / n;

	for (long k = lo; k < hi; k++) {
		struct point even = out[k];
		struct point odd = times(root[k * step], out[k + n / 2]);

		out[k] = (struct point){even.re + odd.re, even.im + odd.im};
		out[k + n / 2] = (struct point){even.re - odd.re, even.im - odd.im};
	}
}

static void
transform_plain(const struct point *in, long stride, struct point *out, long n)
{
	if (n == 1) {
		out[0] = in[0];
		return;
	}
	transform_plain(in, 2 * stride, out, n / 2);
	transform_plain(in + stride, 2 * stride, out + n / 2, n / 2);
	combine(out, n, 0, n / 2);
}

static void
combine_by_tasks(struct point *out, long n)
{
	if (n / 2 <= cutoff) {
		combine(out, n, 0, n / 2);
		return;
	}
	for (long lo = 0; lo < n / 2; lo += cutoff) {
		long hi = lo + cutoff < n / 2 ? lo + cutoff : n / 2;

#pragma omp task firstprivate(out, n, lo, hi)
		{
			count_task();
			combine(out, n, lo, hi);
		}
	}
	count_taskwait();
#pragma omp taskwait
}

static void
transform(const struct point *in, long stride, struct point *out, long n)
{
	if (n <= cutoff) {
		transform_plain(in, stride, out, n);
		return;
	}
#pragma omp task firstprivate(in, stride, out, n)
	{
		count_task();
		transform(in, 2 * stride, out, n / 2);
	}
#pragma omp task firstprivate(in, stride, out, n)
	{
		count_task();
		transform(in + stride, 2 * stride, out + n / 2, n / 2);
	}
	count_taskwait();
#pragma omp taskwait
	combine_by_tasks(out, n);
}

/* Frequency f of the transform, by definition. */
static struct point
frequency(const struct point *in, long n, long f)
{
	struct point sum = {0, 0};

	for (long k = 0; k < n; k++) {
		double angle = -2 * pi * (double)((f * k) % n) / (double)n;
		struct point turned = times(in[k], (struct point){cos(angle), sin(angle)});

		sum.re += turned.re;
		sum.im += turned.im;
	}
	return sum;
}

static double
energy(const struct point *a, long n)
{
	double sum = 0;

	for (long k = 0; k < n; k++)
		sum += a[k].re * a[k].re + a[k].im * a[k].im;
	return sum;
}

static bool
is_transform(const struct point *in, const struct point *out, long n)
{
	double in_energy = energy(in, n), out_energy = energy(out, n) / (double)n;

	for (uint64_t i = 0; i < 5; i++) {
		long f = i == 0 ? 0 : bench_pick(i, n);
		struct point want = frequency(in, n, f);

		if (fabs(want.re - out[f].re) + fabs(want.im - out[f].im) >
		    1e-7 * sqrt(in_energy * (double)n))
			return false;
	}
	return fabs(in_energy - out_energy) <= 1e-9 * in_energy;
}

int
main(int argc, char **argv)
{
	struct bench_arg arg[] = {
	    {"n", "points, a power of two", 1L << 21, 2, 1L << 28, NULL},
	    {"cutoff", "longest transform by plain calls", 4096, 1, 1L << 28, NULL},
	};

	bench_parse(argc, argv, "Fourier transform by recursive tasks.", arg, 2);
	long n = arg[0].value;
	if ((n & (n - 1)) != 0) {
		fprintf(stderr, "%s: n must be a power of two\n", argv[0]);
		return 2;
	}
	struct point *in = bench_alloc((size_t)n, sizeof(*in));
	struct point *out = bench_alloc((size_t)n, sizeof(*out));
	n_total = n;
	cutoff = arg[1].value;
	root = bench_alloc((size_t)n / 2, sizeof(*root));
	for (long k = 0; k < n / 2; k++) {
		double angle = -2 * pi * (double)k / (double)n;

		root[k] = (struct point){cos(angle), sin(angle)};
	}
	for (long k = 0; k < n; k++)
		in[k] = (struct point){(double)bench_pick((uint64_t)k, 2001) / 1000.0 - 1.0,
		                       (double)bench_pick((uint64_t)(k + n), 2001) / 1000.0 - 1.0};

	bench_begin();
#pragma omp parallel
#pragma omp single
	{
#pragma omp task firstprivate(in, out, n)
		{
			count_task();
			transform(in, 1, out, n);
		}
		count_taskwait();
#pragma omp taskwait
	}
	bench_end();
	printf("%ld points, energy %.6f\n", n, energy(out, n) / (double)n);
	bool ok = is_transform(in, out, n);
	free(in);
	free(out);
	free(root);
	return bench_finish(ok);
}
