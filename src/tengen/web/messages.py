"""The messages between page and server, one class each; the only place that says what they look like.

Points are text as players write them ("h8"). Values and win rates belong to black unless a field says otherwise, so
that a chart or a bar needs no knowledge of whose turn it was. Every request has an `id` that its answers repeat.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from tengen.board import RULES, ColorName, RuleName
from tengen.explain import CHAPTER_MOVES, MAX_SIDE, EvaluatorName
from tengen.explain import Kind as StepKind
from tengen.review import PLAYOUTS
from tengen.thinking.levels import LEVELS
from tengen.threats import Kind
from tengen.web import limits

PointText: TypeAlias = Annotated[str, Field(pattern=r"^[a-z][1-9][0-9]?$")]
Size: TypeAlias = Annotated[int, Field(ge=limits.MIN_SIZE, le=limits.MAX_SIZE)]
PuzzleName: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{10}$")]
Secret: TypeAlias = Annotated[str, Field(pattern=r"^[\w-]{16,64}$")]
Proof: TypeAlias = Literal["win", "loss", "draw"]
ErrorCode: TypeAlias = Literal["malformed", "large", "illegal", "busy", "internal"]


class Message(BaseModel):
    """The base of all messages: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Game(Message):
    """A game up to the position that is meant."""

    size: Size = 15
    rule: RuleName = "freestyle"
    moves: list[PointText] = Field(default_factory=list, max_length=limits.MAX_MOVES)


class MistakeCounts(Message):
    """How many mistakes of each kind somebody made in a game."""

    inaccuracies: int = Field(ge=0, le=limits.MAX_MOVES)
    mistakes: int = Field(ge=0, le=limits.MAX_MOVES)
    blunders: int = Field(ge=0, le=limits.MAX_MOVES)


class TreeNode(Message):
    """A move of a game with variations, which is a list of these: each after the one it follows, the main line first.

    The first entry is the empty board: it has no parent and no move.
    """

    parent: int | None = Field(None, ge=0, description="Index of the entry that it follows.")
    move: PointText | None = None
    comment: str = ""


# -- from the page


class Request(Message):
    """The base of all requests."""

    id: int = Field(ge=0, le=2**53)


class StateRequest(Request):
    """Asks for the facts of a position."""

    type: Literal["state"] = "state"
    game: Game


class ThinkRequest(Request):
    """Asks for a move of a level, or for a hint; the first answer on the WebSocket is the state of the position."""

    type: Literal["think"] = "think"
    game: Game
    level: float = Field(
        5, ge=min(LEVELS), le=max(LEVELS), description="0 tries to lose; from 1 on there are levels between the levels."
    )
    purpose: Literal["move", "hint"] = "move"
    network: str | None = Field(None, max_length=300, description="One of those that `networks` lists.")
    seed: int | None = Field(
        None,
        ge=0,
        le=2**53,
        description="The same position, level and seed give the same move; by chance if not given.",
    )


class AnalyseRequest(Request):
    """Asks for analysis until it is stopped; answers come several times a second."""

    type: Literal["analyse"] = "analyse"
    game: Game
    best: int = Field(5, ge=1, le=limits.MAX_CANDIDATES)
    equal: bool = Field(False, description="Search the best moves equally, until it is stopped; only on the WebSocket.")
    playouts: int = Field(
        limits.MAX_ANALYSIS_PLAYOUTS,
        ge=1,
        le=limits.MAX_ANALYSIS_PLAYOUTS,
        description=f"Over HTTP {limits.MAX_ASKED_PLAYOUTS:,} at most, and where none are named.",
    )


class ReviewRequest(Request):
    """Asks for a verdict on every position of a game; one answer for each."""

    type: Literal["review"] = "review"
    game: Game
    playouts: int = Field(PLAYOUTS, ge=1, le=limits.MAX_REVIEW_PLAYOUTS)
    first: int = Field(0, ge=0, le=limits.MAX_MOVES, description="Moves before the first position that is judged.")


class SolveRequest(Request):
    """Asks for a forced win of the side to move."""

    type: Literal["solve"] = "solve"
    game: Game
    kind: Kind = "auto"


class ThreatsRequest(Request):
    """Asks for the shapes that both colours have or could make."""

    type: Literal["threats"] = "threats"
    game: Game


class OpeningRequest(Request):
    """Asks for the state of an opening procedure, after one more action if there is one.

    `records` is what the last answer said; empty begins. `computer` acts by itself when it is its turn.
    """

    type: Literal["opening"] = "opening"
    procedure: str = Field(max_length=20)
    size: Size = 15
    rule: RuleName = "freestyle"
    records: list[dict[str, Any]] = Field(default_factory=list, max_length=40)
    action: dict[str, Any] | None = None
    computer: Literal["first", "second"] | None = None


class ImportRequest(Request):
    """Asks to read a game, pos, PSQ or SGF: from its text, or from the bytes of a file in any encoding."""

    model_config = ConfigDict(val_json_bytes="base64", ser_json_bytes="base64")
    type: Literal["import"] = "import"
    text: str = ""
    data: bytes = Field(b"", description="The bytes of a file in Base64, instead of `text`.")
    rule: RuleName = "freestyle"
    size: Size = 15


class ExportRequest(Request):
    """Asks for a game as text."""

    type: Literal["export"] = "export"
    game: Game
    format: Literal["pos", "psq", "sgf"]
    tree: list[TreeNode] = Field(
        default_factory=list,
        description="For SGF: the game with its variations and comments, instead of the moves of `game`.",
    )
    winner: ColorName | None = Field(None, description="Where somebody resigned or ran out of time.")


class WatchRequest(Request):
    """Asks for the curves and latest games of a training run; without a name, of the one that was active last."""

    type: Literal["watch"] = "watch"
    run: str | None = Field(None, max_length=200)


class ExplainRequest(Request):
    """Asks for a small tree search with all of its steps, for people who want to see how one works."""

    type: Literal["explain"] = "explain"
    size: int = Field(3, ge=3, le=MAX_SIDE)
    n_in_row: int = Field(3, ge=3, le=MAX_SIDE)
    moves: list[PointText] = Field(
        default_factory=lambda: list(CHAPTER_MOVES), max_length=MAX_SIDE**2, description="Before the search."
    )
    playouts: int = Field(3, ge=1, le=limits.MAX_EXPLAINED_PLAYOUTS)
    evaluator: EvaluatorName = Field(
        "chapter",
        description="Judges the leaves: by a textbook's numbers, by a random game, or all the same.",
    )
    c_puct: float = Field(5.0, ge=0, le=1000, description="Weight of moves that were seldom visited.")
    seed: int = Field(1, ge=0, le=2**53, description="Of the random games.")


class NetworksRequest(Request):
    """Asks which networks of training runs can be played against."""

    type: Literal["networks"] = "networks"


class PuzzleRequest(Request):
    """Asks for a puzzle that is about as hard as a person is strong."""

    type: Literal["puzzle"] = "puzzle"
    rule: RuleName = "freestyle"
    rating: float = Field(1200.0, ge=0, le=4000, description="Of the person.")
    seen: list[PuzzleName] = Field(default_factory=list, max_length=limits.MAX_SEEN_PUZZLES)


class AttemptRequest(Request):
    """Asks for a verdict on the last move of an attempt at a puzzle, or for its next move."""

    type: Literal["attempt"] = "attempt"
    game: Game = Field(description="The position of the puzzle.")
    goal: Literal["win", "save"]
    name: PuzzleName | None = Field(None, description="Of a shipped puzzle; the solvers alone judge others.")
    played: list[PointText] = Field(
        default_factory=list, max_length=limits.MAX_MOVES, description="Moves of both sides since then."
    )
    hint: bool = False


class OpeningsRequest(Request):
    """Asks which openings there are to browse."""

    type: Literal["openings"] = "openings"
    rule: RuleName = "freestyle"


class ExploreRequest(Request):
    """Asks what the book of openings knows of a position."""

    type: Literal["explore"] = "explore"
    game: Game


class TheoryRequest(Request):
    """Asks what is proven of a position."""

    type: Literal["theory"] = "theory"
    game: Game


class KeepRequest(Request):
    """Asks to keep a finished game in the library of the computer that serves the board; only from there."""

    type: Literal["keep"] = "keep"
    game: Game
    black: str = Field("", max_length=100)
    white: str = Field("", max_length=100)
    result: Literal["black", "white", "draw"]


class NoteRequest(Request):
    """Asks to keep what a review found of a game in the library; only from the computer that serves the board."""

    type: Literal["note"] = "note"
    number: int = Field(ge=0, le=2**53)
    black: MistakeCounts
    white: MistakeCounts


class LibraryRequest(Request):
    """Asks for games of the library, the latest first; only from the computer that serves the board."""

    type: Literal["library"] = "library"
    text: str = Field("", max_length=1000, description="Part of a name, or the first moves.")
    rule: RuleName | None = None
    result: Literal["black", "white", "draw"] | None = None
    offset: int = Field(0, ge=0, le=2**31)
    delete: int | None = Field(None, ge=0, le=2**53, description="A game to take out first.")


class HostRequest(Request):
    """Asks for a room in which two people can play; whoever asks has the first seat."""

    type: Literal["host"] = "host"
    size: Size = 15
    rule: RuleName = "freestyle"
    minutes: float = Field(0, ge=0, le=limits.MAX_MINUTES, description="For each player; 0 for no clock.")
    color: ColorName = "black"


class JoinRequest(Request):
    """Comes into a room: to a seat by its key, to the free one, or to look on. There is an answer for every change."""

    type: Literal["join"] = "join"
    room: Secret
    seat: Secret | None = None


class ActRequest(Request):
    """What one who plays does: moves, resigns, says that time is up, or wants another game."""

    type: Literal["act"] = "act"
    room: Secret
    seat: Secret
    action: Literal["move", "resign", "time", "rematch"]
    move: PointText | None = None
    ply: int = Field(0, ge=0, le=limits.MAX_MOVES, description="Moves before this one, so that none is played twice.")


class StopRequest(Request):
    """Ends the search of the request `id` with what it has; `discard` asks for no answer."""

    type: Literal["stop"] = "stop"
    discard: bool = False


AnyRequest: TypeAlias = Annotated[
    StateRequest
    | ThinkRequest
    | AnalyseRequest
    | ReviewRequest
    | SolveRequest
    | ThreatsRequest
    | OpeningRequest
    | ImportRequest
    | ExportRequest
    | WatchRequest
    | ExplainRequest
    | NetworksRequest
    | PuzzleRequest
    | AttemptRequest
    | OpeningsRequest
    | ExploreRequest
    | TheoryRequest
    | KeepRequest
    | NoteRequest
    | LibraryRequest
    | HostRequest
    | JoinRequest
    | ActRequest
    | StopRequest,
    Field(discriminator="type"),
]
_REQUEST: TypeAdapter[Any] = TypeAdapter(AnyRequest)
REQUEST_TYPES = [kind.model_fields["type"].default for kind in get_args(get_args(AnyRequest)[0])]
ONLY_ON_THE_WEBSOCKET = (
    ReviewRequest,
    KeepRequest,
    NoteRequest,
    LibraryRequest,
    HostRequest,
    JoinRequest,
    ActRequest,
    StopRequest,
)


def read_request(text: str | bytes) -> Any:
    """A message of a page or a program, just as it is described: true is no number, and neither is "5"."""
    return _REQUEST.validate_json(text, strict=True)


# -- from the server


class Result(Message):
    """How a game ended."""

    winner: ColorName | None
    reason: Literal["five", "forbidden", "draw"]
    line: list[str]


class Forbidden(Message):
    """A point that black must not play."""

    point: str
    reason: str


class OpeningName(Message):
    """One of the 26 openings of renju."""

    number: str
    name: str
    chinese: str


class State(Message):
    """The facts of a position."""

    turn: ColorName
    result: Result | None
    forbidden: list[Forbidden]
    opening: OpeningName | None = None


class CandidateInfo(Message):
    """One move as the search sees it."""

    move: str
    visits: int
    win_rate: float = Field(description="Of the side to move, 0 to 1.")
    prior: float
    proof: Proof | None
    line: list[str]


class Thought(Message):
    """What a search knows at one moment."""

    win_rate: float = Field(description="Of black, 0 to 1.")
    proof: Proof | None = Field(description="For the side to move.")
    playouts: int
    seconds: float
    depth: int
    candidates: list[CandidateInfo]


class ProcedureInfo(Message):
    """A way to begin a game that is fair to both sides."""

    name: str
    rule: str = Field(description="That it belongs to.")
    smallest: int = Field(description="The least size of the board.")


class Hello(Message):
    """The first message on every connection."""

    type: Literal["hello"] = "hello"
    version: str
    server: str = Field(description="Changes when the server starts again.")
    levels: list[int] = Field(description="From the weakest to the strongest.")
    elos: list[float] = Field(description="Strength of the levels, as measured in freestyle on 15x15.")
    requests: list[str] = Field(description="The types of requests that are answered.")
    rules: list[RuleName] = Field(default_factory=lambda: list(RULES))
    formats: list[str]
    procedures: list[ProcedureInfo]
    min_size: int = limits.MIN_SIZE
    max_size: int = limits.MAX_SIZE
    max_nodes: int = Field(default=limits.MAX_NODES, description="Moves of a game with its variations.")
    max_record_bytes: int = Field(default=limits.MAX_RECORD_BYTES, description="Of a game as a file, in UTF-8.")
    max_message_bytes: int = Field(default=limits.MAX_MESSAGE_BYTES, description="Of a request; a longer one hangs up.")


class Answer(Message):
    """The base of all answers."""

    id: int


class StateAnswer(Answer):
    """Answers `state`."""

    type: Literal["state"] = "state"
    state: State


class Progress(Answer):
    """How far a search is; `share` is 0 to 1."""

    type: Literal["progress"] = "progress"
    share: float
    thought: Thought | None = None


class MoveAnswer(Answer):
    """Answers `think`; `state` is the position after the move."""

    type: Literal["move"] = "move"
    purpose: Literal["move", "hint"]
    move: str
    thought: Thought
    within: int | None = Field(
        None, description="By theory, where the win is proven: moves of the winner up to the five, at most."
    )
    state: State


class AnalysisAnswer(Answer):
    """One moment of an analysis."""

    type: Literal["analysis"] = "analysis"
    thought: Thought
    heat: dict[str, float] = Field(description="What the evaluator thought of the moves before the search.")
    done: bool
    ended: Literal["stopped", "solved", "only-move", "playouts", "time", "memory"] | None = Field(
        None, description="Why it is done; `memory`: this tree is full, or the trees of all pages together are."
    )


class ReviewAnswer(Answer):
    """The verdict on the position after `ply` moves, and on the move that led there."""

    type: Literal["review"] = "review"
    ply: int
    total: int
    done: bool
    win_rate: float = Field(description="Of black, 0 to 1.")
    line: list[str] = Field(description="The best move here and the expected continuation; empty at the end.")
    forced: Literal["vcf", "vct"] | None = Field(description="The kind of forced win that the side to move has.")
    shape: str | None = Field(description="What the move made that led here, as `threats` names it.")
    loss: float = Field(description="Win rate that the move gave away, 0 to 1.")
    mistake: Literal["blunder", "mistake", "inaccuracy"] | None
    missed: Literal["vcf", "vct"] | None = Field(description="The kind of forced win that the move let go.")
    theory: bool = Field(False, description="Whether it is proven who wins here.")
    better: list[str] = Field(description="For a mistake: the best move instead, and what would have followed.")


class SolutionAnswer(Answer):
    """Answers `solve`."""

    type: Literal["solution"] = "solution"
    status: Literal["win", "none", "unknown"]
    kind: Literal["vcf", "vct"]
    line: list[str]
    nodes: int
    seconds: float


class Threat(Message):
    """What a stone of `color` at `point` would make."""

    point: str
    color: ColorName
    shape: str


class ThreatsAnswer(Answer):
    """Answers `threats`."""

    type: Literal["threats"] = "threats"
    threats: list[Threat]


class OpeningStep(Message):
    """The open question of an opening procedure."""

    expects: Literal["place", "swap", "choose", "announce", "offer", "pick"]
    person: Literal["first", "second"]
    colors: list[ColorName] = Field(default_factory=list)
    points: list[list[str]] = Field(default_factory=list)
    options: list[str] = Field(default_factory=list)
    numbers: list[int] = Field(default_factory=list)
    count: int = 0


class OpeningAnswer(Answer):
    """Answers `opening`."""

    type: Literal["opening"] = "opening"
    records: list[dict[str, Any]]
    moves: list[str]
    black: Literal["first", "second"]
    step: OpeningStep | None
    state: State


class ImportAnswer(Answer):
    """Answers `import`."""

    type: Literal["import"] = "import"
    game: Game
    tree: list[TreeNode] = Field(description="The same game with its variations and comments.")


class ExportAnswer(Answer):
    """Answers `export`."""

    type: Literal["export"] = "export"
    text: str
    format: str


class PlayedGame(Message):
    """A game of self-play."""

    size: int
    rule: str
    moves: list[str]
    opening: int = Field(description="Moves that were given, not chosen.")


class JudgedNetwork(Message):
    """A network whose strength was measured during training."""

    minutes: float
    elo: float
    error: float = Field(description="Half of the 95 % interval of the Elo.")
    kept: bool


class Yardstick(Message):
    """The latest results against a fixed opponent, from the network's view."""

    opponent: str
    elo: float
    wins: int
    losses: int
    draws: int


class PlayingNode(Message):
    """A machine that plays for a run: games a second, seconds since it was heard of, its network, games that wait."""

    name: str
    threads: int
    games_per_second: float
    last_seen: float
    network: int
    queue: int


class WatchAnswer(Answer):
    """Answers `watch`."""

    type: Literal["watch"] = "watch"
    runs: list[str] = Field(description="All of them, the one that was active last first.")
    run: str | None
    quiet: float = Field(0.0, description="Seconds since the run last wrote something.")
    curves: list[dict[str, float]]
    strength: list[JudgedNetwork]
    yardsticks: list[Yardstick]
    games: list[PlayedGame]
    nodes: list[PlayingNode] = Field(description="None if the run plays on one machine.")


class ExplainedMove(Message):
    """A move at a node of the tree, before the step."""

    move: str
    visits: int = Field(description="N")
    total: float = Field(description="W, for the side that plays the move.")
    mean: float = Field(description="Q = W / N")
    prior: float = Field(description="P")
    bonus: float = Field(description="U; the move with the largest Q + U is selected.")


class ExplainedUpdate(Message):
    """What backing up changes at a node."""

    path: list[str] = Field(description="The moves from the root to the node.")
    added: float
    visits: int
    total: float
    mean: float


class ExplainedStep(Message):
    """One step of a search; see `tengen.explain.Step`."""

    playout: int
    kind: StepKind
    moves: list[str] = Field(description="Of the position that the step looks at, those before the search included.")
    path: list[str] = Field(description="Those of them that the search made.")
    to_move: ColorName
    text: str = Field(description="What happens, as a sentence.")
    children: list[ExplainedMove]
    chosen: str | None
    value: float | None
    result: Literal["black", "white", "draw"] | None
    updates: list[ExplainedUpdate]


class ExplanationAnswer(Answer):
    """Answers `explain`."""

    type: Literal["explanation"] = "explanation"
    size: int
    steps: list[ExplainedStep]


class NetworkInfo(Message):
    """A network of a training run."""

    name: str
    games: int = Field(description="That it has seen in training.")
    rules: list[str]
    sizes: list[int]


class NetworksAnswer(Answer):
    """Answers `networks`."""

    type: Literal["networks"] = "networks"
    networks: list[NetworkInfo] = Field(description="The newest first.")


class PuzzleAnswer(Answer):
    """Answers `puzzle`."""

    type: Literal["puzzle"] = "puzzle"
    name: str
    game: Game
    goal: Literal["win", "save"]
    rating: int
    length: int = Field(description="Moves to find, those of the other side not counted.")
    total: int = Field(description="Puzzles for this rule.")
    left: int = Field(description="Of these, those that were not seen.")


class AttemptAnswer(Answer):
    """Answers `attempt`."""

    type: Literal["attempt"] = "attempt"
    verdict: Literal["right", "solved", "wrong", "hint"]
    line: list[str] = Field(description="The reply; after a wrong move all that follows it; for a hint the next move.")


class NamedOpening(OpeningName):
    """One of the 26 openings with its three stones."""

    moves: list[str]


class OpeningsAnswer(Answer):
    """Answers `openings`."""

    type: Literal["openings"] = "openings"
    size: int = Field(description="Of the board that they are on.")
    games: int = Field(description="In the book.")
    named: list[NamedOpening]
    balanced: list[list[str]] = Field(description="Those that a search finds even.")


class GameTally(Message):
    """How games of the book ended."""

    games: int
    black: int = Field(description="Won by black.")
    white: int
    draws: int


class Reply(Message):
    """A move that was played in games of the book."""

    moves: list[str] = Field(description="Itself and its mirror images, which are the same here.")
    tally: GameTally


class ProvenWin(Message):
    """A win with a certificate that anybody can check."""

    winner: ColorName
    move: str | None = Field(description="With which it begins, if the winner is to move.")


class ExploreAnswer(Answer):
    """Answers `explore`."""

    type: Literal["explore"] = "explore"
    tally: GameTally = Field(description="Games that came to the position, by whatever order of moves.")
    replies: list[Reply] = Field(description="The most frequent first.")
    proven: ProvenWin | None


class TheoryReply(Message):
    """A reply that is proven to lose."""

    move: str
    within: int = Field(description="Moves of the winner up to the five after it, at most.")
    by_threats: bool = Field(description="Whether threats alone win from there on.")


class TheoryAnswer(Answer):
    """Answers `theory`; `state` is the position after the winner's move, if it has one."""

    type: Literal["theory"] = "theory"
    move: str | None = Field(description="The winner's, where it is to move and its win is proven.")
    within: int | None = Field(description="Moves of the winner up to the five, at most, this one among them.")
    threat: list[str] = Field(description="How the winner goes on if the loser passes: its moves, and the replies.")
    replies: list[TheoryReply] = Field(description="That are proven to lose; all others are open.")
    state: State


class KeptAnswer(Answer):
    """Answers `keep`."""

    type: Literal["kept"] = "kept"
    number: int


class KeptGame(Message):
    """A game of the library."""

    number: int
    played: str = Field(description="ISO 8601, UTC.")
    game: Game
    black: str
    white: str
    result: Literal["black", "white", "draw"]
    mistakes: list[MistakeCounts] = Field(description="Black's and white's, if it was reviewed; else empty.")


class LibraryAnswer(Answer):
    """Answers `library`."""

    type: Literal["library"] = "library"
    games: list[KeptGame]
    total: int = Field(description="Games that were found, also those that are not listed.")


class HostedAnswer(Answer):
    """Answers `host`."""

    type: Literal["hosted"] = "hosted"
    room: str = Field(description="The secret name that lets others in.")
    seat: str = Field(description="The key of the first seat.")


class ActedAnswer(Answer):
    """Answers `act`; the change itself comes to everybody in the room."""

    type: Literal["acted"] = "acted"


class RoomResult(Message):
    """How a game of two people ended."""

    winner: ColorName | None
    reason: Literal["five", "forbidden", "draw", "resign", "time"]


class RoomAnswer(Answer):
    """A room as it is now. Lists of two are of black and of white."""

    type: Literal["room"] = "room"
    room: str
    seat: str | None = Field(description="Your key; null for those who look on.")
    color: ColorName | None
    game: Game
    minutes: float
    used: list[float] = Field(description="Seconds.")
    complete: bool = Field(description="Whether both have come.")
    present: list[bool]
    agreed: list[bool] = Field(description="Who wants another game.")
    watching: int
    result: RoomResult | None


class ErrorAnswer(Message):
    """Something was refused; `message` is one sentence for people, `code` names the kind for programs."""

    type: Literal["error"] = "error"
    id: int | None
    code: ErrorCode
    message: str


AnyAnswer: TypeAlias = Annotated[
    Hello
    | StateAnswer
    | Progress
    | MoveAnswer
    | AnalysisAnswer
    | ReviewAnswer
    | SolutionAnswer
    | ThreatsAnswer
    | OpeningAnswer
    | ImportAnswer
    | ExportAnswer
    | WatchAnswer
    | ExplanationAnswer
    | NetworksAnswer
    | PuzzleAnswer
    | AttemptAnswer
    | OpeningsAnswer
    | ExploreAnswer
    | TheoryAnswer
    | KeptAnswer
    | LibraryAnswer
    | HostedAnswer
    | ActedAnswer
    | RoomAnswer
    | ErrorAnswer,
    Field(discriminator="type"),
]
