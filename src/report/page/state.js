// SPDX-License-Identifier: MIT

/// A value that tells its listeners when it changes.
export function observable(initial) {
  let value = initial;
  const listeners = [];
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener(value);
    },
    subscribe: (listener) => listeners.push(listener),
  };
}
