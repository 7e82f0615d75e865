import { listIn, objectIn, textIn } from './answer.js';

/** A remark of the service on a call that went well (`warnings`). */
export interface Warning {
  code: string;
  message: string;
  path?: string;
  suggestion?: string;
  count?: number;
}

/** `warnings` of an answer as whole sentences: how often, and what was probably meant. */
export const warningSentences = (warnings: unknown): string[] =>
  listIn(warnings).map(objectIn).flatMap(sentenceOf);

function sentenceOf(warning: Record<string, unknown>): string[] {
  const message = textIn(warning['message']);
  if (message === '') return [];
  const { count } = warning;
  const times = typeof count === 'number' && count > 1 ? ` (${count} times)` : '';
  const suggestion = textIn(warning['suggestion']);
  return [`${message}${times}${suggestion === '' ? '' : ` Did you mean “${suggestion}”?`}`];
}
