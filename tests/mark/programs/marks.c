/*
 * Marks of every kind. Prints what the report has to say of them, one fact in each line:
 *
 *     mark NAME COUNT          label NAME GRAINS          unmatched N
 */
#include <winnow/mark.h>

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define NAMES 5000

static volatile double sink;

static void
spin(int n)
{
	double x = 0;
	for (int i = 0; i < n * 100; i++)
		x += i;
	sink = x;
}

static void
nested(int depth)
{
	WINNOW_REGION_BEGIN("nested");
	if (depth > 1)
		nested(depth - 1);
	else
		spin(1);
	WINNOW_REGION_END();
}

/* Each name twice, by different threads, from a buffer that is overwritten. */
static void
many_names(void)
{
#pragma omp parallel for schedule(static, 1) num_threads(2)
	for (int i = 0; i < 2 * NAMES; i++) {
		char name[32];
		snprintf(name, sizeof name, "name %d", i / 2);
		winnow_region_begin(name);
		memset(name, '?', sizeof name - 1);
		winnow_region_end();
	}
	for (int i = 0; i < NAMES; i++)
		printf("mark name %d 2\n", i);
}

static void
long_names(void)
{
	char name[3001];
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	winnow_region_begin(name);
	winnow_region_end();
	name[1000] = '\0';
	printf("mark %s 1\n", name);
	/* the 1000th byte is the middle of a character */
	memset(name, 'y', sizeof name - 1);
	memcpy(name + 998, "\xe2\x82\xac", 3);
	winnow_region_begin(name);
	winnow_region_end();
	name[998] = '\0';
	printf("mark %s 1\n", name);
	winnow_region_begin(NULL);
	winnow_region_end();
	winnow_region_begin("");
	winnow_region_end();
	winnow_label(NULL);
}

static void
labels(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		for (int i = 0; i < 30; i++) {
#pragma omp task firstprivate(i)
			{
				winnow_label("first choice");
				winnow_label(i % 3 ? "two of three" : "one of three");
				spin(10);
			}
		}
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < 20; i++)
			WINNOW_LABEL("chunk");
	}
	printf("label two of three 20\nlabel one of three 10\nlabel chunk 10\n");
}

/* A region that is begun in one task and ended in another is matched if one thread ran both. */
static void
across_tasks(void)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			winnow_region_begin("left open");
#pragma omp barrier
		if (omp_get_thread_num() == 1)
			winnow_region_end();
	}
	printf("mark left open 1\nunmatched 3\n"); /* with that of on_thread() */
}

static void *
on_thread(void *arg)
{
	(void)arg;
	winnow_region_begin("pthread");
	spin(10);
	winnow_region_end();
	winnow_region_end(); /* one too many, where nothing else was */
	return NULL;
}

static void
threads_of_its_own(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, on_thread, NULL) == 0)
		pthread_join(thread, NULL);
	printf("mark pthread 1\n");
}

int
main(void)
{
	winnow_region_begin("before");
	winnow_region_begin("before all"); /* ends before the first construct */
	winnow_region_end();
#pragma omp parallel num_threads(2)
	winnow_region_begin("team"), spin(1), winnow_region_end();
	winnow_region_end();
	printf("mark before 1\nmark team 2\n");
	nested(100);
	printf("mark nested 100\n");
	many_names();
	long_names();
	labels();
	across_tasks();
	threads_of_its_own();
	return winnow_is_present() ? 0 : 3;
}
