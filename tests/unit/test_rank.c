/* SPDX-License-Identifier: MIT */
/*
 * test_rank.c - the rank of a process, from environments as the launchers set them and from the
 * processes above it.
 */
#include "job/rank.h"
#include "job/select.h"
#include "tap.h"

#include <string.h>

#define VARIABLES_MAX 16

struct a_case {
	const char *name;
	const char *variables[VARIABLES_MAX];
	const char *ancestors[4]; /* executables, the nearest first */
	const char *words;        /* arguments of the nearest */
	int64_t rank;             /* -1: none */
	int64_t size, local_rank;
	const char *launcher, *key;
};

#define OMPI(rank, size)                                                                           \
	"OMPI_COMM_WORLD_RANK=" rank, "OMPI_COMM_WORLD_SIZE=" size,                                \
	    "OMPI_COMM_WORLD_LOCAL_RANK=" rank, "OMPI_COMM_WORLD_LOCAL_SIZE=" size,                \
	    "PMIX_NAMESPACE=1600454657", "PMIX_RANK=" rank
#define HYDRA(rank, size) "PMI_RANK=" rank, "PMI_SIZE=" size, "MPI_LOCALRANKID=" rank, "PMI_FD=6"
#define SLURM(rank, size, step)                                                                    \
	"SLURM_PROCID=" rank, "SLURM_STEP_NUM_TASKS=" size, "SLURM_LOCALID=" rank,                 \
	    "SLURM_JOB_ID=4242", "SLURM_STEP_ID=" step

static const char proxy[] = "/usr/bin/hydra_pmi_proxy --control-port n1:42077 --rmk user";

static const struct a_case cases[] = {
    {"a program by itself has no rank", {"HOME=/root"}, {"bash"}, "", -1, -1, -1, NULL, ""},
    {"Open MPI", {OMPI("3", "8")}, {"orterun"}, "", 3, 8, 3, "Open MPI", "open-mpi-1600454657"},
    {"Open MPI behind a shell and a daemon",
     {OMPI("3", "8")},
     {"dash", "orted"},
     "",
     3,
     8,
     3,
     "Open MPI",
     "open-mpi-1600454657"},
    {"Open MPI where processes cannot be read",
     {OMPI("3", "8")},
     {NULL},
     "",
     3,
     8,
     3,
     "Open MPI",
     "open-mpi-1600454657"},
    {"Hydra has no id of the job, but a port",
     {HYDRA("1", "2")},
     {"hydra_pmi_proxy"},
     proxy,
     1,
     2,
     1,
     "Hydra",
     "hydra-n1-42077"},
    {"Hydra below a rank of Open MPI: both ranks have its variables",
     {OMPI("0", "1"), HYDRA("1", "2")},
     {"hydra_pmi_proxy", "mpiexec.hydra", "orterun"},
     proxy,
     1,
     2,
     1,
     "Hydra",
     "hydra-n1-42077"},
    {"Open MPI below a rank of Hydra",
     {HYDRA("1", "2"), OMPI("3", "8")},
     {"orterun", "hydra_pmi_proxy"},
     "",
     3,
     8,
     3,
     "Open MPI",
     "open-mpi-1600454657"},
    {"srun", {SLURM("5", "6", "0")}, {"slurmstepd"}, "", 5, 6, 5, "Slurm", "slurm-4242.0"},
    {"srun --mpi=pmi2",
     {SLURM("5", "6", "1"), "PMI_RANK=5", "PMI_SIZE=6", "PMI_JOBID=4242.1"},
     {"slurmstepd"},
     "",
     5,
     6,
     5,
     "Slurm",
     "slurm-4242.1"},
    {"srun --mpi=pmix",
     {SLURM("5", "6", "1"), "PMIX_RANK=5", "PMIX_NAMESPACE=slurm.pmix.4242.1"},
     {"slurmstepd"},
     "",
     5,
     6,
     5,
     "Slurm",
     "slurm-4242.1"},
    {"mpirun in a batch script has the variables of its shell",
     {SLURM("0", "8", "4294967291"), OMPI("3", "8")},
     {"orterun", "bash", "slurmstepd"},
     "",
     3,
     8,
     3,
     "Open MPI",
     "open-mpi-1600454657"},
    {"a daemon of Open MPI that srun has started",
     {SLURM("1", "2", "0"), OMPI("3", "8")},
     {"orted", "slurmstepd"},
     "",
     3,
     8,
     3,
     "Open MPI",
     "open-mpi-1600454657"},
    {"a program in a batch script is no rank",
     {"SLURM_PROCID=0", "SLURM_JOB_ID=4242", "SLURM_NTASKS=8"},
     {"bash", "slurmstepd"},
     "",
     -1,
     -1,
     -1,
     NULL,
     ""},
    {"PMIx alone",
     {"PMIX_RANK=7", "PMIX_NAMESPACE=prterun-n1-77@1"},
     {"prted"},
     "",
     7,
     -1,
     -1,
     "PMIx",
     "pmix-prterun-n1-77-1"},
    {"MVAPICH2",
     {"MV2_COMM_WORLD_RANK=2", "MV2_COMM_WORLD_SIZE=4", "MV2_COMM_WORLD_LOCAL_RANK=0"},
     {"mpispawn"},
     "",
     2,
     4,
     0,
     "MVAPICH2",
     ""},
    {"MVAPICH2 by srun",
     {"MV2_COMM_WORLD_RANK=2", "MV2_COMM_WORLD_SIZE=4", SLURM("2", "4", "3")},
     {"slurmstepd"},
     "",
     2,
     4,
     2,
     "Slurm",
     "slurm-4242.3"},
    {"Cray PALS",
     {"PALS_RANKID=9", "PALS_LOCAL_RANKID=1", "PALS_APID=a-b-c", "PMI_RANK=9", "PMI_SIZE=16"},
     {"palsd"},
     "",
     9,
     16,
     1,
     "Cray PALS",
     "cray-pals-a-b-c"},
    {"Flux",
     {"FLUX_TASK_RANK=4", "FLUX_JOB_SIZE=5", "FLUX_TASK_LOCAL_ID=0", "FLUX_JOB_ID=f2Bk",
      "PMI_RANK=4", "PMI_SIZE=5"},
     {"flux-shell"},
     "",
     4,
     5,
     0,
     "Flux",
     "flux-f2Bk"},
    {"jsrun",
     {"JSM_NAMESPACE_RANK=1", "JSM_NAMESPACE_SIZE=2", "LSB_JOBID=55", "CSM_ALLOCATION_ID=6",
      "PMIX_RANK=1"},
     {NULL},
     "",
     1,
     2,
     -1,
     "jsrun",
     "jsrun-55.6"},
    {"WINNOW_RANK and WINNOW_JOB precede all",
     {OMPI("3", "8"), "WINNOW_RANK=5", "WINNOW_JOB=mine/1"},
     {"orterun"},
     "",
     5,
     8,
     3,
     "Open MPI",
     "mine-1"},
    {"a rank that is no number is none",
     {"OMPI_COMM_WORLD_RANK=x3", "PMI_RANK=-1", "PMIX_RANK=99999999999"},
     {"orterun"},
     "",
     -1,
     -1,
     -1,
     NULL,
     ""},
};

static bool
is_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void
check_case(const struct a_case *c)
{
	struct wn_ancestor ancestors[4] = {0};
	struct wn_rank rank;
	size_t n = 0;
	for (; n < 4 && c->ancestors[n]; n++)
		snprintf(ancestors[n].name, sizeof ancestors[n].name, "%s", c->ancestors[n]);
	snprintf(ancestors[0].words, sizeof ancestors[0].words, "%s", c->words);
	wn_rank_find(c->variables, ancestors, n, &rank);
	int64_t found = rank.is_known ? (int64_t)rank.rank : -1;
	bool is_right = found == c->rank && rank.size == c->size &&
	                rank.local_rank == c->local_rank && is_text(rank.launcher, c->launcher) &&
	                strcmp(rank.key, c->key) == 0;
	if (!ok(is_right, "%s", c->name))
		note("rank %d of %d, local %d, by %s, key %s", (int)found, (int)rank.size,
		     (int)rank.local_rank, rank.launcher ? rank.launcher : "-", rank.key);
}

static void
check_names(void)
{
	char path[64];
	ok(wn_job_is_name("a.winnow.d") && wn_job_is_name("x/a.winnow.d/"),
	   "the suffix names the directory of a job");
	ok(!wn_job_is_name("a.winnow") && !wn_job_is_name(".winnow.d"), "other names are none");
	ok(wn_job_rank_path("d", WN_JOB_TRACE, 17, 0, path, sizeof path) &&
	       strcmp(path, "d/r/000/000017.winnow") == 0,
	   "a trace");
	ok(wn_job_rank_path("d", WN_JOB_MANIFEST, 123456, 2, path, sizeof path) &&
	       strcmp(path, "d/r/123/123456.2.json") == 0,
	   "the manifest of a second restart");
	ok(wn_job_rank_path("d", WN_JOB_SUMMARY, 1000, 0, path, sizeof path) &&
	       strcmp(path, "d/s/001/001000.sum") == 0,
	   "a summary");
	ok(!wn_job_rank_path("d", WN_JOB_TRACE, 17, 0, path, 8) && path[0] == '\0',
	   "a path that does not fit is none");
	ok(wn_rank_is_launcher("/usr/bin/mpirun.mpich") && !wn_rank_is_launcher("./mpirun_me"),
	   "programs that start ranks");
}

static void
check_selection(void)
{
	static const char *const wrong[] = {"",      ",",   "1,", "a",        "3-1",
	                                    "1-2/0", "1/2", "-1", "99999999", "1 2"};
	ok(wn_ranks_contain("0,7,100-110", 7) && wn_ranks_contain("0,7,100-110", 110) &&
	       !wn_ranks_contain("0,7,100-110", 111) && !wn_ranks_contain("0,7,100-110", 1),
	   "numbers and ranges select ranks");
	ok(wn_ranks_contain("0-/16", 32) && !wn_ranks_contain("0-/16", 33) &&
	       wn_ranks_contain("1-9/4", 9) && !wn_ranks_contain("1-9/4", 13),
	   "a step selects a sample");
	ok(wn_ranks_contain(NULL, 5) && wn_ranks_contain("", 5), "without a list all are selected");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ok(!wn_ranks_are_valid(wrong[i]), "'%s' is no list of ranks", wrong[i]);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_case(&cases[i]);
	check_names();
	check_selection();
	return done();
}
