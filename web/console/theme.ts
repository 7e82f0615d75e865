import { useSyncExternalStore } from 'react';
import { BrowserStorage } from '../common/browser-storage.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const storage = new BrowserStorage(() => localStorage, 'console:');
const listeners = new Set<() => void>();
let theme: Theme = THEMES.find((one) => one === storage.get('theme')) ?? 'system';

/** Sets the theme and stores it on the device. The default follows the device. */
export function chooseTheme(chosen: Theme): void {
  theme = chosen;
  storage.set('theme', chosen === 'system' ? undefined : chosen);
  applyTheme();
  for (const listener of listeners) listener();
}

/** Applies the theme through `data-theme` (see `look.css`). */
export function applyTheme(): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => theme);
