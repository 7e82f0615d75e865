import type { Application, Request } from 'express';
import { ServiceError } from '../service-error.js';

/** Deeper nesting than this is refused (contract section 1). */
export const MAX_JSON_DEPTH = 64;

/** The default of `MAX_JSON_VALUES`, for a body that is read outside of an application. */
export const USUAL_VALUES = 50_000;

/** The factor for holders of the admin key: definitions of flows are large. */
const TRUST = 10;

const SETTING = 'max json values';

const trusted = new WeakSet<Request>();

/** Sets the number of values that a JSON body may have, for every reader in the application. */
export const limitJsonValues = (app: { set(name: string, value: number): unknown }, most: number): void =>
  void app.set(SETTING, most);

/** Lets the caller of an admin route send ten times as many values. */
export const trustWithValues = (request: Request): void => void trusted.add(request);

/** Returns how many values all JSON texts of a call may have together (contract section 1, "Work per byte"). */
export function jsonValuesOf(request: Request): number {
  // A test of a reader has no application.
  const most = (request.app as Application | undefined)?.get(SETTING) as number | undefined;
  return (most ?? USUAL_VALUES) * (trusted.has(request) ? TRUST : 1);
}

/** Counts the values of all JSON texts of one body together. */
export class ValueBudget {
  private taken = 0;

  constructor(private readonly most: number) {}

  /** Throws 413 `body_too_complex` when there are more than allowed. */
  take(values: number): void {
    this.taken += values;
    if (this.taken > this.most) throw tooComplex(this.most);
  }
}

/** 413 for more than `most` values. */
export const tooComplex = (most: number): ServiceError =>
  new ServiceError(
    'body_too_complex',
    `The JSON of the body has more than ${most} values (members and elements together). Send fewer at a time.`,
  );

/** 400 for nesting beyond `MAX_JSON_DEPTH`. */
export const tooDeep = (): ServiceError =>
  new ServiceError(
    'json_too_deep',
    `The JSON is nested more than ${MAX_JSON_DEPTH} levels deep. Send it flatter.`,
  );
