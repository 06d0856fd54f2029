# a damaged ELF file is looked at without harm
cp "$COMPILED/cli-omp.c.gcc" omp
size=$(stat -c %s omp)
for cut in 0 1 16 20 63 64 65 200 1000 "$((size / 2))" "$((size - 1))"; do
	head -c "$cut" omp > cut
	chmod +x cut
	status=0
	winnow doctor ./cut > out || status=$?
	test "$status" -le 1
done
