/* SPDX-License-Identifier: MIT */
/* Functions whose last act is a construct: compilers jump to the runtime, whose caller is then who
 * called the function. A line that may be named has a comment of the kinds that it may be named
 * for; tail-call.sh reads them. "unsure" is said of places whose line the code does not tell, and
 * of one of the "alike" ones if the compiler has made one call of both.
 */
#include <omp.h>

static volatile long sum;
static omp_lock_t lock;

static __attribute__((noinline)) void
work(int i)
{
	for (int k = 0; k < 500; k++)
		sum += i;
}

__attribute__((noinline)) void
region(void)
{
#pragma omp parallel num_threads(2) /* @implicit */
	work(1);
}

__attribute__((noinline)) void
one_task(void)
{
	work(2);
#pragma omp task /* @task */
	work(3);
}

__attribute__((noinline)) void
by_two_functions(void)
{
	work(4);
	one_task();
}

__attribute__((noinline)) void
take(void)
{
	work(5);
	omp_set_lock(&lock); /* @lock */
}

__attribute__((noinline)) void
give(void)
{
	work(6);
	omp_unset_lock(&lock);
}

__attribute__((noinline)) void
wait_for_all(void)
{
	work(7);
#pragma omp taskwait
}

__attribute__((noinline)) void
either(int is_task)
{ /* @unsure */
	if (is_task) {
#pragma omp task /* @task_or_unsure */
		work(8);
	} else {
		work(9);
#pragma omp taskwait
	}
}

__attribute__((noinline)) void
by_pointer(void)
{
	work(10);
#pragma omp task /* @task_or_unsure */
	work(11);
}

__attribute__((noinline)) void
alike(int is_first)
{
	if (is_first) {
#pragma omp task /* @alike */
		work(14);
	} else {
#pragma omp task /* @alike */
		work(15);
	}
	sum++;
}

static void (*volatile pointer)(void) = by_pointer;
static volatile int yes = 1;

int
main(void)
{
	omp_init_lock(&lock);
	region();
#pragma omp parallel num_threads(2) /* @implicit */
	{
#pragma omp single
		{
			one_task();
			by_two_functions();
			either(yes);
			pointer(); /* @unsure */
			alike(yes);
			alike(!yes);
			wait_for_all();
			work(12);
		}
		take();
		give();
		work(13);
	}
	omp_destroy_lock(&lock);
	return 0;
}
