# one of a thing is not called several
cat > one.c <<'END'
#include <stdlib.h>
int main(void) {
#pragma omp parallel num_threads(1)
#pragma omp task
	exit(0);
}
END
gcc -fopenmp -o one one.c
winnow record ./one > /dev/null 2>&1
winnow check one.winnow
