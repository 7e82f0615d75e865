import type { Request } from 'express';
import { ServiceError } from '../service-error.js';

/** 413: `limit` is what may be sent, in bytes. */
export const tooLarge = (limit: number): ServiceError =>
  new ServiceError('body_too_large', `The body is larger than ${limit} bytes. Send less at a time.`);

/** 415, with what to send instead. */
export const unsupported = (detail: string): ServiceError =>
  new ServiceError('unsupported_media_type', detail);

/** The caller went away in the middle: there is nobody to read the answer. */
export const brokenOff = (): ServiceError =>
  new ServiceError('invalid_request', 'The body broke off before its end. Send it again.');

/** The media type of the body without its parameters; empty where none is given. */
export const mediaType = (request: Request): string =>
  (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

export const isMultipart = (request: Request): boolean => mediaType(request) === 'multipart/form-data';

/** Refuses by its headers alone a body that is larger than `limit` bytes or compressed: 413, 415. */
export function checkLength(request: Request, limit: number): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limit) throw tooLarge(limit);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupported('Compressed bodies are not taken. Send the body without Content-Encoding.');
  }
}
