import { useEffect, useRef, useSyncExternalStore } from 'react';
import { BrowserStorage } from '../../../common/browser-storage.js';

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const device = new BrowserStorage(() => localStorage, 'console:');
const listeners = new Set<() => void>();

const areOn = (): boolean => device.get<unknown>('single-keys') !== false;

/** The setting for single-key shortcuts, which speech input can trigger by accident. */
export function useSingleKeys(): [on: boolean, set: (on: boolean) => void] {
  const on = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, areOn);
  const set = (value: boolean) => {
    device.set('single-keys', value);
    for (const listener of listeners) listener();
  };
  return [on, set];
}

/** Handles the page's keys by name (`j`, `ArrowDown`, `/`), except in a text field, a dialog or a menu. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const action = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined;
      if (!action || isElsewhere(event.target) || (event.key.length === 1 && !areOn())) return;
      action(event);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function isElsewhere(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return true;
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role="listbox"], [role="menu"], pre') !==
      null
  );
}
