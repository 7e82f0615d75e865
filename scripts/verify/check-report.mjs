import { inspect } from './inspect.mjs';
import { sealsOf } from './seals.mjs';
import { sealedEnd, verdictOf } from './verdict.mjs';

/**
 * Checks a report: returns `verdictOf` for its bytes. `trusted` maps the fingerprints of the keys that the reader
 * trusts to the name of each. Uses nothing of its machine. Its memory is bounded, its time is not: run it where it can
 * be terminated.
 */
export function checkReport(bytes, trusted) {
  const seals = sealsOf(bytes, (fingerprint) => trusted.has(fingerprint));
  const found = inspect(bytes, sealedEnd(seals));
  return verdictOf({ seals, found, trusted, length: bytes.length });
}
