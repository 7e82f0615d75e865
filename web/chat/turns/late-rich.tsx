import { useSyncExternalStore } from 'react';
import type * as Rich from './rich.js';

let rich: typeof Rich | undefined;
const listeners = new Set<() => void>();

/** Loads the Markdown formatting. Until then, or if it cannot be fetched, answers are shown as plain text. */
export async function loadRich(): Promise<void> {
  rich = await import('./rich.js').catch(() => undefined);
  for (const listener of listeners) listener();
}

/** An answer with its formatting. */
export function Formatted({ text }: { text: string }) {
  const late = useSyncExternalStore(subscribe, () => rich);
  return late ? <late.RichText text={text} /> : <p className="unformatted">{text}</p>;
}

/** Returns the text of an answer as it is read out. */
export const spoken = (text: string): string => rich?.spoken(text) ?? text;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
