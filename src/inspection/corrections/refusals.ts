import { ServiceError } from '../../common/service-error.js';

/** 409: a claimed record is not corrected; that takes a new edition of the report. */
export const alreadyClaimed = (): ServiceError =>
  new ServiceError(
    'already_claimed',
    'A report has taken this already, so that it can no longer be corrected here. Make a new edition of the report.',
  );

/** Thrown where the session has nothing to correct: no fault of the flow, but an output. */
export class NothingToCorrect extends Error {}

/** 429: so many corrections of one session within a time that they cannot be a person's. */
export const tooMany = (waitMs: number): ServiceError =>
  new ServiceError('rate_limited', 'Too many corrections of this session. Correct on after the wait.', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });

/** 409: a report lists the corrections of its records, so that these are bounded. */
export const fullOfCorrections = (): ServiceError =>
  new ServiceError(
    'session_full',
    'This inspection has as many corrections as one may have. Continue in a new session.',
  );
