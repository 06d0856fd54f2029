# Counts of the chunks of a static loop are shares, as their times are, and said to be
command -v clang-14 > /dev/null || { echo "clang-14 is missing"; exit 77; }
printf 'int main(void) {\n#pragma omp parallel for schedule(static, 2)\nfor (int i = 0; i < 12; i++)\n__asm__ volatile("");\nreturn 0; }\n' > loop.c
clang-14 -O1 -g -fopenmp -o loop loop.c || { echo "no OpenMP"; exit 77; }
export OMP_NUM_THREADS=2
winnow record -o plain ./loop > said 2>&1
LD_PRELOAD=$SIMULATED WINNOW_COUNTERS=simulated:more=1 winnow record -o counted ./loop >> said 2>&1
for run in plain counted; do
	winnow report --json $run | grep -o '"chunk times[a-z ]* are each'
done
winnow report --json plain --counts counted | grep -o '"chunk times[a-z ]* are each'
#= stdout
#| "chunk times are each
#| "chunk times and counts are each
#| "chunk times and counts are each
