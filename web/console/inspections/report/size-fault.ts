import { ApiError } from '../../api/api-error.js';

/** Returns the service's fault about the file size, which counts in bytes. */
export function sizeFaultIn(error: unknown): string | undefined {
  const fault = error instanceof ApiError ? error.errors.find(({ path }) => path === 'maxBytes') : undefined;
  return fault && `The service refused this: the size in bytes ${fault.message}.`;
}
