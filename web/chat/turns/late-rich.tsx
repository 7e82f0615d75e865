import { useSyncExternalStore } from 'react';
import type * as Rich from './rich.js';

let rich: typeof Rich | undefined;
const listeners = new Set<() => void>();

/** Loads what formats answers; until then, and where it cannot be had, they are shown as they came. */
export async function loadRich(): Promise<void> {
  rich = await import('./rich.js').catch(() => undefined);
  for (const listener of listeners) listener();
}

/** An answer with its formatting. */
export function Formatted({ text }: { text: string }) {
  const late = useSyncExternalStore(subscribe, () => rich);
  return late ? <late.RichText text={text} /> : <p className="unformatted">{text}</p>;
}

/** The words of an answer as they are read out. */
export const spoken = (text: string): string => rich?.spoken(text) ?? text;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
