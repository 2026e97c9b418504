"""Words of any text: which are alike, what they mean as vectors, in which language they are."""
