// SPDX-License-Identifier: MIT
// Light, dark, or as the system has it; and the colours that charts take.
import { choice } from './choice.js';
import { observable } from './state.js';

const kKey = 'mugrad-report-theme';
const kThemes = [
  { value: 'auto', text: 'Auto' },
  { value: 'light', text: 'Light' },
  { value: 'dark', text: 'Dark' },
];

// Okabe and Ito's colours, which colour-blind people can tell apart, and lighter ones for dark grounds.
const kColours = {
  light: {
    ground: '#ffffff',
    text: '#1b1f24',
    muted: '#57606a',
    line: '#d0d7de',
    accent: '#0b5cad',
    second: '#b34700',
    category: ['#0072b2', '#d55e00', '#009e73', '#b0568a', '#a87400', '#3a9bd6', '#5c5c5c'],
  },
  dark: {
    ground: '#15181c',
    text: '#e6e9ec',
    muted: '#a3adb7',
    line: '#3a424a',
    accent: '#6cb6ff',
    second: '#ff9a57',
    category: ['#56b4e9', '#ff8b3d', '#2fc79b', '#e79cc4', '#e6b32e', '#9cc8ff', '#bdbdbd'],
  },
};

const system = window.matchMedia('(prefers-color-scheme: dark)');
const chosen = observable(stored() ?? 'auto');
const drawn = observable(effective());

function stored() {
  try {
    const name = localStorage.getItem(kKey);
    return kThemes.some(({ value }) => value === name) ? name : null;
  } catch {
    return null; // a page opened from disk may have no storage
  }
}

function store(name) {
  try {
    localStorage.setItem(kKey, name);
  } catch {
    // the choice then holds until the page is closed
  }
}

function effective() {
  if (chosen.get() !== 'auto') return chosen.get();
  return system.matches ? 'dark' : 'light';
}

function apply() {
  document.documentElement.dataset.theme = effective();
  drawn.set(effective());
}

export function installTheme() {
  apply();
  chosen.subscribe((name) => {
    store(name);
    apply();
  });
  system.addEventListener('change', apply);
}

export function themeSwitch() {
  return choice('Theme', kThemes, chosen);
}

export function currentTheme() {
  return drawn.get();
}

export function onThemeChange(listener) {
  drawn.subscribe(listener);
}

export function coloursOf(theme) {
  return kColours[theme];
}
