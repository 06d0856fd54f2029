/* SPDX-License-Identifier: MIT */
/*
 * support.h - what generated programs call. Nothing here is OpenMP but for the schedule.
 */
#ifndef WN_RANDOM_SUPPORT_H
#define WN_RANDOM_SUPPORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Works for a moment, and adds a hash of both numbers to the sum. */
void rnd_work(int node, unsigned long value);
void rnd_schedule(int kind, int chunk);

/* As in every compiler's omp.h. */
typedef enum omp_event_handle_t { rnd_event_max = UINTPTR_MAX } omp_event_handle_t;

void rnd_fulfill(omp_event_handle_t event);
/* Is this program one of those named on the command line? All are if none is named. */
int rnd_begin(int program, int argc, char **argv);
void rnd_end(int program); /* prints the sum, if it was begun */
int rnd_begin_fortran(int program);

static char rnd_bytes[700] __attribute__((unused)); /* a payload for tasks */

static inline unsigned long
rnd_zero(const char *bytes)
{
	return (unsigned long)(bytes[0] | bytes[699]);
}

#ifdef __cplusplus
}

/* A payload whose copies are made by code. */
struct rnd_class {
	long one, two;
	rnd_class() : one(1), two(2)
	{
	}
	rnd_class(const rnd_class &other) : one(other.one), two(other.two)
	{
	}
	~rnd_class()
	{
		one = two = 77;
	}
	unsigned long
	zero() const
	{
		return one == 1 && two == 2 ? 0 : 1000003;
	}
};
static rnd_class rnd_object __attribute__((unused));
#endif

#endif /* WN_RANDOM_SUPPORT_H */
