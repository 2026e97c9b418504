"""What a text claims: dates, sums, measures, names and promises, each found where it stands."""
