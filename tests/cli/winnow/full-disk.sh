# output that cannot be written is a failure
winnow --help > /dev/full
