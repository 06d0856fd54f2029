# what OPARI2 would break is refused with file and line, and nothing is compiled
cat > loop.c <<'C'
int x[9];
int main(void)
{
#pragma omp parallel for simd
	for (int i = 0; i < 9; i++)
		x[i] = i;
}
C
winnow cc --opari -- gcc -fopenmp -c loop.c
#= exit 2
#= stderr
#| winnow cc: loop.c:4: OPARI2 2.0.7 breaks `parallel for ... simd`: put `parallel` and `for simd` on two lines
