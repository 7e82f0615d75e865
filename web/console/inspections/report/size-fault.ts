import { ApiError } from '../../api/api-error.js';

/** Why the service refused the size of a report, in its own words; they count in bytes. */
export function sizeFaultIn(error: unknown): string | undefined {
  const fault = error instanceof ApiError ? error.errors.find(({ path }) => path === 'maxBytes') : undefined;
  return fault && `The service refused this: the size in bytes ${fault.message}.`;
}
