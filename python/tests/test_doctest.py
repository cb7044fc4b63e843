"""Examples in docstrings and in the documentation run as they stand."""
import doctest
import pathlib
import re

import numpy as np
import pytest

import bandolier
import bandolier._core
import bandolier.pending
import bandolier.sklearn

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def legacy_repr():
    with np.printoptions(legacy="1.21"):
        yield


@pytest.mark.parametrize("module", [bandolier, bandolier.pending, bandolier.sklearn], ids=lambda m: m.__name__)
def test_modules(module):
    result = doctest.testmod(module)
    assert result.attempted > 0 and result.failed == 0


def test_the_extension():
    names = {name: getattr(bandolier._core, name) for name in dir(bandolier._core)}
    runner, attempted = doctest.DocTestRunner(), 0
    parser = doctest.DocTestParser()
    for name, thing in names.items():
        members = {name: thing}
        if isinstance(thing, type):
            members |= {f"{name}.{key}": value for key, value in vars(thing).items()}
        for key, member in members.items():
            text = getattr(member, "__doc__", None) or ""
            if ">>>" in text:
                result = runner.run(parser.get_doctest(text, dict(names), key, None, 0))
                attempted += result.attempted
    assert attempted > 15 and runner.failures == 0


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_pages(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
    assert blocks
    names: dict = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)  # noqa: S102


def test_everything_public_has_a_docstring():
    for name in bandolier.__all__:
        thing = getattr(bandolier, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for key, member in vars(thing).items():
                if not key.startswith("_") and (callable(member) or isinstance(member, property)):
                    assert member.__doc__, f"{name}.{key}"
