"""Settings for all tests."""

import signal

from hypothesis import settings

# No time limit for a single example: a busy machine must not fail a test.
settings.register_profile("tengen", deadline=None)
settings.load_profile("tengen")

# A shell starts background jobs with Ctrl-C ignored, and their children inherit that: the tests of Ctrl-C need it back.
signal.signal(signal.SIGINT, signal.default_int_handler)
