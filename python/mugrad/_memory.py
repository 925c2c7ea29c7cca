# SPDX-License-Identifier: MIT
"""How much memory Mugrad's work may take."""

from __future__ import annotations

from typing import Union

from . import _core


def set_memory_limit(limit: Union[str, float]) -> None:
    """Refuse work that would make this process hold more memory than this.

    Before it trains, Mugrad estimates what that takes. More than there is (memory, control groups,
    ``ulimit``) raises ``MemoryError``, with the figure and what would help.

    Parameters
    ----------
    limit : str or float
        An amount such as ``"8GB"`` or ``8e9`` bytes, a share of all memory such as ``"50%"``,
        ``"available"`` for what there is, as at the start, or ``"unlimited"`` to try in any case.
        It holds for the whole process, for work that begins from now on.

    Examples
    --------
    >>> import mugrad
    >>> mugrad.set_memory_limit("8GB")
    >>> mugrad.set_memory_limit("available")
    """
    _core.set_memory_limit(limit if isinstance(limit, str) else repr(float(limit)))
