"""The rules of the house that no other tool holds; `make lint` looks whether they are kept."""
