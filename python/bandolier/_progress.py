"""A bar for what takes long, where tqdm is installed."""


class Bar:
    """`progress`: True for a bar, False for none, or a function that is told."""

    def __init__(self, progress, done, trials):
        self.told = progress if callable(progress) else None
        self.trials = trials
        self.bar = None
        if progress is True:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self.bar = tqdm(total=trials, initial=done, unit="trial",
                            bar_format="{l_bar}{bar}| {postfix}")
            self._say(done, None)

    def _say(self, done, seconds_left):
        left = "" if seconds_left is None else f", {_duration(seconds_left)} left"
        self.bar.set_postfix_str(f"{done} of {self.trials} trials{left}", refresh=False)

    def show(self, done, trials, fraction, seconds_left):
        if self.told:
            self.told(done, trials, fraction, seconds_left)
        if self.bar is not None:
            self.bar.n = min(round(fraction * trials, 2), trials)
            self._say(done, seconds_left if done < trials else None)
            self.bar.refresh()

    def show_done(self, done):
        self.show(done, self.trials, done / self.trials, None)

    def close(self):
        if self.bar is not None:
            self.bar.close()


def _duration(seconds):
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"
