"""The foundation of every flow: the handle of an organization, a batch, whose turn it is."""
