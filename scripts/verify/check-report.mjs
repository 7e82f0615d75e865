import { inspect } from './inspect.mjs';
import { sealsOf } from './seals.mjs';
import { sealedEnd, verdictOf } from './verdict.mjs';

/**
 * Checks a report: what `verdictOf` answers of its bytes. `trusted` maps the fingerprints of the keys that the reader trusts
 * to how each was named. Bytes in, sentences out: it asks nothing of the machine that it runs on. It has bounds for
 * memory, none for time: run it where it can be stopped.
 */
export function checkReport(bytes, trusted) {
  const seals = sealsOf(bytes, (fingerprint) => trusted.has(fingerprint));
  const found = inspect(bytes, sealedEnd(seals));
  return verdictOf({ seals, found, trusted, length: bytes.length });
}
