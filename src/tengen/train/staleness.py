"""How old the networks are that play, where games come from afar: a node that was cut off brings games of long ago."""

from __future__ import annotations

from tengen.train.pools import Games


class Staleness:
    """The age of the games of an interval: how many networks came after the one that played them."""

    def __init__(self, most: int) -> None:
        """Knows no games yet.

        Args:
            most: Games of a greater age are not learned from; 0 for no limit.
        """
        self._most = most
        self._games = 0
        self._ages = 0
        self._oldest = 0
        self._too_old = 0

    def add(self, games: Games, network: int) -> bool:
        """Takes games while the network with this number is the newest; returns whether they are to be learned from."""
        if games.origin is None:
            return True
        age = max(0, network - games.origin.network)
        is_too_old = 0 < self._most < age
        self._games += games.origin.games
        self._ages += age * games.origin.games
        self._oldest = max(self._oldest, age)
        self._too_old += games.origin.games if is_too_old else 0
        return not is_too_old

    def take_figures(self) -> dict[str, float]:
        """For the run's log, once: mean and greatest age, and the games that were too old; nothing without games."""
        if not self._games:
            return {}
        figures = {
            "network_age": self._ages / self._games,
            "network_age_most": self._oldest,
            "games_too_old": self._too_old,
        }
        self._games = self._ages = self._oldest = self._too_old = 0
        return figures
