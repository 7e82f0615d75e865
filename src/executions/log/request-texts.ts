import { parseJson } from '../../common/json/json-text.js';
import { decimalText } from '../../common/texts/identifier.js';
import type { ApiCall } from '../api-call.js';

/** Texts of a request for the record of a refused call. */
export interface RequestTexts {
  flowId?: string;
  chatId?: string;
  question?: string;
}

const MOST_ID = 256;

/** Reads an unchecked body of a prediction, a capture or a render. */
export function readRequestTexts(body: unknown): RequestTexts {
  const source = membersOf(membersOf(body).source);
  const { flowId, chatId, sessionId, question, remark, overrideConfig } = membersOf(body);
  const chat = [chatId, sessionId, membersOf(parsed(overrideConfig)).sessionId, source.sessionId]
    .map(decimalText)
    .find(isText);
  const flow = [flowId, source.flowId].find(isText);
  const text = [question, remark].find(isText);
  return {
    ...(flow === undefined ? {} : { flowId: flow.slice(0, MOST_ID) }),
    ...(chat === undefined ? {} : { chatId: chat.slice(0, MOST_ID) }),
    ...(text === undefined ? {} : { question: text }),
  };
}

/** Copies the texts to the call, unless better ones are known. */
export function noteRequestTexts(call: ApiCall, body: unknown): void {
  Object.assign(call, { ...readRequestTexts(body), ...known(call) });
}

const known = ({ flowId, chatId, question }: ApiCall): RequestTexts => ({
  ...(flowId === undefined ? {} : { flowId }),
  ...(chatId === undefined ? {} : { chatId }),
  ...(question === undefined ? {} : { question }),
});

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Parses a form field, which carries an object as JSON text. */
function parsed(member: unknown): unknown {
  if (typeof member !== 'string') return member;
  try {
    return parseJson(member);
  } catch {
    return undefined;
  }
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
