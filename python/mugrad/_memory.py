# SPDX-License-Identifier: MIT
"""The memory limit of the process."""

from __future__ import annotations

from typing import Union

from . import _core


def set_memory_limit(limit: Union[str, float]) -> None:
    """Refuse work with which this process would exceed a memory limit.

    Before training, Mugrad estimates the memory that it needs. If that exceeds the available memory
    (memory, control groups, ``ulimit``), ``MemoryError`` has the figure and what would help.

    Parameters
    ----------
    limit : str or float
        An amount such as ``"8GB"`` or ``8e9`` bytes, a share of all memory such as ``"50%"``,
        ``"available"`` for the available memory, the default, or ``"unlimited"`` for no limit.
        It applies to the whole process, to work that begins after this call.

    Examples
    --------
    >>> import mugrad
    >>> mugrad.set_memory_limit("8GB")
    >>> mugrad.set_memory_limit("available")
    """
    _core.set_memory_limit(limit if isinstance(limit, str) else repr(float(limit)))
