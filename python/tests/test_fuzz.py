"""Nothing that is given may end the interpreter: anything but a result is an exception."""
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import bandolier as bd

FEW = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
ALLOWED = (bd.Error, TypeError, OverflowError)

numbers = st.one_of(st.floats(), st.integers(), st.booleans(), st.none(), st.text(max_size=3))
arrays = hnp.arrays(
    dtype=st.one_of(
        hnp.floating_dtypes(), hnp.integer_dtypes(), hnp.boolean_dtypes(), hnp.complex_number_dtypes(),
        hnp.datetime64_dtypes(), hnp.unicode_string_dtypes(max_len=3), st.just(np.dtype(object)),
    ),
    shape=hnp.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4),
)
context_arrays = hnp.arrays(
    dtype=st.sampled_from([np.float32, np.float64, np.int8, np.uint64, np.bool_, np.dtype(">f8"), np.float16]),
    shape=st.sampled_from([(3,), (2, 3), (0, 3), (5, 3), (3, 3, 1), (4,)]),
)
nested = st.recursive(
    st.one_of(numbers, arrays), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=4), max_leaves=8
)
anything = st.one_of(context_arrays, arrays, nested, st.binary(max_size=20), st.builds(object))


def tried(call, *arguments, **named):
    try:
        return call(*arguments, **named)
    except ALLOWED:
        return None


DENSE = bd.Agent("linear", features=3, actions=2, seed=1)
NAMED = bd.Agent("linear", seed=1, slots=16, action_slots=16)
MENU = bd.Agent("linear", features=3, actions=4, action_features=2, fixed_actions=False, seed=1)


@FEW
@given(anything, anything, anything, st.integers(-2, 3), st.sampled_from(["mean", "sample", "deviation", "x"]))
def test_contexts_of_any_kind(x, mask, features, k, kind):
    for agent in (DENSE, MENU):
        tried(agent.choose, x, available=mask)
        tried(agent.choose, x, action_features=features, action_ids=mask)
        tried(agent.probabilities, x, available=mask)
        tried(agent.scores, x, kind=kind, action_features=features)
        tried(agent.top, x, k=k)
    answer = tried(DENSE.choose, x)
    assert answer is None or isinstance(answer, (bd.Decision, np.ndarray))


@FEW
@given(anything, anything, anything, st.one_of(st.none(), st.integers(), st.text(max_size=2)))
def test_rewards_of_any_kind(x, action, reward, ticket):
    tried(DENSE.observe, x, action, reward, ticket=ticket)
    tried(MENU.observe, x, action, reward, action_features=action)
    tried(bd.Agent("linear", features=3, actions=2).warm_up, x, action, reward)


@FEW
@given(st.dictionaries(st.text(max_size=4), nested, max_size=5), anything, anything)
def test_names_of_any_kind(context, actions, action):
    tried(NAMED.choose, context, actions=actions)
    tried(NAMED.choose, context, actions=["a", {"id": "b", "x": action}])
    tried(NAMED.observe, context, "a", 1.0, actions=actions)
    tried(NAMED.choose, [context, action], actions=["a", "b"])


@FEW
@given(st.dictionaries(st.sampled_from(["features", "actions", "seed", "image", "action_features", "lambda_", "slots"]), st.one_of(st.integers(-3, 20), numbers, arrays, st.lists(st.text(max_size=2), max_size=3))), st.text(max_size=8))
def test_agents_of_any_kind(arguments, spec):
    tried(bd.Agent, "linear", **arguments)
    tried(bd.Agent, spec, features=2, actions=2)
    tried(bd.options, spec)


@FEW
@given(st.data())
def test_models_of_any_bytes(data):
    state = bytearray(DENSE.__getstate__())
    for _ in range(3):
        state[data.draw(st.integers(0, len(state) - 1))] = data.draw(st.integers(0, 255))
    tried(bd.Agent.__new__(bd.Agent).__setstate__, bytes(state))


class Hostile:
    """Changes what it stands in."""

    def __init__(self, home):
        self.home = home

    def __float__(self):
        self.home.clear()
        return 1.0

    __index__ = None

    def __repr__(self):
        self.home.clear()
        return "hostile"


def test_values_that_change_their_dictionary_or_list():
    for size in (1, 3, 50):
        context: dict = {}
        context.update({str(i): Hostile(context) for i in range(size)})
        tried(NAMED.choose, context, actions=["a", "b"])
        actions: list = []
        actions.extend({"id": "x" * i, "v": Hostile(actions)} for i in range(1, size + 1))
        tried(NAMED.choose, {"x": 1}, actions=actions)
        rows: list = []
        rows.extend({"v": Hostile(rows)} for _ in range(size))
        tried(NAMED.choose, rows, actions=["a", "b"])


def test_an_agent_that_was_never_made_is_an_error():
    empty = bd.Agent.__new__(bd.Agent)
    for call in (repr, lambda a: a.choose([1, 2, 3]), lambda a: a.report(), lambda a: a.copy()):
        try:
            call(empty)
        except (TypeError, RuntimeError):
            continue
        assert call is repr
