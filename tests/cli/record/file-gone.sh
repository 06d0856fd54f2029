# a trace that is deleted, emptied or cut while the program runs: the line at the end does not say complete
cat > ends.c << 'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	int n = 0;
#pragma omp parallel
#pragma omp atomic
	n++;
	if (system(getenv("THEN")) != 0)
		return 1;
	return n == 0;
}
END
gcc -fopenmp -o ends ends.c
THEN='rm t' winnow record -o t ./ends 2> talk
grep -q 't: cannot open: No such file or directory' talk
grep -q 'winnow record: t: the trace file is gone$' talk
THEN='rm u; echo text > u' winnow record -o u ./ends 2> talk
grep -q 'winnow record: u: the trace file is gone$' talk
