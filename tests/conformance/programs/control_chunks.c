/* SPDX-License-Identifier: MIT */
// construct: for, static, N: chunks that the program tells
// expect: loops=1 chunks=5
// expect ompt: chunks=(T==1)?1:5
// range: 0 9
// place: implicit @implicit=1..
#include "../../../include/winnow/mark.h"
#include "../conformance.h"

int
main(void)
{
#pragma omp parallel // @implicit
	{
		work();
		WINNOW_LOOP_LOWER(20);
		WINNOW_LOOP_INFO(-2, 2);
		WINNOW_LOOP_BEGIN(WINNOW_STATIC);
#pragma omp for schedule(static, 2)
		for (int i = 20; i > 2; i -= 2) {
			WINNOW_CHUNK(i);
			work();
		}
		WINNOW_LOOP_END();
	}
	return done();
}
