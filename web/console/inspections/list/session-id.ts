const MOST = 256;

/** Proposes an id such as `inspection-2026-11-21-k3f9`: readable, and unique on the day. */
export function proposedSessionId(now: Date, random: () => number = Math.random): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  const tail = Array.from({ length: 4 }, () => Math.floor(random() * 36).toString(36)).join('');
  return `inspection-${day}-${tail}`;
}

/** Returns the fault of a typed id; empty when it can be used. */
export function sessionIdFault(id: string): string {
  if (id === '') return 'Enter a name for the inspection.';
  if (id.length > MOST) return `At most ${MOST} characters.`;
  // A URL path cannot contain these two as segments.
  if (id === '.' || id === '..') return 'Enter a name with letters or digits.';
  return /[\p{Cc}\ufffd]/u.test(id) ? 'Control characters are not allowed.' : '';
}
