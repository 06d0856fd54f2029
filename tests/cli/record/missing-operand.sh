# record without a program is a usage error
winnow record
