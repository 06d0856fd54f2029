/* SPDX-License-Identifier: MIT */
/* A league is recorded as a region of its own, with a note.
 *
 * // EXPECT: leagues == 1
 * // EXPECT: notes_teams == 1
 * // EXPECT: distributes == 2
 * // EXPECT: iterations == 16
 */
#include "sink.h"

int
main(void)
{
#pragma omp teams num_teams(2)
#pragma omp distribute parallel for
	for (int i = 0; i < 8; i++)
		sink(i);
#pragma omp parallel for
	for (int i = 0; i < 8; i++)
		sink(i);
	return 0;
}
