"""The claims of a text: dates, sums, measures, names and promises, each found where it stands."""
