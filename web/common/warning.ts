import { listIn, objectIn, textIn } from './answer.js';

/** Formats `warnings` as sentences, with how often each occurred and a suggestion. */
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
