# What another task makes now, in the same shape and at the same place, has moved: leaves and whole parts
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cat > program.c <<'EOF'
#include <stdlib.h>
static volatile double sink;
static void work(void) { for (int i = 0; i < 2000; i++) sink += i; }
static void leaves(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp task
		work();
	}
#pragma omp taskwait
}
static void part(void)
{
#pragma omp task
	leaves(4);
#pragma omp taskwait
}
int main(int argc, char **argv)
{
	int who = atoi(argv[argc - 1]);
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 4; i++) {
#pragma omp task
		{
			if (i == who)
				leaves(3);
			else if (i == who + 2)
				part();
			work();
		}
	}
	return 0;
}
EOF
gcc -g -O1 -fopenmp program.c -o program 2> /dev/null || { echo "no OpenMP"; exit 77; }
for who in 0 1; do
	winnow record -o $who.winnow ./program $who 2> /dev/null
done
winnow diff --json 0.winnow 1.winnow > diff.json
jq -c '[.structure.is_same, .structure.moved_parts, .grains.only_a, .grains.only_b, .grains.moved], (.groups.moved | sort_by(.a)[] | [.a, .b, .grains])' diff.json
winnow diff --json 1.winnow 0.winnow | jq -c '.groups.moved | sort_by(.a)[] | [.a, .b, .grains]'
winnow diff 0.winnow 1.winnow | grep -c "of which 8 are elsewhere in one of 2 parts with"
#= stdout
#| [false,2,8,8,8]
#| ["P0.s0.1/F0","P0.s0.2/F0",3]
#| ["P0.s0.3/F0","P0.s0.4/F0",5]
#| ["P0.s0.2/F0","P0.s0.1/F0",3]
#| ["P0.s0.4/F0","P0.s0.3/F0",5]
#| 1
