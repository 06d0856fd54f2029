/* Says whether it is being recorded; marks all the same. Also compiled as C++. */
#include <winnow/mark.h>

#include <stdio.h>

int
main(void)
{
	int sum = 0;

	WINNOW_REGION_BEGIN("all");
#pragma omp parallel reduction(+ : sum)
	{
		winnow_region_begin("team");
		WINNOW_LABEL("thread");
		sum++;
		winnow_region_end();
	}
	WINNOW_REGION_END();
	printf("%s %d %s\n", winnow_is_present() ? "present" : "absent",
	       winnow_control(64, 0, NULL), sum > 0 ? "ran" : "did not run");
	return 0;
}
