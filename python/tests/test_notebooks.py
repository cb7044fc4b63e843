"""The notebooks in examples/notebooks run from top to bottom."""
import pathlib

import nbclient
import nbformat
import pytest




FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code")
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
