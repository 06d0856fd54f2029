/* A library that marks by itself. */
#include <winnow/mark.h>

void library_work(void);

void
library_work(void)
{
	WINNOW_REGION_BEGIN(LIBRARY_NAME);
	WINNOW_REGION_END();
}
