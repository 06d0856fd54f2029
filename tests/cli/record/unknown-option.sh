# an unknown option is a usage error
winnow record --blow true
