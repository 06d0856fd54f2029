# an unknown option before the verb is a usage error
winnow --blow record true
