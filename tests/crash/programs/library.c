/* SPDX-License-Identifier: MIT */
/* A library with OpenMP in it: work(n) runs n tasks and returns how many have run. */
int work(int n);

int
work(int n)
{
	int n_done = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task
		{
#pragma omp atomic
			n_done++;
		}
	}
	return n_done;
}
