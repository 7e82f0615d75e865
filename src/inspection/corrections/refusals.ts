import { ServiceError } from '../../common/service-error.js';

/** 409: a claimed record can be corrected only by a new edition of the report. */
export const alreadyClaimed = (): ServiceError =>
  new ServiceError(
    'already_claimed',
    'A report has claimed this already, so that it can no longer be corrected here. Make a new edition of the report.',
  );

/** Thrown if the session has nothing to correct; an output of the flow, not a failure. */
export class NothingToCorrect extends Error {}

/** 429: more corrections of one session in a time than a person makes. */
export const tooMany = (waitMs: number): ServiceError =>
  new ServiceError('rate_limited', 'Too many corrections of this session. Wait, then continue.', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  });

/** 409: the corrections of a session are bounded, because its report lists them. */
export const fullOfCorrections = (): ServiceError =>
  new ServiceError(
    'session_full',
    'This inspection has as many corrections as one may have. Continue in a new session.',
  );
