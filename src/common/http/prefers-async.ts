import type { Request } from 'express';

/** `Prefer: respond-async` (RFC 7240), among whatever else is preferred. */
export function prefersAsync(request: Request): boolean {
  const header = request.headers['prefer'];
  const preferences = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  return preferences.some((preference) => preference.split(';')[0]!.trim().toLowerCase() === 'respond-async');
}
