/* SPDX-License-Identifier: MIT */
/* A program without OpenMP. */
#include <stdio.h>

int
main(void)
{
	puts("serial");
	return 0;
}
