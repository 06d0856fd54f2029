# --version prints one line
winnow --version
