"""What every flow stands on: the handle of an organization, a batch, whose turn it is."""
