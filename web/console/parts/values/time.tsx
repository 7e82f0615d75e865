import { instantInWords } from '../words.js';

/** An instant in the browser's zone, with the full UTC time on hover. An invalid time is shown unchanged. */
export function Time({ at, form = 'short' }: { at: string; form?: 'short' | 'long' }) {
  const words = instantInWords(at, form);
  if (words === undefined) return <span>{at}</span>;
  return (
    <time className="time" dateTime={at} title={at}>
      {words}
    </time>
  );
}
