/* SPDX-License-Identifier: MIT */
/*
 * rank.h - the rank of a process in its job, from its environment and its ancestors.
 *
 * A launcher below another one inherits the variables of that one, so no fixed order is right: the
 * launcher that is the nearest ancestor counts (launchers.def). MPI itself is not asked here: the
 * layer of record/mpi does that when the program has called MPI_Init.
 */
#pragma once

#include "job/layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WN_RANK_MAX       9999999u /* no larger number is a rank */
#define WN_ANCESTORS_MAX  32u
#define WN_ANCESTOR_BYTES 256u

/* Texts point into the environment. */
struct wn_rank {
	bool is_known;        /* else the process has no rank, and the rest is unknown */
	const char *launcher; /* "Open MPI", "Slurm" ...; NULL = unknown */
	const char *source;   /* the variable that the rank was read from */
	uint32_t rank;        /* from 0, in the whole job */
	int64_t size;         /* ranks of the job; -1 = unknown, as the next two */
	int64_t local_rank;   /* on this node */
	int64_t local_size;
	const char *node; /* as the launcher names it; NULL = unknown */
	const char *job;  /* id; NULL = unknown */
	const char *step;
	char key[WN_JOB_KEY_BYTES]; /* equal in all ranks of a job; "" = unknown */
};

/* A process above this one. */
struct wn_ancestor {
	char name[WN_ANCESTOR_BYTES];  /* of its executable, without the folder */
	char title[WN_ANCESTOR_BYTES]; /* name as `ps` shows it, which may differ */
	char words[WN_ANCESTOR_BYTES]; /* start of its arguments, separated by blanks */
};

/**
 * Finds the rank of a process.
 *
 * Of several launchers whose variables are set, the one that is the nearest ancestor counts, else
 * the first one of launchers.def. WINNOW_RANK precedes all. Slurm's variables count only in a step:
 * a batch script has them, too.
 *
 * The key is WINNOW_JOB if that is set, else the launcher's name and its id of the job and step.
 * Hydra has no such id: its key is the address at which all its proxies reach mpiexec.
 *
 * @param environment  NAME=VALUE texts, NULL-terminated; must outlive `out`.
 * @param ancestors    [n] the nearest first; n may be 0.
 *
 * Cost     O(variables of launchers x length of the environment).  Threads  pure.
 * Oracle   tests/unit/test_rank.c: environments as the launchers set them
 */
void wn_rank_find(const char *const *environment, const struct wn_ancestor *ancestors, size_t n,
                  struct wn_rank *out);

/* wn_rank_find() for the calling process. Reads /proc only if variables of a launcher are set. */
void wn_rank_find_own(struct wn_rank *out);

/* Is it a variable, NAME=VALUE, that ranks or jobs are found by? */
bool wn_rank_uses(const char *variable);

/* Is this the name of a program that starts the ranks of a job: mpirun, srun ...? Folders in front
 * of it are ignored. */
bool wn_rank_is_launcher(const char *program);
