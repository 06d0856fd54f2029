/*
 * Regions that are recorded and regions that are not. Prints how many of each there have to be:
 *
 *     regions N          tasks N          paused N
 *
 * argv[1]: "paused" if recording starts in silence.
 */
#include <winnow/mark.h>

#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile double sink;

static void
spin(int n)
{
	double x = 0;
	for (int i = 0; i < n * 100; i++)
		x += i;
	sink = x;
}

/* Two regions, one in the other where nesting is on; four tasks, each with one of its own. */
static void
work(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		for (int i = 0; i < 4; i++) {
#pragma omp task
			{
				winnow_label("task");
#pragma omp task
				spin(5);
				spin(5);
#pragma omp taskwait
			}
		}
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 4; i++)
			spin(1);
#pragma omp critical
		spin(1);
		if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(2)
			spin(1);
		}
	}
}

static int regions, tasks, paused;

static void
recorded(void)
{
	work();
	regions += 2;
	tasks += 8;
}

static void
not_recorded(void)
{
	work();
	paused += 1;
}

int
main(int argc, char **argv)
{
	omp_set_max_active_levels(2);
	if (argc > 1 && strcmp(argv[1], "paused") == 0) {
		not_recorded();
		winnow_resume();
	}
	recorded();
	winnow_pause();
	winnow_pause();
	not_recorded();
	not_recorded();
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
	for (int i = 0; i < 4; i++)
		spin(1);
#pragma omp parallel num_threads(3) /* a thread more, which has never been recorded */
	spin(1);
	paused += 2;
	winnow_resume();
	recorded();

	/* a region that begins before the pause is recorded to its end, and so is what is in it */
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			winnow_pause();
#pragma omp barrier
#pragma omp task
		spin(1);
		if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
			spin(1);
		}
	}
	regions += 2;
	tasks += 2;
	not_recorded();

	/* one that begins while there is silence is not, to its end */
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			winnow_resume();
#pragma omp barrier
#pragma omp task
		spin(1);
		if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
			spin(1);
		}
	}
	paused += 1;
	recorded();

	winnow_region_begin("whole");
	winnow_pause();
	winnow_region_begin("silent");
	not_recorded();
	winnow_resume();
	winnow_region_begin("inside silent");
	winnow_region_end();
	winnow_region_end();
	winnow_region_end();
	recorded();

	winnow_pause();
#pragma omp teams num_teams(2)
	{
#pragma omp parallel num_threads(2)
		spin(1);
	}
	paused++;
	winnow_resume();
	recorded();
	printf("regions %d\ntasks %d\npaused %d\n", regions, tasks, paused);
	return winnow_is_present() ? 0 : 3;
}
