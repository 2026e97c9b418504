"""What must not leave: secrets, identifiers of people, links and marks, however they are masked."""
