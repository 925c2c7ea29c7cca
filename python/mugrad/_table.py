# SPDX-License-Identifier: MIT
"""Features of tables with texts, categories, dates and missing values."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._options import thread_count
from ._table_columns import Columns, columns_of, converted
from ._table_features import callers_level, filled, plain_matrix, table_matrix

#: Names of columns, or the name of one.
Names = Union[str, Sequence[str]]


def _listed(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else [str(name) for name in names]


class TableVectorizer(TransformerMixin, BaseEstimator):
    """Makes features of a table: counts of the terms of texts, categories, dates and numbers.

    It reads tables of pandas, polars and pyarrow, records (a list of dicts) and texts (a list of
    str, or a Series; the only column is then called ``text``) exactly as the program reads the same
    table from a file: columns have roles, which are guessed from their cells or named here,
    and missing values are filled in (docs/formats.md). A model trained behind it stores how the
    columns became features, so that `mugrad.save` writes one file for both.

    Parameters
    ----------
    text : str or sequence of str, default=()
        Columns of texts, by name or ``prefix*``.
    category : str or sequence of str, default=()
        Columns of categories. Categorical columns are categories unless other parameters say more.
    number : str or sequence of str, default=()
        Columns of numbers; other cells count as missing.
    date : str or sequence of str, default=()
        Columns of dates.
    id : str or sequence of str, default=()
        Columns that name the rows; they give no features.
    ignore : str or sequence of str, default=()
        Columns to leave out.
    missing : {"median", "mean", "keep", "refuse"}, default="median"
        What becomes of missing values: the median of the column, and a feature that marks them
        where there are many (of a category: a category of its own); the mean; NaN; or an error.
    representation : {"zscore", "none", "unit", "tfidf", "unit-row"} or None, default=None
        None: features as they are, for the classifiers of this package, which represent them by
        their own parameter ``representation``. Otherwise the rows are represented, ready for any
        estimator: every text by tf-idf of one length, and the other features by this kind.
    min_words : int, default=1
        Words of the shortest n-gram of words.
    max_words : int, default=2
        Words of the longest n-gram of words; 0: none.
    min_characters : int, default=0
        Characters of the shortest n-gram of characters within words; 0: none.
    max_characters : int, default=0
        Characters of the longest n-gram of characters within words.
    min_documents : int, default=2
        A term is a feature if it occurs in at least so many texts.
    max_document_share : float, default=1.0
        And in at most this share of them.
    max_terms : int, default=200000
        The terms in the most texts are kept.
    hash_bits : int, default=0
        Above 0: hash terms to 2^hash_bits features instead of learning a vocabulary.
    sublinear : bool, default=True
        A term that occurs c times counts 1 + ln c; False: c.
    n_jobs : int or None, default=None
        Number of threads, for texts; None and -1: all cores. Never changes a result.

    Attributes
    ----------
    roles_ : dict
        The role of each column of the table that was fitted.
    table_features_ : object
        Names of the features, and how columns became them.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns.

    Notes
    -----
    With ``representation=None`` the result is a CSR matrix if there is a text or few values are not
    zero, otherwise an array, of a subclass that knows what its columns are. This knowledge stays where
    rows are selected, by splits and searches, and classifiers of this package use it. It is lost
    where features are selected, stacked beside others or changed: the features are then plain
    numbers. A value that is missing in a column in which none was missing in training is NaN; the
    classifiers of this package take the mean of the training data, as the program does.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from mugrad import MGDClassifier, TableVectorizer
    >>> tickets = [
    ...     {"body": "the printer is broken", "plan": "gold"},
    ...     {"body": "please refund the printer", "plan": "tin"},
    ...     {"body": "a refund please", "plan": "tin"},
    ...     {"body": "broken again", "plan": "gold"},
    ... ]
    >>> vectorizer = TableVectorizer(max_words=1)
    >>> vectorizer.fit_transform(tickets).shape
    (4, 7)
    >>> vectorizer.get_feature_names_out()[:3].tolist()
    ['body:broken', 'body:please', 'body:printer']
    >>> topics = [{"hardware"}, {"billing", "hardware"}, {"billing"}, {"hardware"}]
    >>> pipeline = make_pipeline(vectorizer, MGDClassifier(rho=0.1)).fit(tickets, topics)
    >>> pipeline.predict_proba([{"body": "refund", "plan": "tin"}]).shape
    (1, 2)
    """

    def __init__(
        self,
        *,
        text: Names = (),
        category: Names = (),
        number: Names = (),
        date: Names = (),
        id: Names = (),
        ignore: Names = (),
        missing: str = "median",
        representation: Optional[str] = None,
        min_words: int = 1,
        max_words: int = 2,
        min_characters: int = 0,
        max_characters: int = 0,
        min_documents: int = 2,
        max_document_share: float = 1.0,
        max_terms: int = 200_000,
        hash_bits: int = 0,
        sublinear: bool = True,
        n_jobs: Optional[int] = None,
    ) -> None:
        self.text = text
        self.category = category
        self.number = number
        self.date = date
        self.id = id
        self.ignore = ignore
        self.missing = missing
        self.representation = representation
        self.min_words = min_words
        self.max_words = max_words
        self.min_characters = min_characters
        self.max_characters = max_characters
        self.min_documents = min_documents
        self.max_document_share = max_document_share
        self.max_terms = max_terms
        self.hash_bits = hash_bits
        self.sublinear = sublinear
        self.n_jobs = n_jobs

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["2darray", "string"], "allow_nan": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags

    def _text_options(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _core.text_options()}

    def _roles(self, table: Columns) -> dict[str, list[str]]:
        """The roles that parameters name, and those that types of columns say."""
        roles = {
            "text": _listed(self.text),
            "category": _listed(self.category),
            "number": _listed(self.number),
            "date": _listed(self.date),
            "identifier": _listed(self.id),
        }
        given = [name for names in roles.values() for name in names]
        for column, role in table.roles.items():
            if not any(_matches(pattern, column) for pattern in given):
                roles[role].append(column)
        return roles

    def fit(self, X: Any, y: Any = None) -> "TableVectorizer":
        """Learn what the columns are and how they become features.

        Parameters
        ----------
        X : table of pandas, polars or pyarrow, list of dicts, or list or Series of str
        y : ignored

        Returns
        -------
        self : object
        """
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The same as ``fit(X).transform(X)``, but the table is read once.

        Parameters
        ----------
        X : as for `fit`
        y : ignored

        Returns
        -------
        features : CSR matrix or ndarray of shape (n_samples, n_features)
        """
        return self._made(self._learn(X))

    def _learn(self, X: Any) -> Any:
        if self.representation == "gaussian":
            raise ValueError(
                "Gaussian features are made by training: leave representation=None here, and give "
                "the classifier representation='gaussian'"
            )
        if self.representation is not None and self.missing == "keep":
            raise ValueError("rows with missing values have no representation: choose another missing")
        table = columns_of(X)
        found = _core.learn_table(
            table="X",
            names=table.names,
            columns=table.values,
            convert=converted,
            roles=self._roles(table),
            ignore=_listed(self.ignore),
            missing=self.missing,
            text=self._text_options(),
            threads=thread_count(self.n_jobs),
        )
        features = found["features"]
        if not features.names:
            raise ValueError("X has no features: every column is an identifier, empty or ignored")
        made = table_matrix(found["x"], features)
        representation = None
        if self.representation is not None:
            numbers = plain_matrix(made)
            representation = _core.Representation(numbers, self.representation, features)
        _tell(found["notes"])
        self.table_features_ = features
        self.roles_ = dict(found["roles"])
        self.n_features_in_ = len(table.names)
        self.feature_names_in_ = np.array(table.names, dtype=object)
        self._representation = representation
        return made

    def transform(self, X: Any) -> Any:
        """The features of other rows.

        Parameters
        ----------
        X : as for `fit`
            It has the columns that became features, in any order; others are ignored.

        Returns
        -------
        features : CSR matrix or ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        table = columns_of(X)
        if not table.are_records:
            self._check_complete(table.names)
        found = _core.apply_table(
            table="X",
            names=table.names,
            columns=table.values,
            convert=converted,
            features=self.table_features_,
            missing=self.missing,
            threads=thread_count(self.n_jobs),
        )
        _tell(found["notes"])
        return self._made(table_matrix(found["x"], self.table_features_))

    def _check_complete(self, names: list[str]) -> None:
        """A key that no record has is missing, as in files; a column of a frame is an error."""
        no_features = ("identifier", "ignored", "tags")
        needed = [name for name, role in self.roles_.items() if role not in no_features]
        missing = [name for name in needed if name not in names]
        if missing:
            listed = ", ".join(map(repr, missing[:8])) + (", ..." if len(missing) > 8 else "")
            raise _core.InputError(
                f"X lacks {len(missing)} of the {len(needed)} columns that became features: {listed}"
            )

    def _made(self, features: Any) -> Any:
        """The features in the representation of this transformer, if it has one."""
        if self._representation is None:
            return features
        numbers = filled(plain_matrix(features), self._representation.mean)
        rows = self._representation.apply(numbers)
        return plain_matrix(table_matrix(rows, self.table_features_))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The names of the features: ``age``, ``plan=gold``, ``body:refund``.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        names : ndarray of str
        """
        check_is_fitted(self)
        return np.array(self.table_features_.names, dtype=object)

    def build_analyzer(self) -> Callable[[str], list[str]]:
        """A function that returns the terms of a text, as often as they occur.

        Returns
        -------
        analyzer : callable
            Also for the parameter ``analyzer`` of scikit-learn's vectorizers.

        Examples
        --------
        >>> from mugrad import TableVectorizer
        >>> sorted(TableVectorizer(max_words=1).build_analyzer()("Don't re-read!"))
        ["don't", 're', 'read']
        """
        options = self._text_options()
        return lambda text: _core.terms_of_text(text, options)

    def _take_features(self, features: _core.TableFeatures) -> "TableVectorizer":
        """Take the features of a model that was read from a file, as if it had been fitted."""
        self.table_features_ = features
        self.roles_ = {column[0]: column[1] for column in features.columns}
        names = [name for name, role in self.roles_.items() if role not in ("tags", "ignored")]
        self.n_features_in_ = len(names)
        self.feature_names_in_ = np.array(names, dtype=object)
        self._representation = None
        return self


def _matches(pattern: str, name: str) -> bool:
    is_prefix = pattern.endswith("*") and name.startswith(pattern[:-1])
    return pattern == name or is_prefix


def _tell(notes: list[str]) -> None:
    for note in notes:
        warnings.warn(note, UserWarning, stacklevel=callers_level())
