import type { Request } from 'express';
import { ServiceError } from '../service-error.js';

/** 413; `limit` is the largest accepted body in bytes. */
export const tooLarge = (limit: number): ServiceError =>
  new ServiceError('body_too_large', `The body is larger than ${limit} bytes. Send less at a time.`);

/** 413 for a form with more than `most` of these. */
export const tooManyParts = (most: number, what: 'fields' | 'files' | 'parts'): ServiceError =>
  new ServiceError('body_too_large', `The form has more than ${most} ${what}. Send fewer at a time.`);

/** 415; `detail` says what to send instead. */
export const unsupported = (detail: string): ServiceError =>
  new ServiceError('unsupported_media_type', detail);

/** 400: the caller disconnected before the end of the body. */
export const brokenOff = (): ServiceError =>
  new ServiceError('invalid_request', 'The body broke off before its end. Send it again.');

/** Returns the media type of the body without its parameters; empty when there is none. */
export const mediaType = (request: Request): string =>
  (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

export const isMultipart = (request: Request): boolean => mediaType(request) === 'multipart/form-data';

/** Throws 413 or 415 when the headers announce a body that is larger than `limit` bytes or compressed. */
export function checkLength(request: Request, limit: number): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limit) throw tooLarge(limit);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupported('Compressed bodies are not accepted. Send the body without Content-Encoding.');
  }
}
