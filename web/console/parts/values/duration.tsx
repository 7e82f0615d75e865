import { durationInWords } from '../words.js';

/** A duration such as `12 ms`, `1.24 s` or `3 min 20 s`; a dash while unknown. */
export function Duration({ ms }: { ms: number | null | undefined }) {
  if (ms === null || ms === undefined) return <span aria-label="not known">–</span>;
  return <span className="duration">{durationInWords(ms)}</span>;
}
