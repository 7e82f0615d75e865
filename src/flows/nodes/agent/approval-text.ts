import type { ProposedCall } from '../../../api/executions.js';
import type { Json } from '../../engine/json.js';

/** Characters of one argument; the `action` has all of them. */
const LONGEST_VALUE = 200;
const LONGEST_NAME = 64;
const MOST_LINES = 20;

/** Returns the question whether these calls may be made, below the text before it, with each argument on its own line. */
export const approvalText = (preamble: string, calls: readonly ProposedCall[]): string =>
  [...(preamble.trim() === '' ? [] : [preamble]), ...calls.flatMap(linesOf)].join('\n');

function linesOf({ tool, arguments: given }: ProposedCall): string[] {
  const members = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  if (members.length === 0) return [`May "${tool}" be called?`];
  const lines = members
    .slice(0, MOST_LINES)
    .map(([name, value]) => `${cut(inOneLine(name), LONGEST_NAME)}: ${cut(inOneLine(value), LONGEST_VALUE)}`);
  const more = members.length - lines.length;
  return [`May "${tool}" be called with this?`, ...lines, ...(more > 0 ? [`… and ${more} more`] : [])];
}

/** Line ends, and characters that change the direction of text. */
const UNPLAIN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Returns a value on one line: a line break from a model could look like another argument. */
const inOneLine = (value: Json): string =>
  typeof value === 'string' && !UNPLAIN.test(value)
    ? value
    : JSON.stringify(value).replaceAll(new RegExp(UNPLAIN, 'gu'), escaped);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
