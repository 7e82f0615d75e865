import { isoTime } from '../../common/iso-time.js';
import type { Warning } from '../../common/warnings.js';
import { messageKey } from '../session.js';
import type { CaptureCommand, SentPhotograph } from './capture-command.js';
import { parseCaptureTs, type TimeOddity } from './parse-capture-ts.js';

/** The members of a photograph that depend neither on its bytes nor on the session. */
export interface PlannedPhotograph {
  index: number;
  sent: SentPhotograph;
  /** Epoch milliseconds: its own captureTs, else the batch's, else the time of receipt. */
  capturedAt: number;
  source: 'captureTs' | 'server';
  messageKey: string | null;
  messageId: string | undefined;
}

export interface CapturePlan {
  photographs: PlannedPhotograph[];
  /** The batch's instant, which is the remark's. */
  batchAt: number;
  warnings: Warning[];
}

/** Resolves times and message keys of a batch; odd times become warnings. */
export function planCapture(command: CaptureCommand, maxPhotographs: number): CapturePlan {
  const batch = parseCaptureTs(command.captureTs, command.receivedAt);
  const warnings = [...(command.warnings ?? [])];
  if (batch.oddity !== undefined) warnings.push({ ...ODDITIES[batch.oddity], path: 'captureTs' });
  const keys = new MessageKeys(command.messageId);
  const photographs = command.photographs.slice(0, maxPhotographs).map((sent, index): PlannedPhotograph => {
    const own = parseCaptureTs(sent.captureTs, command.receivedAt);
    if (own.oddity !== undefined)
      warnings.push({ ...ODDITIES[own.oddity], path: `photographs[${index}].captureTs` });
    const instant = own.instant ?? batch.instant;
    return {
      index,
      sent,
      capturedAt: instant ?? command.receivedAt,
      source: instant === undefined ? 'server' : 'captureTs',
      ...keys.next(sent.messageId, index),
    };
  });
  return { photographs, batchAt: batch.instant ?? command.receivedAt, warnings };
}

/**
 * Deduplication keys of photographs (contract section 5): the own message id and the position among equal ids of the
 * call, else the batch id and the index.
 */
class MessageKeys {
  private readonly seen = new Map<string, number>();

  constructor(private readonly batchId: string | undefined) {}

  next(ownId: string | undefined, index: number): Pick<PlannedPhotograph, 'messageKey' | 'messageId'> {
    if (ownId === undefined) {
      if (this.batchId === undefined) return { messageKey: null, messageId: undefined };
      return { messageKey: messageKey('batch', this.batchId, index), messageId: this.batchId };
    }
    const ordinal = this.seen.get(ownId) ?? 0;
    this.seen.set(ownId, ordinal + 1);
    return { messageKey: messageKey('photograph', ownId, ordinal), messageId: ownId };
  }
}

const ODDITIES: Readonly<Record<TimeOddity, Pick<Warning, 'code' | 'message'>>> = {
  unreadable: {
    code: 'capture_ts_unreadable',
    message:
      'The time that was sent cannot be read, is before 1990 or more than a day ahead; it counts as missing.',
  },
  old: {
    code: 'capture_ts_old',
    message: 'The time that was sent is more than a year ago; it is used as it is.',
  },
};

export const capturedTime = ({ capturedAt, source }: PlannedPhotograph) => ({
  capturedAt: isoTime(capturedAt),
  source,
});
