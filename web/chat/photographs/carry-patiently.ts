import { Refused, Unreachable } from '../../common/answer.js';
import { texts } from '../texts.js';
import { inWords, refusalSaid } from '../turns/trouble.js';
import type { Journey } from './photograph.js';

/** Brings one photograph to the service and resolves with the name that it has there. */
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
  /** Waits before another try where the connection was lost, in milliseconds. */
  pauses: readonly number[];
}

/** Tries again where the connection was lost. Never rejects: says where the photograph is then. */
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

/** A browser says of an upload whose bytes it cannot read no more than that it broke off. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    await file.slice(-1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

const gone = (): Journey => ({ at: 'failed', sentence: texts.unreadable, again: false });

function failed(error: unknown): Journey {
  if (error instanceof Unreachable)
    return { at: 'failed', sentence: texts.connectionLost, again: true, lost: true };
  if (!(error instanceof Refused)) return gone();
  const { problem } = error;
  // 408: it came too slowly, as over a weak network.
  const mayPass = problem.status === 408 || problem.status >= 429;
  const again = mayPass || problem.status === 401 || problem.status === 409;
  const asksKey = problem.status === 401 ? { asksKey: true } : {};
  const lost = mayPass ? { lost: true } : {};
  return { at: 'failed', sentence: inWords(refusalSaid(problem)), again, ...lost, ...asksKey };
}
