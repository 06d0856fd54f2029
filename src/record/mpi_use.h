/* SPDX-License-Identifier: MIT */
/* mpi_use.h - the use of MPI, for a manifest, from the trace's record of it. */
#pragma once

#include "job/manifest.h"
#include "trace/mpi_names.h"
#include "trace/trace_format.h"

/* Its texts are constants. */
static inline struct wn_mpi_use
wn_mpi_use_of(const struct wn_mpi_record *use)
{
	return (struct wn_mpi_use){
	    .is_used = true,
	    .abi = wn_mpi_abi_name(use->abi),
	    .rank = use->rank,
	    .size = use->size,
	    .required = wn_mpi_level_name(use->required),
	    .provided = wn_mpi_level_name(use->provided),
	    .is_finalized = use->flags & WN_MPI_FINALIZED,
	    .is_aborted = use->flags & WN_MPI_ABORTED,
	    .abort_code = use->abort_code,
	};
}
