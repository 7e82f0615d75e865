import type { Request } from 'express';

/** Returns whether the `Prefer` header has `respond-async` (RFC 7240). */
export function prefersAsync(request: Request): boolean {
  const header = request.headers['prefer'];
  const preferences = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  return preferences.some((preference) => preference.split(';')[0]!.trim().toLowerCase() === 'respond-async');
}
