/* SPDX-License-Identifier: MIT */
/* A program with a PMPI tool linked into it: the tool sees the calls that it would see alone. */
#include <mpi.h>
#include <stdio.h>

static int n_seen;

int
MPI_Barrier(MPI_Comm comm)
{
	n_seen++;
	return PMPI_Barrier(comm);
}

int
main(int argc, char **argv)
{
	int rank, n = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
#pragma omp atomic
	n++;
	for (int i = 0; i < 5; i++)
		MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("tool %d\n", n_seen);
	MPI_Finalize();
	return n == 0;
}
