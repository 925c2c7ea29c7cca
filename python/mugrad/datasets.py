# SPDX-License-Identifier: MIT
"""Data sets: public ones by name, files of every format that mugrad reads, and generated ones."""

from __future__ import annotations

import errno
import os
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import numpy as np
from scipy import sparse
from sklearn.utils import Bunch

from . import _core
from ._bunch import bunch_of
from ._download import Line, RemoteFile, fetch_files
from ._fitted_model import Path
from ._options import seed_from
from ._plain import plain
from ._sparse import canonical, csr_from
from ._targets import indicator

__all__ = ["dump", "fetch", "load", "make_multilabel", "names"]

# A name, or several.
Names = Union[str, Sequence[str]]


def names() -> Dict[str, str]:
    """The public data sets that `fetch` knows, and what each is about.

    Examples
    --------
    >>> from mugrad.datasets import names
    >>> "emotions" in names()
    True
    """
    return {name: about for name, about, _ in _core.catalog()}


def _list(given: Names) -> List[str]:
    return [given] if isinstance(given, str) else list(given)


def load(
    path: Path,
    *,
    format: Optional[str] = None,
    labels_xml: Optional[Path] = None,
    label_columns: Optional[Names] = None,
    n_labels: Optional[int] = None,
    labels_optional: bool = False,
    drop: Names = (),
    keep_ids: bool = False,
    tags: Optional[str] = None,
    tag_separator: Optional[str] = None,
    min_count: int = 1,
    number: Names = (),
    category: Names = (),
    text: Names = (),
    date: Names = (),
    identifier: Names = (),
    missing: str = "median",
    delimiter: Optional[str] = None,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Any:
    """Reads a data set from an ARFF, LIBSVM, XMC, CSV or JSON lines file, also a compressed one.

    Parameters
    ----------
    path : path
        Compressed by gzip or zstd or not; "-" is standard input.
    format : {"arff", "libsvm", "xmc", "csv", "jsonl"}, optional
        Recognised from the content and the name where it is not given.
    labels_xml : path, optional
        ARFF: the file that names the labels, unless it lies beside the data.
    label_columns : str or sequence of str, optional
        ARFF, CSV and JSON lines: the columns that are labels; a name may end in `*`.
    n_labels : int, optional
        ARFF, CSV and JSON lines: the first n columns are labels, or the last -n. LIBSVM: there are
        n labels.
    labels_optional : bool
        A file without labels is fine: the target then has no columns.
    drop : str or sequence of str
        Columns to leave out, by name or `prefix*`.
    keep_ids : bool
        Encode identifiers instead of leaving them out.
    tags : str, optional
        ARFF, CSV and JSON lines: the column that lists the labels of each row, as in "billing;refund".
    tag_separator : str, optional
        Between two tags: one character, or "" for JSON arrays. Recognised if it is not given.
    min_count : int
        Leave out tags in fewer rows, with a warning that names them.
    number, category, text, date, identifier : str or sequence of str
        CSV and JSON lines: columns to take for these, by name or `prefix*`. The others are guessed
        from their cells, as docs/formats.md describes.
    missing : {"median", "mean", "keep", "refuse"}
        What to do where a feature has no value: take the median of the column (of a category: make
        it a category of its own) and mark it where many are missing, take the mean, keep NaN, or
        raise an error that says where.
    delimiter : {",", ";", "|", "\\t", "tab"}, optional
        CSV: what separates cells. Recognised from the first rows where it is not given.
    as_frame : bool
        `data` and `target` as DataFrames, and both together as `frame`; needs pandas.
    return_X_y : bool
        `(data, target)` instead of a Bunch.

    Returns
    -------
    Bunch
        data (an array, or CSR where the file is sparse or fewer than a quarter of its values are not
        zero), target (CSR of 0 and 1, with explicit NaN where a label is not known),
        feature_names, target_names, target_from (who says which columns are labels, such as the
        name of an XML file), filename, DESCR.

    Examples
    --------
    >>> import os, tempfile
    >>> from mugrad.datasets import dump, load, make_multilabel
    >>> X, Y = make_multilabel(20, 3, 2, random_state=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "small.arff")
    ...     files = dump(path, X, Y, target_names=["tall", "round"])
    ...     bunch = load(path)
    >>> bunch.data.shape, bunch.target.shape, bunch.target_names
    ((20, 3), (20, 2), ['tall', 'round'])
    """
    location = os.fspath(path)
    if location != "-" and not os.path.exists(location):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), location)
    roles = {
        "number": number,
        "category": category,
        "text": text,
        "date": date,
        "identifier": identifier,
    }
    found = _core.read_dataset(
        path=location,
        format=format,
        labels_xml="" if labels_xml is None else os.fspath(labels_xml),
        label_columns=_list(label_columns or ()),
        label_count=n_labels,
        labels_optional=labels_optional,
        drop=_list(drop),
        keep_ids=keep_ids,
        tags="" if tags is None else tags,
        tag_separator=tag_separator,
        min_count=min_count,
        roles={role: _list(columns) for role, columns in roles.items()},
        missing=missing,
        delimiter=delimiter,
    )
    for note in found["notes"]:
        warnings.warn(note, UserWarning, stacklevel=2)
    bunch = bunch_of(found, location, as_frame)
    return (bunch.data, bunch.target) if return_X_y else bunch


def fetch(
    name: str,
    *,
    folder: Optional[Path] = None,
    mirror: Optional[str] = None,
    download_if_missing: bool = True,
    progress: Union[bool, Callable[[str, int, int], None]] = False,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Any:
    """A public data set by name, downloaded once and checked against its SHA-256.

    Looks below `$MUGRAD_DATA` and the cache folder (`~/.cache/mugrad`) first.

    Parameters
    ----------
    name : str
        One of `names()`.
    folder : path, optional
        Where to keep it instead of the cache folder.
    mirror : str, optional
        Base URL to download from instead of the upstream repository.
    download_if_missing : bool
        False: FileNotFoundError for a set that is not on this machine.
    progress : bool or callable
        True: a line on stderr. A callable gets (file, bytes received, bytes in all or 0).
    as_frame, return_X_y : bool
        As `load`.

    Returns
    -------
    Bunch, as `load`

    Examples
    --------
    >>> from mugrad.datasets import fetch
    >>> bunch = fetch("emotions")                   # doctest: +SKIP
    >>> bunch.target_names[0]                       # doctest: +SKIP
    'amazed-suprised'
    """
    path = _core.find_local(name)  # ValueError for a name that is not known
    if folder is not None:
        path = None
    if path is None and not download_if_missing and not _is_in(folder, name):
        raise FileNotFoundError(
            f"the data set {name!r} is not on this machine, and download_if_missing is False"
        )
    if path is None:
        files = {found: files for found, _, files in _core.catalog()}[name]
        target = os.path.join(os.fspath(folder) if folder else _core.cache_folder(), name)
        tell = Line() if progress is True else (progress or None)
        fetch_files([RemoteFile(*file) for file in files], target, mirror, tell)
        if isinstance(tell, Line):
            tell.end()
        path = os.path.join(target, f"{name}.arff")
    bunch = load(path, as_frame=as_frame)
    bunch.DESCR = f"{names()[name]}\n\n{bunch.DESCR}"
    return (bunch.data, bunch.target) if return_X_y else bunch


def _is_in(folder: Optional[Path], name: str) -> bool:
    if folder is None:
        return False
    base = os.path.join(os.fspath(folder), name, name)
    return os.path.exists(base + ".arff") and os.path.exists(base + ".xml")


def _features(X: Any) -> Any:
    X = plain(X, "data")
    if sparse.issparse(X):
        return canonical(X if X.dtype in (np.float32, np.float64) else X.astype(np.float64))
    array = np.asarray(X)
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float64)
    if array.ndim != 2:
        raise ValueError(f"data should be a matrix of examples x features, got {array.shape}")
    return np.ascontiguousarray(array)


def dump(
    path: Path,
    data: Any,
    target: Any = None,
    *,
    feature_names: Optional[Sequence[str]] = None,
    target_names: Optional[Sequence[str]] = None,
    name: str = "",
    format: Optional[str] = None,
) -> List[str]:
    """Writes a data set; the format is the one given, else the one the file's ending names.

    Parameters
    ----------
    path : path
        Ending in .arff, .libsvm, .svm, .xmc, .txt, .csv, .tsv (CSV with tabs), .jsonl or .ndjson,
        unless `format` is given. ARFF comes with its label XML beside it, and both are replaced
        together. Each file appears whole or not at all.
    data : matrix (n, d) or DataFrame, or a Bunch of `load`
    target : matrix (n, L), DataFrame, or one set of labels per example
        Not needed for a Bunch.
    feature_names, target_names : sequences of str, optional
        Taken from a Bunch or from DataFrames where they are not given.
    name : str
        What the data set is called, for formats that say so.
    format : {"arff", "libsvm", "xmc", "csv", "jsonl"}, optional

    Returns
    -------
    list of str
        The files written.

    Examples
    --------
    >>> import os, tempfile
    >>> from mugrad.datasets import dump
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = dump(os.path.join(folder, "tiny.csv"), [[0.5], [1.5]], [{"a"}, {"a", "b"}])
    ...     [os.path.basename(file) for file in files]
    ['tiny.csv']
    """
    if isinstance(data, Bunch):
        if target is not None:
            raise ValueError("a Bunch has its own target")
        feature_names = data.feature_names if feature_names is None else feature_names
        target_names = data.target_names if target_names is None else target_names
        data, target = data.data, data.target
    if target is None:
        raise ValueError("target is missing")
    folder = os.path.dirname(os.fspath(path))
    if folder and not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), folder)
    labels, found = indicator(target, name="target")
    if feature_names is None:
        feature_names = list(getattr(data, "columns", ()))
    if target_names is None and found is not None:
        target_names = list(found)
    return list(
        _core.write_dataset(
            path=os.fspath(path),
            x=_features(data),
            y=labels,
            name=name,
            feature_names=[str(column) for column in feature_names],
            label_names=[str(column) for column in target_names or ()],
            format=format,
        )
    )


def make_multilabel(
    n_samples: int = 500,
    n_features: int = 50,
    n_labels: int = 20,
    *,
    group_size: int = 4,
    relatedness: float = 0.9,
    cardinality: Optional[float] = None,
    noise: float = 0.3,
    density: float = 1.0,
    random_state: Any = 1,
    return_indicator: str = "dense",
    return_groups: bool = False,
) -> Any:
    """Data whose labels come in groups: those of one group are related, others are not.

    Parameters
    ----------
    n_samples, n_features, n_labels : int
    group_size : int
        Labels per group; the last group may be smaller.
    relatedness : float in [0, 1]
        Squared cosine between a label's true weights and its group's direction.
    cardinality : float, optional
        Labels per example, on average: 3 unless given, or half of them where that is less.
    noise : float
        Deviation of the noise added to scores of unit variance.
    density : float in (0, 1]
        Share of the features that are not zero in an example; below 1, X is a CSR matrix.
    random_state : int, RandomState or None
        The same number gives the same data always, that of `mugrad generate --seed`.
    return_indicator : {"dense", "sparse"}
        Y as an array or as a CSR matrix.
    return_groups : bool
        Return the group of each label too.

    Returns
    -------
    X, Y : matrices (n, d) and (n, L)
    groups : (L,) array, with return_groups

    Examples
    --------
    >>> from mugrad.datasets import make_multilabel
    >>> X, Y, groups = make_multilabel(100, 10, 6, group_size=3, return_groups=True)
    >>> X.shape, Y.shape, groups.tolist()
    ((100, 10), (100, 6), [0, 0, 0, 1, 1, 1])
    """
    if return_indicator not in ("dense", "sparse"):
        raise ValueError(f"return_indicator must be 'dense' or 'sparse', got {return_indicator!r}")
    found, groups = _core.generate(
        rows=n_samples,
        features=n_features,
        labels=n_labels,
        group_size=group_size,
        relatedness=relatedness,
        cardinality=cardinality,
        noise=noise,
        density=density,
        seed=seed_from(random_state),
    )
    X = csr_from(found["x"]) if isinstance(found["x"], tuple) else found["x"]
    Y = csr_from(found["y"], np.int64)
    if return_indicator == "dense":
        Y = Y.toarray()
    return (X, Y, np.asarray(groups)) if return_groups else (X, Y)
