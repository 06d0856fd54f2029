# A program compiled with -g is reported on by file, line and function
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cat > sum.c << "END"
static volatile double total[64];
static void
fill(void)
{
#pragma omp parallel for schedule(dynamic, 8)
	for (int i = 0; i < 64; i++)
		for (int j = 0; j < 100000; j++)
			total[i] += j;
}
int
main(void)
{
	fill();
	return 0;
}
END
gcc -g -O1 -fopenmp sum.c -o sum || { echo "gcc cannot compile OpenMP here"; exit 77; }
OMP_NUM_THREADS=2 winnow record -o sum.winnow ./sum 2> /dev/null
winnow report sum.winnow | grep -o "sum.c:5  *fill  *chunk  *8 "
#= stdout
#| sum.c:5  fill      chunk          8 
