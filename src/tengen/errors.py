"""One family of errors. A person sees the message alone, so each is a sentence that says what was wrong."""


class TengenError(Exception):
    """Anything that Tengen reports on purpose."""


class InputError(TengenError, ValueError):
    """Something that was given to Tengen is not acceptable."""


class SetupError(InputError):
    """A board, rule or parameter that does not exist or is out of range."""


class NotationError(InputError):
    """Text that does not name a point."""


class IllegalMoveError(InputError):
    """A move that the rules do not allow here."""


class GameOverError(IllegalMoveError):
    """A move after the end of the game."""


class PlayerError(TengenError):
    """A player failed while it played: in a match it loses the game."""


class ModelFileError(InputError):
    """A model file that is missing, damaged, foreign, or of another format version."""


class NoNetworkError(ModelFileError):
    """No network is shipped for a rule and a size."""


def describe(error: BaseException) -> str:
    """One line for people: our own errors are sentences already, those of others say what kind they are."""
    text = " ".join(str(error).split())
    return text if isinstance(error, TengenError) and text else f"{type(error).__name__}: {text}".removesuffix(": ")
