# --version prints one line
winnow --version
#= stdout glob
#| winnow [0-9]*.[0-9]*.[0-9]*
