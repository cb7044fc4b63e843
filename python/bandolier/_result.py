"""What an experiment earned."""
from __future__ import annotations

import functools
import html
import io
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


class Result:
    """The results of :func:`bandolier.run`: tables, plots and a page.

    ``trials``, ``curves`` and ``timings`` are data frames with the columns of ``trials.csv``,
    ``curves.csv`` and ``timings.csv``.
    """

    def __init__(self, core: Any, baseline: str | None = None) -> None:
        self._core = core
        self._baseline = baseline or ""
        core.summary(self._baseline)  # an unknown baseline is said now

    def _frame(self, text: str) -> pandas.DataFrame:
        import pandas

        # Every float as it was written: what pandas does by itself from 3.1 on.
        major, minor = (int(n) for n in pandas.__version__.split(".")[:2])
        exact = {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}
        return pandas.read_csv(io.StringIO(text), **exact)

    @functools.cached_property
    def trials(self) -> pandas.DataFrame:
        """A row for each trial: what it earned."""
        return self._frame(self._core.trials)

    @functools.cached_property
    def curves(self) -> pandas.DataFrame:
        """About 200 rows for each trial: cumulative reward and regret up to a step."""
        return self._frame(self._core.curves)

    @functools.cached_property
    def timings(self) -> pandas.DataFrame:
        """A row for each trial: what a clock measured."""
        return self._frame(self._core.timings)

    def summary(self, baseline: str | None = None) -> pandas.DataFrame:
        """A row for each environment and agent: means over trials with 95 % intervals, and the
        difference to ``baseline`` paired by trial."""
        return self._frame(self._core.summary(self._baseline if baseline is None else baseline))

    @property
    def environments(self) -> list[str]:
        """Their names, as typed."""
        return [spec for spec, _ in self._core.environments]

    @property
    def agents(self) -> list[str]:
        """Their names, as typed."""
        return [spec for spec, _ in self._core.agents]

    @property
    def complete(self) -> bool:
        """Whether all trials are there."""
        return self._core.count == self._core.expected

    @property
    def failures(self) -> list[tuple[str, str, int, str]]:
        """(environment, agent, trial, why) of each trial that failed."""
        return self._core.failures

    def plot(self, what: str = "regret", environment: str | None = None, ax: Any = None,
             dark: bool | None = None) -> Any:
        """Draws ``"regret"`` or ``"reward"`` against steps, or ``"total"`` (reward of a trial) or
        ``"seconds"`` as bars: means over trials with 95 % intervals.

        Returns the Axes, or an array of them where there are several environments and none is
        named. ``dark``: on a dark background; if not given, as Matplotlib's style is.
        """
        from bandolier._plot import plot

        return plot(self, what, environment, ax, dark)

    def report(self, path: str | os.PathLike[str]) -> str:
        """Writes the page of ``bandolier report``, whole in one HTML file; returns its path."""
        path = os.fspath(path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._core.page(self._baseline))
        return path

    def __repr__(self) -> str:
        return self._core.table(self._baseline).rstrip("\n") + self._lacking()

    def _lacking(self):
        if self.complete:
            return ""
        return f"\n{self._core.count} of {self._core.expected} trials are there"

    def _repr_html_(self) -> str:
        rows = self.summary()
        shown = dict(self._core.agents)
        out = []
        for environment, label in self._core.environments:
            of = rows[rows.env == environment]
            out.append("<table><caption style='text-align:left'>" + html.escape(label) +
                       "</caption><thead><tr><th style='text-align:left'>agent</th><th>reward</th>"
                       "<th>difference</th><th>regret</th><th>of the way to an oracle</th>"
                       "<th>s per trial</th></tr></thead><tbody>")
            for row in of.itertuples():
                cells = [_estimate(row.reward_mean, row.reward_ci95),
                         _estimate(row.difference_mean, row.difference_ci95, "+"),
                         _estimate(row.regret_mean, row.regret_ci95),
                         "" if row.share_mean != row.share_mean else f"{100 * row.share_mean:.1f} %",
                         "" if row.seconds_mean != row.seconds_mean else f"{row.seconds_mean:.3g}"]
                out.append("<tr><th style='text-align:left'>" + html.escape(shown[row.agent]) + "</th>" +
                           "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
            out.append("</tbody></table>")
        notes = [f"mean ± 95 % interval of {self._core.expected // max(1, len(rows))} trials"]
        if not self._core.honest:
            notes.append("warm-up saw every action's reward: not comparable")
        if not self.complete:
            notes.append(self._lacking().strip())
        if self.failures:
            notes.append(f"{len(self.failures)} trials failed")
        return "".join(out) + f"<p><small>{html.escape('; '.join(notes))}</small></p>"


def _estimate(mean, interval, sign=""):
    if mean != mean:
        return ""
    digits = 0 if abs(mean) >= 100 else 2
    text = f"{mean:{sign},.{digits}f}".replace("-", "−")
    return text if interval != interval else f"{text} ± {interval:,.{digits}f}"
