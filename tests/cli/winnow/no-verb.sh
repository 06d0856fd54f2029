# without a verb the usage goes to stderr
winnow
