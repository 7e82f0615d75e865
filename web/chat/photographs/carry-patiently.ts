import { Refused, Unreachable } from '../../common/answer.js';
import { texts } from '../texts.js';
import { inWords, refusalNotice } from '../turns/trouble.js';
import type { Journey } from './photograph.js';

/** Uploads one photograph and resolves with its name at the service. */
export type Carrier = (
  file: File,
  signal: AbortSignal,
  progress: (sent: number, total: number) => void,
) => Promise<string>;

interface Errand {
  file: File | undefined;
  signal: AbortSignal;
  /** 0 to 1 */
  onShare: (share: number) => void;
  /** Delays before each retry after a lost connection, in milliseconds. */
  pauses: readonly number[];
}

/** Uploads a photograph and retries when the connection is lost. Never rejects: returns the resulting state. */
export async function carryPatiently(
  carry: Carrier,
  { file, signal, onShare, pauses }: Errand,
): Promise<Journey> {
  const progress = (sent: number, total: number) => {
    if (!signal.aborted) onShare(total > 0 ? sent / total : 0);
  };
  for (const pause of [...pauses, undefined]) {
    try {
      if (!file || !(await isReadable(file))) return gone();
      return { at: 'there', issued: await carry(file, signal, progress) };
    } catch (error) {
      const lost = error instanceof Unreachable;
      if (!lost || pause === undefined || signal.aborted) return failed(error);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  throw new Error('unreachable');
}

/** Checks that the file can be read, since a browser reports an unreadable file as a lost connection. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    await file.slice(-1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** The reason that one photograph was refused and what to do, by the problem's code. */
const REFUSED_PHOTOGRAPH: ReadonlyMap<string, string> = new Map([
  ['body_too_large', texts.tooLargeForService],
  ['unsupported_media_type', texts.typeNotAccepted],
]);

const gone = (): Journey => ({ at: 'failed', sentence: texts.unreadable, again: false });

function failed(error: unknown): Journey {
  if (error instanceof Unreachable)
    return { at: 'failed', sentence: texts.connectionLost, again: true, lost: true };
  if (!(error instanceof Refused)) return gone();
  const { problem } = error;
  // 408: the upload was too slow, as on a weak network.
  const mayPass = problem.status === 408 || problem.status >= 429;
  const again = mayPass || problem.status === 401 || problem.status === 409;
  const { retryAfterSeconds: afterSeconds } = problem;
  const lost = mayPass ? { lost: true, ...(afterSeconds === undefined ? {} : { afterSeconds }) } : {};
  const sentence = REFUSED_PHOTOGRAPH.get(problem.code) ?? inWords(refusalNotice(problem));
  return { at: 'failed', sentence, again, ...lost };
}
