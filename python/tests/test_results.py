"""Plots and pages of results."""
import matplotlib
import pytest

matplotlib.use("Agg")

import matplotlib.pyplot as plt

import bandolier as bd


@pytest.fixture(scope="module")
def result():
    return bd.run(["wheel", "linear"], {"ridge": "linear", "chance": "uniform"}, trials=3, steps=200,
                  progress=False)


def test_curves_end_at_the_totals_of_the_trials(result):
    axes = result.plot("regret", environment="wheel")
    assert [line.get_label() for line in axes.get_lines()] == ["ridge", "chance"]
    of = result.trials[result.trials.env == "wheel"].groupby("agent").regret.mean()
    assert axes.get_lines()[0].get_ydata()[-1] == pytest.approx(of["linear"])
    assert axes.get_lines()[1].get_ydata()[-1] == pytest.approx(of["uniform"])
    assert axes.get_xlim()[1] == 200


def test_bands_are_the_intervals_of_the_summary(result):
    axes = result.plot("reward", environment="wheel")
    band = axes.collections[0].get_paths()[0].vertices
    summary = result.summary().iloc[0]
    top = band[band[:, 0] == 200][:, 1].max()
    assert top == pytest.approx(summary.reward_mean + summary.reward_ci95, rel=1e-3)
    bars = result.plot("total", environment="wheel")
    assert bars.patches[0].get_height() == pytest.approx(summary.reward_mean)


def test_several_environments_give_axes_each_and_one_may_be_given(result):
    axes = result.plot("seconds")
    assert [one.get_title() for one in axes] == ["wheel", "linear"]
    _, mine = plt.subplots()
    assert result.plot("regret", environment="linear", ax=mine) is mine


def test_backgrounds_are_dark_where_asked_for(result):
    dark = result.plot(environment="wheel", dark=True)
    light = result.plot(environment="wheel", dark=False)
    assert sum(dark.get_facecolor()[:3]) < 0.3 and sum(light.get_facecolor()[:3]) > 2.7
    assert sum(matplotlib.colors.to_rgb(dark.xaxis.label.get_color())) > 2.7
    with plt.style.context("dark_background"):
        assert sum(result.plot(environment="wheel").get_facecolor()[:3]) < 0.3
    plt.close("all")


def test_what_cannot_be_drawn_is_refused(result):
    with pytest.raises(bd.Error, match="expected one of regret, reward, total, seconds"):
        result.plot("profit")
    with pytest.raises(bd.Error, match="not among the results: expected one of wheel, linear"):
        result.plot(environment="weel")
    with pytest.raises(bd.Error, match="ax is one plot and there are 2"):
        result.plot(ax=plt.gca())
    with pytest.raises(bd.Error, match="baseline 'nobody'"):
        result.summary("nobody")


def test_one_trial_has_no_interval():
    result = bd.run("wheel", ["linear", "uniform"], trials=1, steps=100, progress=False)
    result.plot()
    result.plot("total")
    assert "±" not in result._repr_html_().split("<p>")[0]


def test_the_page_is_one_file_that_says_how_to_run_it_again(result, tmp_path):
    page = open(result.report(tmp_path / "out.html"), encoding="utf-8").read()
    assert "bandolier run --env wheel linear --agent linear uniform" in page
    assert page.count("<svg") >= 4 and "http://" not in page.replace("http://www.w3.org", "")
    table = bd.Table([[1.0, 2.0], [3.0, 4.0]] * 10, [0, 1] * 10)
    mixed = bd.run([table, "wheel"], ["uniform"], trials=1, steps=20, warmup_pulls=1, progress=False)
    page = open(mixed.report(tmp_path / "out.html"), encoding="utf-8").read()
    assert "bandolier.run([table, " in page and "trials=1, seed=0, steps=20" in page
