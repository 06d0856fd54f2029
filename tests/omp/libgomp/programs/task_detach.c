/* SPDX-License-Identifier: MIT */
/* Detachable tasks: the event handle reaches task and creator, with a copy function too. */
// EXPECT: tasks 2*20+(T>1)*20
// EXPECT: begun 2*20+(T>1)*20
// EXPECT: detach 2*20+(T>1)*20
// EXPECT: taskgroup_waits 20
// EXPECT: fulfills 2*20+(T>1)*20
// EXPECT: notes 0
#include <omp.h>

static int n_bad;

static void
note(int is_bad)
{
	if (is_bad)
#pragma omp atomic
		n_bad++;
}

static void
create(int i)
{
	omp_event_handle_t later, inside, copied, seen = 0, seen_later = 0;
	char array[i];
	array[i - 1] = (char)i;
#pragma omp taskgroup
	{
#pragma omp task detach(inside) if (i % 2)
		omp_fulfill_event(inside);
#pragma omp task detach(copied) firstprivate(array, i) shared(seen)
		{
			note(array[i - 1] != i);
			seen = copied;
			omp_fulfill_event(copied);
		}
		/* a team of one runs the task at once and would wait for the event for ever */
		if (omp_get_num_threads() > 1) {
#pragma omp task detach(later) shared(seen_later)
			seen_later = later;
			omp_fulfill_event(later);
		}
	}
	note(seen != copied || (omp_get_num_threads() > 1 && seen_later != later));
}

int
main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 1; i <= 20; i++)
		create(i);
	return n_bad;
}
