"""Plots of results. Matplotlib is imported on use."""
import contextlib

from bandolier import _core

_CURVES = {"regret": "cumulative regret", "reward": "cumulative reward"}
_BARS = {"total": ("reward", "reward of a trial"), "seconds": ("seconds", "seconds of a trial")}
# Told apart by readers who see few colours, and seen on white and on black.
_COLOURS = ("#3b7dd8", "#e07b39", "#2a9d8f", "#c2549c", "#8a7dd6", "#b08b1e", "#d1495b", "#6b8e23",
            "#4f9bb8", "#9c6b4e")


def _interval(values):
    """Mean and half-width of Student's 95 % interval, over the rows of an array."""
    import numpy as np

    count = len(values)
    mean = values.mean(axis=0)
    if count < 2:
        return mean, np.full(np.shape(mean), np.nan)
    return mean, _student(count - 1) * values.std(axis=0, ddof=1) / np.sqrt(count)


def _student(degrees):
    """The 97.5 % quantile: a table for few, and the expansion of Abramowitz and Stegun 26.7.5."""
    few = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
    if degrees <= len(few):
        return few[degrees - 1]
    z = 1.959964
    return (z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2))


def _draw_curves(result, what, environment, ax, shown):
    curves = result.curves
    curves = curves[curves.env == environment]
    for agent, colour in shown:
        of = curves[curves.agent == agent[0]].pivot(index="trial", columns="step", values=what)
        if of.empty:
            continue
        mean, half = _interval(of.to_numpy())
        ax.plot(of.columns, mean, color=colour, label=agent[1])
        ax.fill_between(of.columns, mean - half, mean + half, color=colour, alpha=0.2, linewidth=0)
    ax.set_xlabel("steps")
    ax.set_ylabel(_CURVES[what])
    ax.margins(x=0)
    ax.legend(frameon=False)


def _draw_bars(result, what, environment, ax, shown):
    column, label = _BARS[what]
    table = result.trials if what == "total" else result.timings
    table = table[table.env == environment]
    for place, (agent, colour) in enumerate(shown):
        values = table[table.agent == agent[0]][column].dropna().to_numpy()
        if len(values):
            mean, half = _interval(values)
            ax.bar(place, mean, color=colour, yerr=half, ecolor=ax.xaxis.label.get_color(), capsize=3)
    ax.set_xticks(range(len(shown)), [agent[1] for agent, _ in shown], rotation=30, ha="right")
    ax.set_ylabel(label)


def plot(result, what, environment, ax, dark):
    known = (*_CURVES, *_BARS)
    if what not in known:
        raise _core.Error(f"plot of {what!r}: expected one of {', '.join(known)}")
    environments = result._core.environments
    if environment is not None:
        environments = [e for e in environments if environment in e]
        if not environments:
            raise _core.Error(f"environment {environment!r} is not among the results: expected one of "
                              f"{', '.join(result.environments)}")
    if ax is not None and len(environments) != 1:
        raise _core.Error(f"ax is one plot and there are {len(environments)} environments: name one by "
                          "environment=")
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise _core.Error("plots need Matplotlib, which is not installed: pip install matplotlib") from None
    style = "dark_background" if dark else "default"
    with contextlib.nullcontext() if dark is None or ax is not None else plt.style.context(style):
        if ax is None:
            _, axes = plt.subplots(1, len(environments), figsize=(5.5 * len(environments), 4),
                                   squeeze=False, layout="constrained")
            axes = axes[0]
        else:
            axes = [ax]
        agents = [(agent, _COLOURS[i % len(_COLOURS)]) for i, agent in enumerate(result._core.agents)]
        draw = _draw_curves if what in _CURVES else _draw_bars
        for (spec, shown), one in zip(environments, axes):
            draw(result, what, spec, one, agents)
            one.set_title(shown)
            for side in ("top", "right"):
                one.spines[side].set_visible(False)
    return axes[0] if len(environments) == 1 else axes
