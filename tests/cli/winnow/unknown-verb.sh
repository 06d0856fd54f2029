# an unknown verb is a usage error
winnow blow
