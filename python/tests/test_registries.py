"""Registries and streams."""
import pytest

import bandolier as bd


def test_agents_and_environments_are_those_of_the_command_line():
    assert {"auto", "linear", "uniform", "subspace-ekf"} <= bd.agents().keys()
    assert {"wheel", "covertype", "csv"} <= bd.environments().keys()


def test_options_have_default_expectation_and_help():
    assert bd.options("linear")["lambda"].keys() == {"default", "expected", "help"}
    assert "delta" in bd.options(environment="wheel")


def test_an_unknown_name_is_an_error_with_the_nearest():
    with pytest.raises(bd.Error, match="did you mean 'auto'"):
        bd.options("atuo")
    with pytest.raises(ValueError, match="expected the name of an agent"):
        bd.options()


def test_streams_of_the_same_seed_draw_the_same():
    first, second = bd.Random(7), bd.Random(7)
    assert [first.uniform() for _ in range(5)] == [second.uniform() for _ in range(5)]
    assert first.fork(1).uniform() != first.fork(2).uniform()
    for wrong in (-1, 1.5, "a", 2**64):
        with pytest.raises(bd.Error, match="seed is"):
            bd.Random(wrong)
