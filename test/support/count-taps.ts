import type { Page } from 'playwright-core';

/** Counts taps and typed characters in the page, so that no step is missed. */
export const COUNTING = `{
  const counted = (globalThis.counted = { taps: 0, typed: 0 });
  addEventListener('pointerdown', ({ isTrusted }) => isTrusted && counted.taps++, true);
  addEventListener('beforeinput', ({ isTrusted, data }) => isTrusted && (counted.typed += (data ?? '').length), true);
}`;

export const counted = (page: Page) => page.evaluate<{ taps: number; typed: number }>('counted');
