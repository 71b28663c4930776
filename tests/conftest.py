"""Settings for all tests."""

from hypothesis import settings

# No time limit for a single example: a busy machine must not fail a test.
settings.register_profile("tengen", deadline=None)
settings.load_profile("tengen")
