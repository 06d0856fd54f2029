# options that go with --count, and one that does not
for options in "--footprint --" "--opari --count --"; do
	winnow cc $options clang empty.c 2>&1 || echo "status $?"
done
#= stdout
#| winnow cc: --footprint: goes with --count; give both
#| status 2
#| winnow cc: --opari and --count: OPARI2 counts nothing; give one of them
#| status 2
