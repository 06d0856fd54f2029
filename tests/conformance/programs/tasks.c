/* SPDX-License-Identifier: MIT */
/* Tasks. */
#include "../../programs/several.h"
#include "../conformance.h"

// construct: task
// expect: explicit_tasks=4 fork_joins=2
// place: task @task=4
PROGRAM(task)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 4; i++) {
#pragma omp task // @task
		work();
	}
	return done();
}

// construct: task, final
// expect: explicit_tasks=6
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
// place: task @task4=1..
PROGRAM(task_final)
{
#pragma omp parallel // @implicit
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task final(1) // @task2
		{
#pragma omp task // @task3
			work();
#pragma omp task // @task4
			work();
		}
	}
	return done();
}

// construct: task, if(0)
// expect: explicit_tasks=4
// place: task @outer=2
// place: task @inner=2
PROGRAM(task_if0)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task if (0) // @outer
		{
#pragma omp task // @inner
			work();
		}
	}
	return done();
}

// construct: task, mergeable and priority
// expect: explicit_tasks=3
// place: implicit @implicit=1..
// place: task @task2=1..
PROGRAM(task_mergeable)
{
#pragma omp parallel // @implicit
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp task mergeable priority(2) // @task2
		work();
	}
	return done();
}

// construct: task, untied
// expect: explicit_tasks=6
// place: task @outer=2
// place: task @inner=2
PROGRAM(task_untied)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task untied // @outer
		{
#pragma omp task untied // @inner
			work();
#pragma omp taskyield
#pragma omp task untied
			work();
#pragma omp taskwait
		}
	}
	return done();
}

// construct: taskyield
// expect: explicit_tasks=3
// place: implicit @implicit=1..
// place: task @task2=1..
PROGRAM(taskyield)
{
#pragma omp parallel // @implicit
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp task // @task2
		{
			work();
#pragma omp taskyield
			work();
		}
	}
	return done();
}

// construct: taskgroup
// expect: explicit_tasks=5
// limit pomp2: fork_joins: taskgroup
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
// place: task @task4=1..
// place: task @task5=1..
// place: task @task6=1..
PROGRAM(taskgroup)
{
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp taskgroup
		{
#pragma omp task // @task2
			{
#pragma omp task // @task3
				work();
#pragma omp task // @task4
				work();
			}
#pragma omp task // @task5
			work();
		}
#pragma omp task // @task6
		work();
	}
	return done();
}

// construct: taskgroup, task_reduction
// expect: explicit_tasks=4
// place: implicit @implicit=1..
// place: task @task2=1..
PROGRAM(taskgroup_reduction)
{
	int sum = 0;
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp taskgroup task_reduction(+ : sum)
		for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : sum) // @task2
			sum += i;
		}
	}
	expect(sum == 6);
	return done();
}

// construct: taskwait depend
// expect: explicit_tasks=2
// events: SYNC_BEGIN depend=1
// limit pomp2: events: depend
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
PROGRAM(taskwait_depend)
{
	int x = 0, y = 0;
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp task depend(out : x) // @task2
		x = 1;
#pragma omp task depend(out : y) // @task3
		y = 1;
#pragma omp taskwait depend(in : x)
		expect(x == 1);
	}
	return done();
}

// construct: task, detach, fulfilled before it ends
// expect: explicit_tasks=2
// events: TASK_FULFILL=1
// limit pomp2: events: detach
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
PROGRAM(detach_early)
{
#pragma omp parallel // @implicit
#pragma omp single
	{
		omp_event_handle_t event;
#pragma omp task detach(event) // @task2
		{
			work();
			omp_fulfill_event(event);
		}
#pragma omp taskwait
#pragma omp task // @task3
		work();
	}
	return done();
}

// construct: task, detach, fulfilled after it ended
// expect: explicit_tasks=2
// events: TASK_FULFILL=1
// limit pomp2: events: detach
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
PROGRAM(detach_late)
{
	static volatile int is_over;
#pragma omp parallel // @implicit
#pragma omp single
	{
		omp_event_handle_t event;
#pragma omp task detach(event) // @task2
		is_over = 1;
#pragma omp task // @task3
		{
			while (!is_over && omp_get_num_threads() > 1) {
#pragma omp taskyield
			}
			omp_fulfill_event(event);
		}
#pragma omp taskwait
	}
	return done();
}

// construct: tasks that make tasks
// expect: explicit_tasks=30
// place: task @task=1..
// place: task @task2=1..
// place: implicit @implicit3=1..
static void
tree(int n)
{
	if (n == 0)
		return;
#pragma omp task // @task
	tree(n - 1);
#pragma omp task // @task2
	tree(n - 1);
#pragma omp taskwait
}

PROGRAM(recursion)
{
#pragma omp parallel // @implicit3
#pragma omp single
	tree(4);
	return done();
}

// construct: task, outliving its parent
// expect: explicit_tasks=6
// place: implicit @implicit=1..
// place: task @task2=1..
// place: task @task3=1..
// place: task @task4=1..
PROGRAM(rogue)
{
#pragma omp parallel // @implicit
#pragma omp single
	for (int i = 0; i < 2; i++) {
#pragma omp task // @task2
		{
#pragma omp task // @task3
			work();
#pragma omp task // @task4
			work();
		}
	}
	return done();
}

// construct: target nowait, a target task
// expect: parallel_regions=1
// place: implicit @implicit=1..
PROGRAM(target_nowait)
{
	int x = 1;
#pragma omp parallel // @implicit
#pragma omp single
	{
#pragma omp target nowait map(tofrom : x) depend(out : x)
		x++;
#pragma omp taskwait
	}
	expect(x == 2);
	return done();
}
