# where a program may have run constructs out of reach, nothing is said of what it did
cat > out-of-reach.c <<'C'
#include <stdlib.h>
int main(void)
{
	unsetenv("WINNOW_OUT");
	unsetenv("WINNOW_BACK");
#pragma omp parallel
	;
	return 0;
}
C
gcc -fopenmp -o out-of-reach out-of-reach.c
winnow record ./out-of-reach
#= stderr glob
#| winnow record: nothing recorded: it links libgomp, but no process reported an OpenMP construct; *
