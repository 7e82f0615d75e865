import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesUnder } from './imports.js';

/** A place in a comment or text that names a part of docs/contract.md. */
export interface Citation {
  /** As it is written, on one line. */
  text: string;
  document: 'contract' | 'description';
  sections: string[];
  /** `contract section 6, rules 1 to 4`: of its last section. */
  rules: number[];
}

const NUMBERS = String.raw`\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*`;
const CITATION = new RegExp(
  `\\b(contract|description) sections? (${NUMBERS})(?:, rules? (${NUMBERS}))?`,
  'gi',
);

/** Spelt otherwise, or without the document that is meant (sections of an RFC are no concern of ours). */
const MISSPELT = new RegExp(
  String.raw`\b(?:contract|description)'?s? §? ?\d+(?:\.\d+)?\b|(?<!\b(?:contract|description|RFC \d+,?) )\bsections? \d[\d.]*|§ ?\d+`,
  'gi',
);

/** One line, so that a citation may stand on two lines of a comment. */
const oneLine = (text: string): string => text.replace(/\s*\n\s*(?:\*|\/\/|>)?\s*/g, ' ');

const numbersIn = (list: string): number[] =>
  [...list.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, step) => Number(from) + step),
  );

/** Reads the citations of a text, and what looks like one but can name no part. */
export function citationsIn(source: string): { citations: Citation[]; misspelt: string[] } {
  const line = oneLine(source);
  const citations = [...line.matchAll(CITATION)].map(([text, document, sections, rules]): Citation => ({
    text,
    document: document!.toLowerCase() as Citation['document'],
    sections: [...sections!.matchAll(/[\d.]+/g)].map(([number]) => number),
    rules: numbersIn(rules ?? ''),
  }));
  return { citations, misspelt: [...line.matchAll(MISSPELT)].map(([text]) => text) };
}

/**
 * Lists the parts of docs/contract.md: `contract 6`, `contract 6, rule 1` (the line `- 6.1 …`), `description 2.3`,
 * `description 2.3, rule 1` (the line `- **Rule 1.** …`).
 */
export function partsOf(contract: string): Set<string> {
  const parts = new Set<string>();
  let section = '';
  for (const line of contract.split('\n')) {
    const heading = /^#+ (Description )?(\d+(?:\.\d+)?)[.:] /.exec(line);
    if (heading) parts.add((section = `${heading[1] ? 'description' : 'contract'} ${heading[2]}`));
    const [, number, rule = number] = /^- (?:\d+\.(\d+) |\*\*Rule (\d+)\.\*\*)/.exec(line) ?? [];
    if (rule !== undefined) parts.add(`${section}, rule ${rule}`);
  }
  return parts;
}

/** The parts that a citation names and that are not there. */
export function missingOf({ document, sections, rules }: Citation, parts: ReadonlySet<string>): string[] {
  const named = sections.map((section) => `${document} ${section}`);
  return [...named, ...rules.map((rule) => `${named.at(-1)}, rule ${rule}`)].filter(
    (part) => !parts.has(part),
  );
}

/** Every citation of a text that names no part, and everything that is spelt otherwise, as a fault. */
export function faultsOfCitations(source: string, parts: ReadonlySet<string>): string[] {
  const { citations, misspelt } = citationsIn(source);
  const missing = citations.flatMap((citation) => missingOf(citation, parts));
  return [
    ...missing.map((part) => `docs/contract.md has no ${part}`),
    ...misspelt.map((text) => `write "contract section …" or "description section …" for "${text}"`),
  ];
}

const ROOMS = ['src', 'web', 'test', 'prove', 'bench', 'scripts', 'docs'];

/** The contract speaks of its own sections without saying whose they are; the others show wrong ones. */
const OTHERWISE = ['docs/contract.md', 'test/contract.spec.ts', 'test/support/citations.ts'];

/** Every text of the repository that may cite, as `[path, text]`. */
export const citingTexts = (root: string): (readonly [path: string, text: string])[] =>
  [
    ...ROOMS.flatMap((room) => filesUnder(join(root, room))),
    ...readdirSync(root).map((name) => join(root, name)),
  ]
    .filter((path) => /\.(?:[cm]?[jt]sx?|css|md)$/.test(path) && !OTHERWISE.includes(relative(root, path)))
    .map((path) => [relative(root, path), readFileSync(path, 'utf8')]);
