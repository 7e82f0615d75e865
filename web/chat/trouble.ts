import type { Problem } from '../common/answer.js';
import type { Ending } from './turn.js';

/** What happened, and what to do or to wait for: the one stays true, the other only until the chat goes on. */
export interface Said {
  sentence: string;
  advice?: string;
}

/** Why a turn has no answer, and what the person can do about it. */
export interface Trouble extends Said {
  /** `same`: nothing ran or the outcome is unknown, so under the same idempotency key; `fresh`: as a new call. */
  retry?: 'same' | 'fresh';
  /** What the button says, where that is not "Try again". */
  label?: string;
  /** The key is missing or wrong. */
  asksKey?: boolean;
  /** The network is at fault: worth trying again by itself once it is back. */
  offline?: boolean;
}

/** In words for whoever chats; the service's own sentences are for whoever calls it. */
const words: Readonly<Record<string, readonly [sentence: string, advice?: string]>> = {
  invalid_api_key: ['This chat needs its key.', 'Enter it to go on.'],
  insufficient_credit: ['This chat has no credit left.', 'Ask its owner to top it up, then try again.'],
  domain_not_allowed: ['This chat may not be used from this site.', 'Ask its owner.'],
  share_link_not_public: ['The owner has closed this chat to visitors.', 'Ask them to publish it again.'],
  flow_not_found: ['This chat does not exist any more.', 'Ask its owner for a new link.'],
  session_busy: ['The answer to an earlier message is still under way.', 'Try again in a moment.'],
  idempotency_key_in_use: ['Your message has arrived and is being worked on.', 'Try again in a moment.'],
  body_too_large: ['That was too much at once.', 'Send fewer or smaller photographs.'],
  unsupported_media_type: ['This chat does not take such files.'],
  question_too_long: ['That message is too long.', 'Shorten it and send it again.'],
  rate_limited: ['That was too many messages in a short time.'],
  address_blocked: ['Your network has to wait: too many chats that do not exist were asked for.'],
  flow_failed: ['Something went wrong while your message was being answered.', 'Try again.'],
  internal_error: ['Something went wrong on the server.', 'Try again.'],
  shutting_down: ['The service is restarting.', 'Try again in a moment.'],
  overloaded: ['The service is very busy.', 'Try again in a moment.'],
};

const notSentAgain: ReadonlySet<string> = new Set([
  'domain_not_allowed',
  'share_link_not_public',
  'flow_not_found',
  'body_too_large',
  'question_too_long',
  'invalid_request',
]);

/** What an ending means to the person; nothing when it was answered. */
export function troubleOf(ending: Ending): Trouble | undefined {
  switch (ending.type) {
    case 'answered':
      return undefined;
    case 'failed':
      return { ...failure(ending.sentence), retry: 'fresh' };
    case 'lost':
      return lost(ending.began);
    case 'expired':
      return {
        sentence:
          'The answer was cut off, and the service does not have the rest: it was restarted, or you were away for too long.',
        retry: 'fresh',
        label: 'Send again',
      };
    case 'refused':
      return refused(ending.problem);
  }
}

/** All that is said of a trouble, in one line. */
export const inWords = ({ sentence, advice }: Said): string =>
  advice === undefined ? sentence : `${sentence} ${advice}`;

/** What a refusal says to whoever chats. */
export function refusalSaid({ code, status, sentence, retryAfterSeconds }: Problem): Said {
  const said = isOwners(code, sentence) ? { sentence } : (wordsFor(code) ?? { sentence });
  if (status !== 429 || retryAfterSeconds === undefined) return said;
  return { ...said, advice: waitInWords(retryAfterSeconds) };
}

function wordsFor(code: string): Said | undefined {
  if (!Object.hasOwn(words, code)) return undefined;
  const [sentence, advice] = words[code]!;
  return advice === undefined ? { sentence } : { sentence, advice };
}

function failure(sentence: string): Said {
  return isForCallers(sentence) ? wordsFor('flow_failed')! : { sentence };
}

function lost(began: boolean): Trouble {
  const said = began
    ? { sentence: 'The connection was lost before the answer was complete.' }
    : { sentence: 'There is no connection.', advice: 'Your message is sent again once you are back online.' };
  return { ...said, retry: 'same', offline: true };
}

function refused(problem: Problem): Trouble {
  const { code, status, paths } = problem;
  if (paths.some((path) => path.startsWith('uploads.')))
    return { sentence: 'The photographs have waited too long to be sent.', advice: 'Add them again.' };
  const said = refusalSaid(problem);
  if (notSentAgain.has(code)) return said;
  return {
    ...said,
    retry: code === 'flow_failed' || status === 422 ? 'fresh' : 'same',
    ...(status === 401 ? { asksKey: true } : {}),
  };
}

/** The service's own sentence to strangers speaks of execution logs. */
const isForCallers = (sentence: string): boolean => sentence.startsWith('The flow failed.');

/** A rate limit may have words of the flow's owner; the service's own speak of headers. */
const isOwners = (code: string, sentence: string): boolean =>
  code === 'rate_limited' && !sentence.includes('Retry-After');

function waitInWords(seconds: number): string {
  if (seconds < 90) return `You can go on in ${Math.max(1, Math.round(seconds))} seconds.`;
  return `You can go on in ${Math.round(seconds / 60)} minutes.`;
}
