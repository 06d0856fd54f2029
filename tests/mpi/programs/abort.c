/* SPDX-License-Identifier: MIT */
/* The last rank calls MPI_Abort(4) after a region; the others wait for it. */
#include <mpi.h>

int
main(int argc, char **argv)
{
	int rank, size, n = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel
#pragma omp atomic
	n++;
	if (rank == size - 1)
		MPI_Abort(MPI_COMM_WORLD, 4);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return n == 0;
}
