"""What our processes tell the library of matrices that numpy stands on."""

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""Our matrices are small: to share a product of them between cores costs more than it takes."""
