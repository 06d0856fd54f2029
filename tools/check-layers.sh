#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-layers.sh [SOURCE] - data flows one way, and so do includes. Reads only #include lines, and
# prints TAP: one line for each folder of src/. That there is no circle: check-circles.sh.
set -eu
cd "${1:-$(dirname "$0")/..}"

# What a folder may include besides itself, include/winnow and the C library.
may_include() {
	case $1 in
	base) ;;
	plugin) echo llvm record ;; # it lives in a compiler; of record the table of what is counted
	trace) echo base ;;
	job) echo base ;; # headers only: it is also compiled into the recorder
	record) echo base job trace ;; # knows no listener but itself: the build names it (events.h)
	ompt) echo base record trace ;;
	count) echo record ;; # its engines live in the emulator and in the program
	expr) echo base ;;
	grains | characterize | picture) echo base ;;
	table) echo base grains ;; # of grains the numbers of kinds and flags
	graph) echo base table trace ;;
	symbols | import) echo base trace ;;
	sharing) echo base record trace ;; # of record the format of the engine's log
	metrics) echo base trace graph expr table ;;
	model) echo base trace graph metrics table ;;
	simulate) echo base trace graph metrics model table ;;
	aggregate | compare | advise) echo base expr table trace graph metrics model simulate aggregate ;;
	instrument | serve) echo base ;;
	ranks) echo base job expr table trace graph metrics model simulate aggregate advise ;;
	report | export) echo base ranks characterize expr table trace graph metrics model simulate aggregate compare advise symbols page picture ;;
	page) echo base expr table trace graph aggregate grains picture ;; # of graph and trace the headers that tree.h needs
	view) echo base ranks characterize expr table trace graph metrics model simulate aggregate compare advise report symbols grains page ;;
	cli) echo sharing job record base ranks characterize expr table trace graph metrics model simulate aggregate compare advise symbols report export serve instrument import grains page view ;;
	*) return 1 ;;
	esac
}

number=0
failed=0
for folder in src/*/; do
	layer=$(basename "$folder")
	number=$((number + 1))
	if ! allowed=$(may_include "$layer"); then
		echo "not ok $number - src/$layer has a place in the order of tools/check-layers.sh"
		failed=1
		continue
	fi
	breaks=$(find "$folder" -name '*.[ch]' -exec \
		awk -v allowed=" $allowed $layer winnow " '
			/^[ \t]*#[ \t]*include[ \t]*"/ {
				split($0, part, "\"")
				if (split(part[2], step, "/") > 1 && !index(allowed, " " step[1] " "))
					print FILENAME ":" FNR ": " part[2]
			}' {} +)
	# what runs in the target links nothing of the library, and the recorder knows no runtime
	if [ "$layer" = record ]; then
		breaks=$breaks$(grep -nE "\.\./|lib_sources" "$folder"meson.build "$folder"*/meson.build "$folder"*/*/meson.build || true)
		breaks=$breaks$(grep -nE '#[ \t]*include "record/sources/' "$folder"*.[ch] || true)
	fi
	# neither engine knows the other, and what both share knows neither
	if [ "$layer" = count ]; then
		breaks=$breaks$(grep -nE '#[ \t]*include "count/(native|qemu)/' "$folder"*.[ch] || true)
		breaks=$breaks$(grep -n 'include "count/native/' "$folder"qemu/*.[ch] || true)
		breaks=$breaks$(grep -n 'include "count/qemu/' "$folder"native/*.[ch] || true)
	fi
	if [ -z "$breaks" ]; then
		echo "ok $number - src/$layer includes only ${allowed:-itself}"
	else
		echo "not ok $number - src/$layer includes only ${allowed:-itself}"
		printf '%s\n' "$breaks" | sed 's/^/# /'
		failed=1
	fi
done
echo "1..$number"
exit "$failed"
