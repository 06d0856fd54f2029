# --help lists the verbs on stdout
winnow --help
#= stdout glob
#| usage: winnow VERB*verbs:*run *record *doctor *see winnow(1)
