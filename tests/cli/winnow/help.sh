# --help lists the verbs on stdout
winnow --help
