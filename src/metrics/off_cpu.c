/* SPDX-License-Identifier: MIT */
/*
 * off_cpu.c - the columns of time that is not the program's: off the CPU, in recordings that have
 * the kernel's switch records; in MPI, in those with calls of it; and added by recording, in those
 * that have a calibration.
 */
#include "metrics/columns.h"
#include "metrics/metrics_private.h"

#include "base/error.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

static double
value_of_off_cpu_ns(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	(void)self;
	return m->g->flags[id] & WN_GF_STARTED ? (double)m->g->off_cpu_ns[id] : (double)NAN;
}

static bool
whole_off_cpu_ns(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->off_cpu_ns[id];
	return m->g->flags[id] & WN_GF_STARTED;
}

static double
value_of_mpi_ns(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	(void)self;
	return m->g->flags[id] & WN_GF_STARTED ? (double)m->g->mpi_ns[id] : (double)NAN;
}

static bool
whole_mpi_ns(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->mpi_ns[id];
	return m->g->flags[id] & WN_GF_STARTED;
}

static double
value_of_recording_ns(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	(void)self;
	return m->g->flags[id] & WN_GF_STARTED ? (double)m->g->recording_ns[id] : (double)NAN;
}

static bool
whole_recording_ns(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = m->g->recording_ns[id];
	return m->g->flags[id] & WN_GF_STARTED;
}

static bool
whole_resolution_ns(const struct wn_metrics *m, wn_grain id, uint64_t *out)
{
	*out = metrics_resolution_ns(m->g, id);
	return m->g->flags[id] & WN_GF_STARTED;
}

static double
value_of_resolution_ns(const struct wn_column *self, const struct wn_metrics *m, wn_grain id)
{
	uint64_t ns;
	(void)self;
	return whole_resolution_ns(m, id, &ns) ? (double)ns : (double)NAN;
}

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
	if (m->g->off_cpu_ns) {
		memcpy(m->off_cpu + n, switched, sizeof switched);
		n += SWITCHED_N;
	}
	if (m->g->mpi_ns) {
		memcpy(m->off_cpu + n, in_mpi, sizeof in_mpi);
		n += IN_MPI_N;
	}
	if (m->g->recording_ns) {
		memcpy(m->off_cpu + n, calibrated, sizeof calibrated);
		n += CALIBRATED_N;
	}
	metrics_use_columns(m, m->off_cpu, n);
	return WN_OK;
}
