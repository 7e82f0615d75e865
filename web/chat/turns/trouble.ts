import { isUnavailable, type Problem } from '../../common/answer.js';
import { texts } from '../texts.js';
import type { Ending } from './turn.js';

/** A notice: `sentence` says what happened; `advice` says what to do and applies only until the chat continues. */
export interface Notice {
  sentence: string;
  advice?: string;
}

/** The reason that a turn has no answer, and what the person can do about it. */
export interface Trouble extends Notice {
  /**
   * The kind of retry. `same`: under the same idempotency key, since nothing ran or the outcome is unknown. `fresh`: as a
   * new call. `resume`: under the same key, so that an interrupted run resumes; as a new call if a failure is stored for it.
   */
  retry?: 'same' | 'fresh' | 'resume';
  /** The label of the button if it is not "Try again". */
  label?: string;
  /** The service has lost the photographs, so they must be uploaded again. */
  photographsLost?: boolean;
  /** The reference to quote: the end of the run's id, if there was a run, and the chat's id. */
  reference?: { run?: string; chat: string };
  /** The turn is retried by itself: once the network is back, or when the service is less busy. */
  waits?: 'network' | 'service';
  /** The time after which the service asked to be called again. */
  afterSeconds?: number;
}

const notSentAgain: ReadonlySet<string> = new Set([
  'domain_not_allowed',
  'share_link_not_public',
  'flow_not_found',
  'body_too_large',
  'question_too_long',
  'invalid_request',
  'already_decided',
]);

/** The longest wait for a busy service. Beyond it, the person decides. */
export const LONGEST_WAIT_S = 120;

/** Describes an ending to the person; undefined when the message was answered. `mayWait`: a busy service is asked again. */
export function troubleOf(ending: Ending, mayWait: boolean): Trouble | undefined {
  switch (ending.type) {
    case 'answered':
      return undefined;
    case 'failed':
      return { ...failure(ending.sentence), retry: 'resume' };
    case 'lost':
      return lost(ending.began);
    case 'expired':
      return {
        sentence: texts.cutOff,
        retry: 'resume',
        label: texts.resend,
      };
    case 'refused':
      return (mayWait ? busy(ending.problem) : undefined) ?? refused(ending.problem);
  }
}

const REFERENCE_LENGTH = 8;

/** Returns the reference for a turn that failed at the service. The last part of a run's id is the random one. */
export function referenceOf(ending: Ending, chat: string): Pick<Trouble, 'reference'> {
  const executionId = ending.type === 'refused' ? ending.problem.executionId : executionOf(ending);
  const isTheirs = ending.type === 'refused' ? ending.problem.status >= 500 : ending.type !== 'lost';
  if (!isTheirs) return {};
  return { reference: { chat, ...(executionId ? { run: executionId.slice(-REFERENCE_LENGTH) } : {}) } };
}

const executionOf = (ending: Ending): string | undefined =>
  ending.type === 'failed' ? ending.executionId : undefined;

/** Joins the sentence and its advice. */
export const inWords = ({ sentence, advice }: Notice): string =>
  advice === undefined ? sentence : `${sentence} ${advice}`;

/** Describes a refusal to the person. */
export function refusalNotice({ code, status, sentence, retryAfterSeconds }: Problem): Notice {
  const notice = isOwners(code, sentence) ? { sentence } : (wordsFor(code) ?? { sentence });
  if (status !== 429 || retryAfterSeconds === undefined) return notice;
  return { ...notice, advice: waitInWords(retryAfterSeconds) };
}

function wordsFor(code: string): Notice | undefined {
  if (!Object.hasOwn(texts.refusals, code)) return undefined;
  const [sentence, advice] = texts.refusals[code]!;
  return advice === undefined ? { sentence } : { sentence, advice };
}

function failure(sentence: string): Notice {
  if (isForCallers(sentence)) return wordsFor('flow_failed')!;
  if (!sentence.startsWith('The run could not continue')) return { sentence };
  const advice = sentence.includes('resumes where it stopped') ? texts.resumable : texts.tryLater;
  return { sentence: texts.notFinished, advice };
}

function lost(began: boolean): Trouble {
  const notice = began ? { sentence: texts.lostAnswer } : { sentence: texts.waitsForNetwork };
  return { ...notice, retry: 'same', waits: 'network' };
}

/** Describes a refusal that passes by itself: too many calls, or a service that is busy or restarts. */
function busy(problem: Problem): Trouble | undefined {
  const { status, code, retryAfterSeconds: afterSeconds } = problem;
  const passes =
    (isUnavailable(problem) && code !== 'flow_disabled') || (status === 429 && afterSeconds !== undefined);
  if (!passes || (afterSeconds ?? 0) > LONGEST_WAIT_S) return undefined;
  const { sentence } = refusalNotice(problem);
  const notice = { sentence, advice: texts.goesByItself };
  return {
    ...notice,
    retry: 'same',
    waits: 'service',
    ...(afterSeconds === undefined ? {} : { afterSeconds }),
  };
}

function refused(problem: Problem): Trouble {
  const { code, status, paths } = problem;
  if (paths.some((path) => path.startsWith('uploads.')))
    return { sentence: texts.waitedTooLong, advice: texts.sendOnceMore, photographsLost: true };
  const notice = refusalNotice(problem);
  if (notSentAgain.has(code)) return notice;
  return {
    ...notice,
    retry: code === 'flow_failed' ? 'resume' : status === 422 ? 'fresh' : 'same',
  };
}

/** Recognises the service's sentence for callers without a key, which mentions execution logs. */
const isForCallers = (sentence: string): boolean => sentence.startsWith('The flow failed.');

/** Recognises the flow owner's own rate limit message: the service's mentions headers. */
const isOwners = (code: string, sentence: string): boolean =>
  code === 'rate_limited' && !sentence.includes('Retry-After');

function waitInWords(seconds: number): string {
  if (seconds < 90) return texts.inSeconds(Math.max(1, Math.round(seconds)));
  return texts.inMinutes(Math.round(seconds / 60));
}
