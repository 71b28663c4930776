"""Links, text, files and pictures in a real browser. `make test-browser` runs these."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("selenium")

from browser import Page, Server

pytestmark = pytest.mark.browser

MIDGAME = "h8 i9 i8 g8 h9 h10 g10 i10 j10 g9 h7 h6"


def test_variations_go_out_and_come_back(page: Page) -> None:
    def read(text: str) -> None:
        page.click("#import")
        page.js("document.querySelector('#import-text').value = arguments[0]", text)
        page.click("#import-open")
        page.wait(lambda: not page.find("#import-dialog").is_displayed())

    def written() -> str:
        page.js("document.querySelector('#export-text').value = ''")
        page.click("#export")
        text = page.wait(lambda: page.js("return document.querySelector('#export-text').value"))
        page.js("document.querySelector('#export-dialog').close()")
        return str(text)

    read("(;GM[4]SZ[15];B[hh]C[the centre];W[ig](;B[gg])(;B[jf](;W[ji])(;W[gi])))")
    assert page.moves == ["h8", "i9", "g9"]
    assert len(page.all("#tree .node")) == 7
    page.click('#tree .node[data-line="h8"]')
    assert page.js("return document.querySelector('#comment').value") == "the centre"
    text = written()
    assert "C[the centre]" in text
    page.js("tengen.dialogs.begin({opening: 'none'})")
    read(text)
    assert len(page.all("#tree .node")) == 7
    assert written() == text


def test_a_game_goes_out_and_comes_back(page: Page) -> None:
    page.load(MIDGAME, rule="renju")
    page.click("#export")
    for name in page.js("return tengen.facts.formats"):
        page.click(f'#export-formats input[value="{name}"]')
        text = page.wait(lambda: page.js("return document.querySelector('#export-text').value"))
        page.js("document.querySelector('#export-dialog').close(); tengen.share.openImport()")
        page.js("document.querySelector('#import-text').value = arguments[0]", text)
        page.click("#import-open")
        page.wait(lambda: not page.find("#import-dialog").is_displayed())
        assert page.moves == MIDGAME.split()
        page.click("#export")
    page.js("document.querySelector('#export-dialog').close()")
    page.click("#import")
    page.js("document.querySelector('#import-text').value = 'this is no game'")
    page.click("#import-open")
    page.wait(lambda: page.find("#import-error").is_displayed())


def test_sharing_without_a_clipboard_or_a_connection(page: Page) -> None:
    page.load("h8 i9")
    page.js("Object.defineProperty(navigator, 'clipboard', {value: undefined})")  # as in pages over plain HTTP
    page.click("#link")
    page.wait(lambda: page.text("#notice").endswith("#15/freestyle/h8i9"))
    page.click("#export")
    text = page.wait(lambda: page.js("return document.querySelector('#export-text').value"))
    page.click("#export-copy")
    assert page.wait(lambda: page.js("return getSelection().toString()")) == text
    page.js("tengen.connection.greeted = false; tengen.share.exportAs('pos')")
    assert "lost" in page.js("return document.querySelector('#export-text').value")
    page.js("document.querySelector('#export-dialog').close(); tengen.share.openImport()")
    page.find("#import-text").send_keys("h8")
    page.click("#import-open")
    assert "lost" in page.text("#import-error")


def test_pictures(page: Page) -> None:
    page.load("h8 i9")
    picture = page.js("return tengen.board.picture()")
    assert picture.startswith("<svg")
    assert picture.count("data-stone") == 2
    assert picture.count('font-size="12.5"') == 30
    assert "gridcell" not in picture
    page.js("tengen.share.save = (blob) => { window.saved = blob; }")
    page.js("return tengen.share.savePng()")
    assert 10_000 < page.wait(lambda: page.js("return window.saved?.size")) < 800_000


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_files_in_other_encodings(page: Page, tmp_path: Path, language: str) -> None:
    page.js("tengen.set('language', arguments[0])", language)
    for charset, name in (("GB18030", "李小龙"), ("Big5", "成功"), ("Shift_JIS", "表ソ十")):
        text = f"(;GM[4]CA[{charset}]SZ[15]C[{name}];B[hh]C[{name}\\]];W[ig])"
        path = tmp_path / f"{charset}.sgf"
        path.write_bytes(text.encode(charset))
        for content in (path, text):
            page.new_game()
            page.click("#import")
            if content is path:
                page.find("#import-file").send_keys(str(path))
            else:
                page.js("document.querySelector('#import-text').value = arguments[0]", text)
                page.click("#import-open")
            page.wait(lambda: not page.find("#import-dialog").is_displayed())
            assert page.moves == ["h8", "i9"]
            comments = page.js("return [tengen.current.root(), ...tengen.current.path()].map((node) => node.comment)")
            assert comments == [name, f"{name}]", ""]


@pytest.mark.parametrize(
    ("language", "large", "unreadable"),
    [("en", "too large: 256 KB", "not a point"), ("zh-CN", "最多 256 KB", "不是棋盘上的点")],
)
def test_a_game_is_refused_in_the_language_of_the_page(
    page: Page, tmp_path: Path, language: str, large: str, unreadable: str
) -> None:
    path = tmp_path / "large.sgf"
    path.write_text(f"(;GM[4]C[{'x' * 300_000}];B[hh])")
    page.load("h8 i9")
    page.js("tengen.set('language', arguments[0]); tengen.current.comment = 'x'.repeat(3_000_000)", language)
    page.click("#import")
    page.find("#import-file").send_keys(str(path))
    page.wait(lambda: large in page.text("#import-error"))
    for text, refusal in (("nonsense", unreadable), ("x" * 300_000, large)):
        page.js("document.querySelector('#import-text').value = arguments[0]", text)
        page.click("#import-open")
        page.wait(lambda refusal=refusal: refusal in page.text("#import-error"))  # type: ignore[misc]
    page.js("document.querySelector('#import-dialog').close()")
    page.click("#export")
    page.wait(lambda: large in page.js("return document.querySelector('#export-text').value"))
    assert page.js("return tengen.connection.isOpen")


def test_a_link_carries_the_position(page: Page, server: Server) -> None:
    page.visit(f"{server.url}#9/standard/e5f6")
    assert page.moves == ["e5", "f6"]
    assert page.js("return [tengen.game.size, tengen.game.rule]") == [9, "standard"]


def test_a_link_to_a_board_that_there_is_not(page: Page, server: Server) -> None:
    for address in ("#25/freestyle/h8", "#15/chess/h8"):
        page.visit(f"{server.url}{address}")
        assert page.js("return [tengen.game.size, tengen.game.rule]") == [15, "freestyle"]
        assert "address" in page.text("#notice")


def test_a_damaged_link_says_so(page: Page, server: Server) -> None:
    page.load("h8 i9")
    for address in ("#15/renju/h8i9zz99", "#nonsense", "#15/freestyle/h8h8"):
        page.visit(f"{server.url}{address}")
        assert "damaged" in page.text("#notice")
        assert page.moves == ["h8", "i9"]


IMPORT_PROBLEMS = {
    "": "里面没有棋谱",
    "h8i9zz": "不是棋盘上的点",
    "h8i9h8": "第 3 手下在已有棋子的点上",
    "h8i9z26": "第 3 手不在棋盘上",
    "h8a1h9a2h10a3h11a4h12a5": "分出胜负之后",
    "(;GM[1]SZ[15];B[hh])": "别的棋",
    "(;GM[4]SZ[40];B[hh])": "大小",
    "(;GM[4]SZ[15];B[hh];B[ii])": "第 2 手无法识别",
}


def test_every_problem_of_an_import_is_told_in_chinese(page: Page) -> None:
    page.load("h8 i9")
    page.js("tengen.set('language', 'zh-CN')")
    page.click("#import")
    for text, told in IMPORT_PROBLEMS.items():
        page.js("document.querySelector('#import-text').value = arguments[0]", text)
        page.js("document.querySelector('#import-error').textContent = ''")
        page.click("#import-open")
        page.wait(lambda told=told: told in page.text("#import-error"), 10)  # type: ignore[misc]
        assert not any(
            "a" <= letter <= "z" for letter in page.text("#import-error").replace("h8i9j10", "").replace("zz", "")
        )
    assert page.moves == ["h8", "i9"]


def test_an_imported_position_is_played_on(page: Page) -> None:
    page.click("#import")
    page.js("document.querySelector('#import-text').value = 'h8i9g9'")
    page.click("#import-open")
    page.wait(lambda: page.moves == ["h8", "i9", "g9"])
    page.click("#play-on")
    assert page.js("return [tengen.view, tengen.game.human, tengen.game.mode]") == ["play", "white", "computer"]
    page.wait_for_turn()
    page.play("a1")
    page.wait_for_turn()
    assert page.moves[:4] == ["h8", "i9", "g9", "a1"]
    assert len(page.moves) == 5
