import type { Ending } from './turn.js';

/** Why a turn has no answer, and what the person can do about it. */
export interface Trouble {
  sentence: string;
  /** `same`: nothing ran or the outcome is unknown, so under the same idempotency key; `fresh`: as a new call. */
  retry?: 'same' | 'fresh';
  /** The key is missing or wrong. */
  asksKey?: boolean;
  /** The network is at fault: worth trying again by itself once it is back. */
  offline?: boolean;
}

/** In words for whoever chats; the service's own sentences are for whoever calls it. */
const words: Readonly<Record<string, string>> = {
  invalid_api_key: 'This chat needs its key. Enter it to go on.',
  insufficient_credit: 'This chat has no credit left. Ask its owner to top it up, then try again.',
  domain_not_allowed: 'This chat may not be used from this site. Ask its owner.',
  share_link_not_public: 'The owner has closed this chat to visitors. Ask them to publish it again.',
  flow_not_found: 'This chat does not exist any more. Ask its owner for a new link.',
  session_busy: 'The answer to an earlier message is still under way. Try again in a moment.',
  idempotency_key_in_use: 'Your message has arrived and is being worked on. Try again in a moment.',
  body_too_large: 'That was too much for one message. Send fewer photographs at a time.',
  question_too_long: 'That message is too long. Shorten it and send it again.',
  rate_limited: 'That was too many messages in a short time.',
  address_blocked: 'Your network has to wait: too many chats that do not exist were asked for.',
  flow_failed: 'Something went wrong while your message was being answered. Try again.',
  internal_error: 'Something went wrong on the server. Try again.',
  shutting_down: 'The service is restarting. Try again in a moment.',
  overloaded: 'The service is very busy. Try again in a moment.',
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
export function troubleOf(ending: Ending, photographs: number): Trouble | undefined {
  switch (ending.type) {
    case 'answered':
      return undefined;
    case 'failed':
      return { sentence: ending.sentence || words['flow_failed']!, retry: 'fresh' };
    case 'lost':
      return lost(ending.began, photographs);
    case 'refused':
      return refused(ending);
  }
}

function lost(began: boolean, photographs: number): Trouble {
  if (!began)
    return {
      sentence: 'There is no connection. Your message is sent again once you are back online.',
      retry: 'same',
      offline: true,
    };
  const sentence = 'The connection was lost before the answer was complete.';
  if (photographs === 0) return { sentence, retry: 'same', offline: true };
  return { sentence: `${sentence} Your photographs have arrived: send a message to go on.` };
}

function refused({ problem }: Extract<Ending, { type: 'refused' }>): Trouble {
  const { code, status, sentence, retryAfterSeconds } = problem;
  const said = isOwners(code, sentence) ? sentence : (words[code] ?? sentence);
  if (notSentAgain.has(code)) return { sentence: said };
  const wait = status === 429 && retryAfterSeconds !== undefined ? ` ${waitInWords(retryAfterSeconds)}` : '';
  return {
    sentence: said + wait,
    retry: code === 'flow_failed' || status === 422 ? 'fresh' : 'same',
    ...(status === 401 ? { asksKey: true } : {}),
  };
}

/** A rate limit may have words of the flow's owner; the service's own speak of headers. */
const isOwners = (code: string, sentence: string): boolean =>
  code === 'rate_limited' && !sentence.includes('Retry-After');

function waitInWords(seconds: number): string {
  if (seconds < 90) return `You can go on in ${Math.max(1, Math.round(seconds))} seconds.`;
  return `You can go on in ${Math.round(seconds / 60)} minutes.`;
}
