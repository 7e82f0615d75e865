import { jsonOf, listIn, objectIn, textIn, Unreachable } from '../../../common/answer.js';
import { sendForm } from '../../../common/send-form.js';
import { warningSentences } from '../../../common/warning.js';
import { addressOf } from '../../api/client.js';
import { flowHeaders } from '../flow-call.js';
import type { Place } from '../place.js';
import type { Outcome, Upload } from './upload-queue.js';

const LONGEST_WAIT_S = 120;

/** Records one photograph. Resolves with undefined when there is no answer. */
export async function sendPhotograph(
  { flowId, sessionId }: Pick<Place, 'flowId' | 'sessionId'>,
  { id, area, captureTs, file }: Upload,
  signal: AbortSignal,
  progress: (share: number) => void,
): Promise<Outcome | undefined> {
  const form = new FormData();
  form.append('flowId', flowId);
  form.append('sessionId', sessionId);
  if (area !== '') form.append('area', area);
  form.append(
    'photographsMeta',
    JSON.stringify([{ messageId: `console-${id}`, name: file.name, captureTs }]),
  );
  form.append('photographs', file, file.name);
  try {
    const answer = await sendForm(
      addressOf('inspection/capture', { flowId }),
      { Accept: 'application/json', ...flowHeaders(flowId) },
      form,
      signal,
      (sent, total) => progress(total > 0 ? sent / total : 0),
    );
    const body = await jsonOf(answer).catch(() => undefined);
    return outcomeOf(answer.status, body, Number(answer.header('Retry-After') ?? NaN));
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    return failed('The file can no longer be read. Choose it again.', false);
  }
}

/** Reads the answer to the capture of one photograph. */
export function outcomeOf(status: number, body: unknown, retryAfterSeconds: number): Outcome {
  const answer = objectIn(body);
  const rejection = textIn(objectIn(listIn(answer['rejected'])[0])['message']);
  if (rejection !== '') return failed(rejection, false);
  if (status === 200) {
    const recorded = objectIn(listIn(answer['recorded'])[0]);
    return { at: 'recorded', area: textIn(recorded['area']), notes: notesOf(answer, recorded) };
  }
  const sentence = textIn(answer['message']) || 'The service did not answer as expected.';
  const again = [401, 408, 409, 429].includes(status) || status >= 500;
  const outcome = { ...failed(sentence, again), asksKey: status === 401 };
  const isPassing = status === 503 || (status === 429 && answer['code'] !== 'address_blocked');
  const waits = isPassing && retryAfterSeconds <= LONGEST_WAIT_S;
  return waits ? { ...outcome, waitMs: Math.max(1, retryAfterSeconds) * 1_000 } : outcome;
}

function notesOf(answer: Record<string, unknown>, recorded: Record<string, unknown>): string[] {
  const same =
    typeof recorded['sameContentAs'] === 'string' ? ['This picture is already in the inspection.'] : [];
  return [...new Set([...same, ...warningSentences(answer['warnings'])])];
}

const failed = (sentence: string, again: boolean) =>
  ({ at: 'failed', sentence, again, asksKey: false }) as const;
