"""An agent as an estimator of scikit-learn: clone, get_params, Pipeline.

>>> import numpy as np
>>> from bandolier.sklearn import BanditPolicy
>>> X, a, r = np.eye(4), np.array(["tea", "coffee", "tea", "coffee"]), np.array([1.0, 0.0, 0.0, 1.0])
>>> policy = BanditPolicy("linear", random_state=0).partial_fit(X, a, r)
>>> policy.classes_
array(['coffee', 'tea'], dtype='<U6')
>>> policy.decide(X).shape, policy.predict_proba(X).shape
((4,), (4, 2))
"""
from __future__ import annotations

import numbers

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d

try:  # 1.6 and later
    from sklearn.utils.validation import validate_data
except ImportError:

    def validate_data(estimator, X, *, reset=True, **checks):
        estimator._check_feature_names(X, reset=reset)
        X = check_array(X, **checks)
        estimator._check_n_features(X, reset=reset)
        return X


from bandolier._core import Agent, Error


class BanditPolicy(BaseEstimator):
    """A policy that learns from contexts, the actions taken and the rewards they earned.

    Parameters
    ----------
    agent : str
        NAME or NAME:key=value,..., as for ``bandolier.Agent``.
    actions : list or None
        All actions there are, of any one type. None: those of the first ``partial_fit``.
    random_state : int, RandomState or None
        The agent's seed. None: another at every fit.

    Attributes
    ----------
    agent_ : the ``bandolier.Agent``
    classes_ : (actions,) array, the actions in the order of ``predict_proba``'s columns
    n_features_in_ : int
    feature_names_in_ : array of names, where X had them
    """

    def __init__(self, agent="auto", actions=None, random_state=None):
        self.agent = agent
        self.actions = actions
        self.random_state = random_state

    def fit(self, X, a, r):
        """Forgets all, and learns from these as a warm-up. (n, features), (n,), (n,)."""
        return self._begin(*self._check(X, a, r, reset=True))

    def partial_fit(self, X, a, r):
        """Learns from these too. (n, features), (n,) actions, (n,) rewards."""
        if not hasattr(self, "agent_"):
            return self._begin(*self._check(X, a, r, reset=True))
        X, a, r = self._check(X, a, r, reset=False)
        self.agent_.observe(X, self._places(a), r)
        return self

    def decide(self, X):
        """An action for each context, explored: (n,) of ``classes_``'s type. Draws on."""
        X = self._check_contexts(X)
        return self.classes_[self.agent_.choose(X)]

    def predict(self, X):
        """The action of the highest expected reward, without exploration: (n,)."""
        best = self.decision_function(X).argmax(axis=1)
        return self.classes_[best]

    def predict_proba(self, X):
        """What ``decide`` would take, with which probability: (n, actions). Draws nothing."""
        X = self._check_contexts(X)
        return self.agent_.probabilities(X)

    def decision_function(self, X):
        """Expected rewards of all actions: (n, actions)."""
        X = self._check_contexts(X)
        return self.agent_.scores(X, kind="mean")

    def _begin(self, X, a, r):
        classes = np.unique(a if self.actions is None else np.asarray(self.actions))
        if len(classes) < 2:
            raise Error(
                f"a has {len(classes)} action(s): expected at least 2, or `actions` to name them all"
            )
        seed = self.random_state
        if not isinstance(seed, numbers.Integral):
            seed = check_random_state(seed).randint(2**31 - 1)
        agent = Agent(self.agent, features=X.shape[1], actions=len(classes), seed=int(seed))
        places = _places(classes, a)
        agent.warm_up(X, places, r)
        self.classes_, self.agent_ = classes, agent
        return self

    def _places(self, a):
        return _places(self.classes_, a)

    def _check(self, X, a, r, *, reset):
        if a is None or r is None:
            raise Error(f"{'a' if a is None else 'r'} is None: expected one per row of X")
        X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=np.float32)
        a = column_or_1d(a)
        r = np.asarray(column_or_1d(r), dtype=np.float32)
        for name, values in (("a", a), ("r", r)):
            if len(values) != X.shape[0]:
                raise Error(f"{name} has the shape {values.shape}: expected ({X.shape[0]},), one per row of X")
        return X, a, r

    def _check_contexts(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float32)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags


def _places(classes, a):
    a = np.asarray(a)
    places = np.searchsorted(classes, a)
    known = classes[np.minimum(places, len(classes) - 1)] == a
    if not np.all(known):
        raise Error(f"a holds {a[~known].tolist()[0]!r}: expected one of {', '.join(map(repr, classes.tolist()))}")
    return places.astype(np.int64, copy=False)
