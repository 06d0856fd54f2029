# a process with numbers of its own is not taken for another one, and one that cannot report is found
for how in '' --mount-proc; do
	unshare -Urpf $how true 2> /dev/null || { echo "no namespaces may be made here"; exit 77; }
done
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t unshare -Urpf sh -c './omp; exit 3' || echo "$?"
winnow record -o t unshare -Urpf --mount-proc sh -c './omp; exit 3' || echo "$?"
winnow dump t | grep -c '^wait-status' || true
unshare -Urpf winnow record -o u ./omp
winnow dump u | grep '^wait-status'
#= stdout
#| sum 55
#| 3
#| sum 55
#| 3
#| 0
#| sum 55
#| wait-status 0
#= stderr glob
#| winnow record: t: * 10 grains, libgomp by wrapping, complete*
#| winnow record: t: * 10 grains, libgomp by wrapping, complete*
#| winnow record: u: * 10 grains, libgomp by wrapping, complete*
