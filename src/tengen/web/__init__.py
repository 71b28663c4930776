"""The web board: a server of messages and a front end of plain modules."""
