# Lines of the source are in the data, unless they are to be left out
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
cat > add.c <<'END'
#include <stdio.h>
int main(void)
{
	double sum = 0; /* a line to be found */
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
	for (int i = 0; i < 100; i++)
		sum += i;
	printf("%g\n", sum);
}
END
gcc -g -O1 -fopenmp -o add add.c
winnow record -o add.winnow ./add > record.out 2>&1 || { cat record.out; exit 1; }
winnow view add.winnow -o with.grains > said
winnow view add.winnow --no-source -o without.grains > said
python3 - <<'END'
import json, struct, zlib
for name in 'with.grains', 'without.grains':
    file = open(name, 'rb').read()
    at, n = struct.unpack_from('<QI', file, 24)
    index = json.loads(zlib.decompress(file[at:at + n], -15))
    of = index['excerpts']
    print(name, of and [(e['first_line'], len(e['lines']), e['lines'][3].strip(), e['is_newer']) for e in of])
END
#= stdout
#| with.grains [(1, 9, 'double sum = 0; /* a line to be found */', False)]
#| without.grains None
