# Counters that the kernel has no name for are those of the processor's family, or none
[ "$(uname -m)" = x86_64 ] || { echo "families of x86-64 only"; exit 77; }
for family in skx amd64_fam19h_zen3 nhm; do
	# shellcheck disable=SC2016 # the program's own
	LIBPFM_FORCE_PMU=$family winnow record -o t.winnow --counters PAPI_L2_TCM,L2-references,dcm=papi_l2_dcm,L2_data_references \
		sh -c 'echo "$WINNOW_COUNTERS"' 2> /dev/null || true
done
