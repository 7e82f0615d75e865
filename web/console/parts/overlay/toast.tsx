import { useSyncExternalStore } from 'react';
import './toast.css';

interface Shown {
  id: number;
  text: string;
}

const SHOWN_MS = 5_000;
let shown: readonly Shown[] = [];
let last = 0;
const listeners = new Set<() => void>();

/** Shows a short message for a moment. Important messages belong on the page. */
export function toast(text: string): void {
  const id = ++last;
  set([...shown.filter((one) => one.text !== text).slice(-2), { id, text }]);
  setTimeout(() => set(shown.filter((one) => one.id !== id)), SHOWN_MS);
}

function set(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the toasts; mounted once. Screen readers announce them. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <div className="toasts" role="status" data-react-aria-top-layer="true">
      {toasts.map(({ id, text }) => (
        <p key={id} className="toast">
          {text}
        </p>
      ))}
    </div>
  );
}
