import { isoTime } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { type Decision, saysTheSame } from '../../executions/approvals/stop.js';
import type { HumanInput } from '../call/prediction-body.js';

const SAID: Readonly<Record<Decision['type'], string>> = {
  proceed: 'It was approved',
  reject: 'It was rejected',
  expired: 'The question had expired',
  cancelled: 'The run was stopped by an admin',
  flow_deleted: 'The flow had been deleted',
};

/** 409, with what was decided and when. */
export function alreadyDecided({ type, feedback, at }: Decision): ServiceError {
  const decided = { type, ...(feedback === undefined ? {} : { feedback }), at: isoTime(at) };
  const sentence = `${SAID[type]} before this answer came, which changed nothing.`;
  return new ServiceError('already_decided', sentence, { members: { decided } });
}

/** The execution whose call decided, for a click that says the same. Throws 409 `already_decided` for any other. */
export function decidedAlike(decision: Decision, click: HumanInput): string {
  if (decision.by === undefined || !saysTheSame(decision, click)) throw alreadyDecided(decision);
  return decision.by;
}
