"""The environment that holds OpenBLAS, on which numpy stands, to one thread."""

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""Our matrices are small: to share a product of them between cores costs more than it takes."""
