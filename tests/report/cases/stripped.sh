# Without -g, places are functions and addresses, and the report says why
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cat > sum.c << "END"
static volatile double total[64];
int
main(void)
{
#pragma omp parallel for schedule(dynamic, 8)
	for (int i = 0; i < 64; i++)
		total[i] += i;
	return 0;
}
END
gcc -O1 -fopenmp sum.c -o sum || { echo "gcc cannot compile OpenMP here"; exit 77; }
OMP_NUM_THREADS=2 winnow record -o sum.winnow ./sum 2> /dev/null
winnow report sum.winnow | sed -n "s/.*\(sum has no debug information\).*/\1/p"
rm sum
winnow report sum.winnow | sed -n "s/.*\(sum cannot be read any more\).*/\1/p"
#= stdout
#| sum has no debug information
#| sum cannot be read any more
