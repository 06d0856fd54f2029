# run of a missing program is a usage error
winnow run ./nothing
