"""What holds for every test."""

from hypothesis import settings

# Machines that run tests are shared: how long an example takes says nothing.
settings.register_profile("postern", deadline=None)
settings.load_profile("postern")
