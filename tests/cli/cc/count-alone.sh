# options that go with --count, and one that does not
for options in "--footprint --" "--opari --count --"; do
	winnow cc $options clang empty.c 2>&1 || echo "status $?"
done
