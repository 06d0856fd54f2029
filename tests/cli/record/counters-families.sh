# Counters that the kernel has no name for are those of the processor's family, or none
[ "$(uname -m)" = x86_64 ] || { echo "families of x86-64 only"; exit 77; }
for family in skx amd64_fam19h_zen3 nhm; do
	# shellcheck disable=SC2016 # the program's own
	LIBPFM_FORCE_PMU=$family winnow record -o t.winnow --counters PAPI_L2_TCM,L2-references,dcm=papi_l2_dcm,L2_data_references \
		sh -c 'echo "$WINNOW_COUNTERS"' 2> /dev/null || true
done
#= stdout
#| perf:L2_misses=4.2724.0.0.,L2_references=4.e724.0.0.,dcm=4.2124.0.0.,L2_data_references=4.e124.0.0.
#| perf:L2_misses=4.964.0.0.,L2_references=4.ff64.0.0.,dcm=4.864.0.0.,L2_data_references=4.f864.0.0.
#| perf:L2_misses=4.aa24.0.0.,L2_references=4.ff24.0.0.,dcm=ffffffff.0.0.0.,L2_data_references=ffffffff.0.0.0.
