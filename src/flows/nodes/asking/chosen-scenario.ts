import type { Json } from '../../engine/json.js';
import { textOf } from '../../engine/template.js';
import { jsonIn } from './structured-reading.js';

/**
 * Returns the scenario that an answer names by its number, its text, or both; also as JSON, in a code fence or with a full
 * stop. An answer with any other words names none: "not relevant" is not "relevant".
 */
export function chosenScenario(answer: string, scenarios: readonly string[]): number | undefined {
  const words = wordsOf(answer);
  const number = /^(\d{1,3})(?: (.+))?$/.exec(words);
  if (number && Number(number[1]) < scenarios.length) {
    const index = Number(number[1]);
    if (number[2] === undefined || number[2] === plain(scenarios[index]!)) return index;
  }
  const index = scenarios.findIndex((scenario) => plain(scenario) === words);
  return index < 0 ? undefined : index;
}

/** Members in which models name their choice. */
const NAMES = ['scenario', 'output', 'answer', 'branch', 'index', 'number'];

const LONGEST = 20_000;

function wordsOf(answer: string): string {
  const text = answer.trim().slice(0, LONGEST);
  if (!text.includes('{')) return plain(text);
  const json = jsonIn(text);
  return plain(json === undefined ? text : memberOf(json));
}

function memberOf(value: Json): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return textOf(value);
  const name = NAMES.find((each) => Object.hasOwn(value, each));
  return name === undefined ? '' : textOf(value[name]!);
}

/** Returns the words of a text in lower case. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]/u)
    .filter((word) => word !== '' && word !== 'json')
    .join(' ');
