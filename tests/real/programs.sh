# shellcheck shell=bash disable=SC2034,SC2154,SC2317
# SPDX-License-Identifier: MIT
#
# programs.sh - programs of Debian packages, for tools/try-real.sh: none of them was written for Winnow.
#
# The programs. The function real_NAME sets package, command, and where needed
#   needs    a file to look for (default: the first word of the command)
#   input    a shell function that makes input files in the current folder
#   varies   a sed script that takes out what differs from run to run by right, from text outputs
#   sorted   a pattern of text files whose lines come in any order
#   pixels   a pattern of picture files whose pixels are compared, and not the dates in them
#   ignore   a pattern (bash) of files that are left out of the comparison
#   silent   why no OpenMP is seen in it

noise_image() { # WIDTH HEIGHT: a portable pixmap, the same each time
	awk -v w="$1" -v h="$2" 'BEGIN {
		printf "P3\n%d %d\n255\n", w, h; x = 12345
		for (i = 0; i < w * h; i++) {
			x = (x * 1103 + 12345) % 1048576
			print (i % w) * 255 / w % 256 - (i % w) * 255 / w % 1, int(x / 4096), int(i / w) * 255 / h % 256 - int(i / w) * 255 / h % 1 }
	}'
}

sequences() { # COUNT LENGTH ALPHABET: related sequences, the same each time
	awk -v n="$1" -v len="$2" -v alphabet="$3" 'function next_random(m) { x = (x * 1103 + 12345) % 1048576; return int(x / 16) % m }
	BEGIN {
		x = 4711; k = length(alphabet)
		for (i = 0; i < len; i++) root[i] = substr(alphabet, next_random(k) + 1, 1)
		for (s = 0; s < n; s++) {
			printf ">s%d\n", s
			for (i = 0; i < len; i++) printf "%s", (next_random(10) < 2 + s % 3) ? substr(alphabet, next_random(k) + 1, 1) : root[i]
			print ""
		}
	}'
}

input_image() { noise_image 1200 900 > in.ppm; }
input_small_image() { noise_image 200 150 > in.ppm; }
input_dna() { sequences 200 600 ACGT > in.fa; }
input_protein() { sequences 40 250 ACDEFGHIKLMNPQRSTVWY > in.fa; }
input_many_proteins() { sequences 300 250 ACDEFGHIKLMNPQRSTVWY > in.fa; }

real_imagemagick() {
	package=imagemagick-6.q16
	input=input_image
	command=(convert-im6.q16 in.ppm -colorspace Lab -blur 0x4 -resize '50%' out.ppm)
}

real_graphicsmagick() {
	package=graphicsmagick
	input=input_image
	command=(gm convert in.ppm -blur 0x3 -resize '60%' -unsharp 0x2 out.ppm)
}

real_graphicsmagick-batch() {
	package=graphicsmagick
	input=input_small_image
	varies='s/^.*iter.*user.*total.*$//'
	command=(gm benchmark -iterations 200 convert in.ppm -negate -flip -gamma 1.2 -threshold '50%' out.ppm)
}

openblas_is_silent() { # it opens no region for one thread
	[ "$threads" -gt 1 ] || silent='OpenBLAS has one thread'
}

real_numpy() {
	openblas_is_silent
	package=python3-numpy,libopenblas0-openmp
	needs=/usr/lib/python3/dist-packages/numpy/__init__.py
	command=(/usr/bin/python3 -c '
import numpy
a = (numpy.arange(1000 * 1000) % 977 / 977.0).reshape(1000, 1000)
b = a.T + 1
for i in range(10):
    b = a @ b / 500
print(repr(b.sum()), repr(numpy.linalg.slogdet(b + 1000 * numpy.eye(1000))))
')
}

real_numpy-small() {
	openblas_is_silent
	package=python3-numpy,libopenblas0-openmp
	needs=/usr/lib/python3/dist-packages/numpy/__init__.py
	command=(/usr/bin/python3 -c '
import numpy
a = (numpy.arange(72 * 72) % 97 / 97.0).reshape(72, 72)
b = a.T + 1
for i in range(4000):
    b = a @ b / 36
    if i % 16 == 0:
        b = b / b.max()
print(repr(b.sum()))
')
}

real_numpy-processes() {
	openblas_is_silent
	package=python3-numpy,libopenblas0-openmp
	needs=/usr/lib/python3/dist-packages/numpy/__init__.py
	command=(/usr/bin/python3 -c '
import subprocess, sys
text = "import numpy; a = numpy.arange(250000.0).reshape(500, 500) %% 97; print((a @ a.T + %d).sum())"
children = [subprocess.Popen([sys.executable, "-c", text % k], stdout=subprocess.PIPE) for k in range(3)]
print(*[child.communicate()[0].decode() for child in children])
')
}

real_fftw() {
	package=libfftw3-double3
	needs=/usr/lib/x86_64-linux-gnu/libfftw3_omp.so.3
	command=(/usr/bin/python3 -c '
import ctypes, hashlib
base = ctypes.CDLL("libfftw3.so.3", ctypes.RTLD_GLOBAL)
omp = ctypes.CDLL("libfftw3_omp.so.3", ctypes.RTLD_GLOBAL)
omp.fftw_init_threads()
omp.fftw_plan_with_nthreads('"$threads"')
n = 256
data = (ctypes.c_double * (2 * n * n * 16))(*[i % 977 / 977.0 for i in range(2 * n * n * 16)])
base.fftw_plan_dft_3d.restype = ctypes.c_void_p
plan = base.fftw_plan_dft_3d(16, n, n, data, data, -1, 64)
base.fftw_execute.argtypes = [ctypes.c_void_p]
for i in range(8):
    base.fftw_execute(plan)
print(hashlib.sha256(bytes(data)).hexdigest())
')
}

real_octave() {
	openblas_is_silent
	package=octave,libopenblas0-openmp
	command=(octave-cli --norc --eval 'a = reshape(mod(0:999999, 977) / 977, 1000, 1000); b = a; for i = 1:8, b = a * b / 500; end, printf("%.17g %.17g\n", sum(b(:)), norm(a \ b, 1))')
}

real_data.table() {
	package=r-cran-data.table
	needs=/usr/lib/R/site-library/data.table/libs/data_table.so
	command=(Rscript --vanilla -e '
library(data.table)
setDTthreads('"$threads"', throttle = 1)
d <- data.table(a = (0:1999999 * 7919) %% 10007, b = (0:1999999 * 31) %% 977 / 977)
setorder(d, b, a)
print(d[, .(n = .N, s = sum(b)), by = a][order(a)][1:5])
fwrite(d[1:400000], "out.csv")
print(fread("out.csv")[, sum(b)])
')
}

real_gromacs() {
	package=gromacs
	input=input_gromacs
	ignore='*.log|*.edr|*.cpt|*.xtc'
	varies='/[Tt]ime:/d;/Performance/d;/ns\/day/d;/^ *Core t/d;/starting mdrun/d;/finish at/d;/^GROMACS reminds you/d;/^Process ID/d'
	command=(gmx -quiet mdrun -s topol.tpr -ntmpi 1 -ntomp "$threads" -nb cpu -pin off -reprod -cpt -1)
}
input_gromacs() {
	gmx -quiet solvate -cs spc216.gro -box 4 4 4 -o water.gro > setup.log 2>&1
	local n
	n=$(awk '$1 ~ /SOL$/ && $2 == "OW" || $2 ~ /^OW/ { n++ } END { print n }' water.gro)
	printf '#include "oplsaa.ff/forcefield.itp"\n#include "oplsaa.ff/spce.itp"\n[ system ]\nwater\n[ molecules ]\nSOL %s\n' "$n" > topol.top
	printf 'integrator = md\nnsteps = 400\ndt = 0.001\ncutoff-scheme = Verlet\ncoulombtype = PME\ntcoupl = v-rescale\ntc-grps = System\ntau-t = 0.5\nref-t = 300\ngen-vel = yes\ngen-seed = 1\nld-seed = 1\nnstlog = 200\nnstenergy = 200\nnstxout = 400\n' > md.mdp
	gmx -quiet grompp -f md.mdp -c water.gro -p topol.top -o topol.tpr -maxwarn 5 >> setup.log 2>&1
	rm -f setup.log mdout.mdp
}

real_tesseract() {
	package=tesseract-ocr
	input=input_text
	command=(tesseract page.pgm stdout)
}
input_text() { # the colours of a page: no dates, as other kinds of files carry
	convert-im6.q16 -size 900x260 xc:white -pointsize 32 -font /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf \
		-draw 'text 20,60 "To winnow is to part the grain"' \
		-draw 'text 20,120 "from the chaff, in the wind that"' \
		-draw 'text 20,180 "blows over the threshing floor."' page.pgm
}

real_fasttree() {
	package=fasttree
	input=input_dna
	command=(fasttreeMP -quiet -nt -seed 1 in.fa)
}

real_muscle() {
	package=muscle
	input=input_protein
	command=(muscle -quiet -align in.fa -output out.afa -threads "$threads")
}

real_clustalo() {
	package=clustalo
	input=input_many_proteins
	command=(clustalo -i in.fa -o out.aln --threads="$threads")
}

real_mmseqs() {
	package=mmseqs2
	input=input_many_proteins
	ignore='tmp/*'
	sorted='out.m8'
	varies='/[Tt]ime for/d;/^Tmp/d;/[0-9]s [0-9]*ms/d;/eta/d;s/tmp\/[0-9]*//g'
	command=(mmseqs easy-search in.fa in.fa out.m8 tmp --threads "$threads")
}

real_iqtree() {
	package=iqtree
	input=input_dna
	ignore='*.log|*.gz|*.bionj|*.iqtree'
	varies='/[Tt]ime/d;/^Host/d;/[Ss]econds/d;/[0-9]s)/d;/ sec/d;s/0h:.*$//;/^Kernel/d;/^Date/d'
	command=(iqtree2 -s in.fa -m JC -nt "$threads" -seed 1 -n 2 --quiet)
}

real_enblend() {
	package=enblend
	input=input_mosaic
	pixels='out.tif'
	command=(enblend -o out.tif left.tif right.tif)
}
input_mosaic() {
	noise_image 1400 1000 > in.ppm
	gm convert in.ppm -crop 900x1000+0+0 -matte +page -gravity West -background none -extent 1400x1000 left.tif
	gm convert in.ppm -crop 900x1000+500+0 -matte +page -gravity East -background none -extent 1400x1000 right.tif
	rm in.ppm
}

real_rawtherapee() {
	package=rawtherapee
	command=(rawtherapee-cli -d -q -n -b8 -o out.png -c in.tif)
	input=input_tiff
	varies='/[Tt]ime/d;/ms$/d'
}
input_tiff() {
	noise_image 900 700 > in.ppm
	gm convert in.ppm in.tif
	rm in.ppm
}

real_darktable() {
	package=darktable
	input=input_tiff
	ignore='config/*|cache/*|*.xmp'
	varies='/[0-9]\.[0-9]*s/d;s/^[0-9.]* //'
	pixels='out.png'
	command=(darktable-cli in.tif out.png --core --configdir config --cachedir cache --disable-opencl)
}

real_lammps() {
	package=lammps,lammps-examples
	input=input_lammps
	needs=/usr/share/lammps/examples/melt/in.melt
	silent='links libgomp, but has no styles that use it'
	varies='/^Loop time/d;/^Performance/d;/CPU use/d;/^Pair /d;/^Neigh /d;/^Comm /d;/^Output /d;/^Modify /d;/^Other /d;/wall time/d;/ms.step/d'
	command=(lmp -in in.melt)
}
input_lammps() {
	cp /usr/share/lammps/examples/melt/in.melt .
}

all=(imagemagick graphicsmagick graphicsmagick-batch numpy numpy-small numpy-processes fftw octave data.table
	gromacs tesseract fasttree muscle clustalo mmseqs iqtree enblend rawtherapee darktable
	lammps)
