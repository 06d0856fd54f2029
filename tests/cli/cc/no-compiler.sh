# cc wants a compiler
winnow cc
