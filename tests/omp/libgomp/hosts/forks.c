/* SPDX-License-Identifier: MIT */
/* fork() inside a task of a team of one: the child goes on in the middle of it. */
#include <sys/wait.h>
#include <unistd.h>

int
main(void)
{
	int n = 0, status = 0;
	pid_t child = 0;
#pragma omp parallel num_threads(1)
	{
#pragma omp task shared(n, child)
		{
			child = fork();
#pragma omp task shared(n)
			n += child ? 100 : 200;
#pragma omp taskwait
		}
	}
#pragma omp parallel num_threads(1)
	n++;
	if (child == 0)
		return n == 201 ? 5 : 6;
	waitpid(child, &status, 0);
	return !(n == 101 && WIFEXITED(status) && WEXITSTATUS(status) == 5);
}
