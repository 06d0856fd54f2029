/* SPDX-License-Identifier: MIT */
#include "characterize/scale.h"

#include <math.h>

static bool
is_constant(const double *at, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (at[i] < at[0] || at[i] > at[0])
			return false;
	return true;
}

bool
wn_autoscale(double *at, size_t n, double *mean, double *sd)
{
	long double sum = 0, squares = 0;
	if (n < 2 || is_constant(at, n))
		return false;
	for (size_t i = 0; i < n; i++)
		sum += at[i];
	double middle = (double)(sum / n);
	for (size_t i = 0; i < n; i++)
		squares += ((long double)at[i] - middle) * ((long double)at[i] - middle);
	double spread = (double)sqrtl(squares / (n - 1));
	if (!isfinite(middle) || !isfinite(spread) || !(spread > 0))
		return false;
	for (size_t i = 0; i < n; i++)
		at[i] = (at[i] - middle) / spread;
	*mean = middle;
	*sd = spread;
	return true;
}
