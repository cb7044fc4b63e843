"""The adaptor for scikit-learn."""
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks

import bandolier as bd
from bandolier.sklearn import BanditPolicy

X = np.random.default_rng(1).normal(size=(300, 4))
A = np.array(["tea", "coffee", "juice"])[np.arange(300) % 3]
R = (X[:, 0] > 0) * (A == "tea") + (X[:, 0] <= 0) * (A == "coffee")


def make(**arguments):
    return BanditPolicy(**{"agent": "linear", "random_state": 0, **arguments})


def test_it_learns_in_parts_and_decides_in_the_users_words():
    policy = make(actions=["tea", "coffee", "juice"])
    for part in range(0, 300, 100):
        policy.partial_fit(X[part : part + 100], A[part : part + 100], R[part : part + 100])
    assert list(policy.classes_) == ["coffee", "juice", "tea"]
    assert set(policy.decide(X)) <= set(A)
    assert (policy.predict(X) == np.where(X[:, 0] > 0, "tea", "coffee")).mean() > 0.8
    assert np.allclose(policy.predict_proba(X).sum(axis=1), 1)
    assert policy.agent_.report()["steps"] == 300


def test_actions_come_from_the_first_fit_unless_given():
    policy = make().partial_fit(X, np.arange(300) % 2 * 10, R)
    assert list(policy.classes_) == [0, 10]
    with pytest.raises(bd.Error, match="a holds 5: expected one of 0, 10"):
        policy.partial_fit(X[:1], [5], [1.0])
    with pytest.raises(bd.Error, match="expected at least 2"):
        make().fit(X[:3], ["tea"] * 3, [1.0] * 3)


def test_params_clone_and_pickle():
    policy = make(actions=["tea", "coffee", "juice"])
    assert policy.get_params() == {"agent": "linear", "actions": ["tea", "coffee", "juice"], "random_state": 0}
    assert clone(policy).set_params(agent="auto").agent == "auto" and policy.agent == "linear"
    policy.fit(X, A, R)
    other = pickle.loads(pickle.dumps(policy))
    assert np.array_equal(other.decide(X), policy.decide(X))
    assert not hasattr(clone(policy), "agent_")
    assert np.array_equal(clone(policy).fit(X, A, R).decide(X), clone(policy).fit(X, A, R).decide(X))


def test_pipelines_tables_and_sparse_rows():
    table = pd.DataFrame(X, columns=list("abcd"))
    policy = make().fit(table, A, R)
    assert list(policy.feature_names_in_) == list("abcd") and policy.n_features_in_ == 4
    with pytest.raises(ValueError, match="feature names"):
        policy.predict(table.rename(columns={"a": "z"}))
    pipeline = make_pipeline(StandardScaler(), make())
    pipeline.fit(X, A, banditpolicy__r=R)
    assert pipeline.predict(X).shape == (300,) and pipeline.predict_proba(X).shape == (300, 3)
    sparse = make().fit(scipy.sparse.csr_matrix(X), A, R)
    assert np.allclose(sparse.decision_function(X), make().fit(X, A, R).decision_function(X), atol=1e-3)


def test_wrong_shapes_name_both():
    with pytest.raises(bd.Error, match=r"r has the shape \(299,\): expected \(300,\)"):
        make().fit(X, A, R[:-1])
    with pytest.raises(NotFittedError):
        make().decide(X)
    with pytest.raises(ValueError, match="features"):
        make().fit(X, A, R).decide(X[:, :3])


class Rewarded(BanditPolicy):
    """With the arguments of scikit-learn's checks: y is the action, its reward 1."""

    def fit(self, X, y):
        return super().fit(X, *_coded(X, y))

    def partial_fit(self, X, y, classes=None):
        return super().partial_fit(X, *_coded(X, y))


def _coded(X, y):
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    y = np.arange(len(y)) % 2 if len(np.unique(y)) != 2 else np.unique(y, return_inverse=True)[1]
    return y, np.ones(len(y))


# Those that ask of an estimator what a bandit has too. Left out: checks of classifiers, regressors,
# clusterers, transformers and outlier detectors, which it is none of; of sample weights, which it
# has none of; check_fit2d_1sample, which expects one row to be enough for two actions; and
# check_methods_sample_order_invariance and check_methods_subset_invariance: probabilities are given
# a draw of the noise, another for each row.
CHECKS = [
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
    "check_dict_unchanged",
    "check_estimators_dtypes",
    "check_estimators_nan_inf",
    "check_estimators_overwrite_params",
    "check_estimators_pickle",
    "check_estimators_unfitted",
    "check_estimators_fit_returns_self",
    "check_f_contiguous_array_estimator",
    "check_fit1d",
    "check_fit_check_is_fitted",
    "check_fit_idempotent",
    "check_n_features_in",
    "check_n_features_in_after_fitting",
    "check_pipeline_consistency",
    "check_dataframe_column_names_consistency",
]


@pytest.mark.parametrize("name", CHECKS)
def test_scikit_learns_own_check(name):
    check = getattr(estimator_checks, name)
    arguments = (Rewarded.__name__, Rewarded(agent="linear", random_state=0))
    check(*arguments)
