# help for an unknown verb is a usage error
winnow help blow
