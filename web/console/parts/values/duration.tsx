import { durationInWords } from '../words.js';

/** `12 ms`, `1.24 s`, `3 min 20 s`; a dash while it is not known. */
export function Duration({ ms }: { ms: number | null | undefined }) {
  if (ms === null || ms === undefined) return <span aria-label="not known">–</span>;
  return <span className="duration">{durationInWords(ms)}</span>;
}
