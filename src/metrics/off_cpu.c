/* SPDX-License-Identifier: MIT */
/* off_cpu.c - the columns of time that is not the program's: off the CPU, in recordings that have
 * the kernel's switch records; in MPI, in those with calls of it; and added by recording, in those
 * that have a calibration. */
#include "metrics/columns.h"
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

/* The value of a column in grains that have begun. */
#define APART_VALUE(column, ns)                                                                    \
	static bool whole_##column(const struct wn_metrics *m, wn_grain id, uint64_t *out)         \
	{                                                                                          \
		*out = ns;                                                                         \
		return m->g->flags[id] & WN_GF_STARTED;                                            \
	}                                                                                          \
	static double value_of_##column(const struct wn_column *self, const struct wn_metrics *m,  \
	                                wn_grain id)                                               \
	{                                                                                          \
		uint64_t value;                                                                    \
		(void)self;                                                                        \
		return whole_##column(m, id, &value) ? (double)value : (double)NAN;                \
	}

APART_VALUE(off_cpu_ns, m->g->off_cpu_ns[id])
APART_VALUE(mpi_ns, m->g->mpi_ns[id])
APART_VALUE(recording_ns, m->g->recording_ns[id])
APART_VALUE(resolution_ns, metrics_resolution_ns(m->g, id))

#define APART(column, its_unit, bad_side, rule, phrase, sentence)                                  \
	{.name = #column,                                                                          \
	 .unit = its_unit,                                                                         \
	 .title = phrase,                                                                          \
	 .bad = WN_BAD_##bad_side,                                                                 \
	 .fold = WN_FOLD_##rule,                                                                   \
	 .problem = -1,                                                                            \
	 .value = value_of_##column,                                                               \
	 .type = WN_COLUMN_WHOLE,                                                                  \
	 .whole = whole_##column},

static const struct wn_column switched[] = {
#define WN_TABLE_SWITCHED APART
#include "table/columns.def"
};
#define SWITCHED_N (sizeof switched / sizeof *switched)

static const struct wn_column in_mpi[] = {
#define WN_TABLE_MPI APART
#include "table/columns.def"
};
#define IN_MPI_N (sizeof in_mpi / sizeof *in_mpi)

static const struct wn_column calibrated[] = {
#define WN_TABLE_CALIBRATED APART
#include "table/columns.def"
};
#define CALIBRATED_N (sizeof calibrated / sizeof *calibrated)

/* Copies n columns if there are values for them, and returns how many it copied. */
static size_t
add(struct wn_column *to, const uint64_t *values, const struct wn_column *from, size_t n)
{
	if (!values)
		return 0;
	memcpy(to, from, n * sizeof *to);
	return n;
}

wn_status
metrics_off_cpu_add(struct wn_metrics *m, wn_err *err)
{
	size_t n = m->n_columns;
	if (!m->g->off_cpu_ns && !m->g->recording_ns && !m->g->mpi_ns)
		return WN_OK;
	m->off_cpu = wn_calloc(n + SWITCHED_N + IN_MPI_N + CALIBRATED_N, sizeof *m->off_cpu);
	if (!m->off_cpu)
		return wn_no_memory(err);
	memcpy(m->off_cpu, m->columns, n * sizeof *m->off_cpu);
	n += add(m->off_cpu + n, m->g->off_cpu_ns, switched, SWITCHED_N);
	n += add(m->off_cpu + n, m->g->mpi_ns, in_mpi, IN_MPI_N);
	n += add(m->off_cpu + n, m->g->recording_ns, calibrated, CALIBRATED_N);
	metrics_use_columns(m, m->off_cpu, n);
	return WN_OK;
}
