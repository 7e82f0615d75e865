import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesUnder } from './imports.js';

/** A citation of a part of docs/contract.md in a comment or text. */
export interface Citation {
  /** The citation as written, on one line. */
  text: string;
  document: 'contract' | 'description';
  sections: string[];
  /** `contract section 6, rules 1 to 4`: rules of its last section. */
  rules: number[];
}

const NUMBERS = String.raw`\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*`;
const CITATION = new RegExp(
  `\\b(contract|description) sections? (${NUMBERS})(?:, rules? (${NUMBERS}))?`,
  'gi',
);

/** Other spellings, or a section without its document. Sections of RFCs do not count. */
const MISSPELT = new RegExp(
  String.raw`\b(?:contract|description)'?s? §? ?\d+(?:\.\d+)?\b|(?<!\b(?:contract|description|RFC \d+,?) )\bsections? \d[\d.]*|§ ?\d+`,
  'gi',
);

/** Joins lines, since a citation may span two lines of a comment. */
const oneLine = (text: string): string => text.replace(/\s*\n\s*(?:\*|\/\/|>)?\s*/g, ' ');

const numbersIn = (list: string): number[] =>
  [...list.matchAll(/(\d+)(?: to (\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, step) => Number(from) + step),
  );

/** Returns the citations of a text, and near misses that can name no part. */
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

/** Returns the cited parts that do not exist. */
export function missingOf({ document, sections, rules }: Citation, parts: ReadonlySet<string>): string[] {
  const named = sections.map((section) => `${document} ${section}`);
  return [...named, ...rules.map((rule) => `${named.at(-1)}, rule ${rule}`)].filter(
    (part) => !parts.has(part),
  );
}

/** Returns a fault for each citation of a missing part and each misspelt one. */
export function faultsOfCitations(source: string, parts: ReadonlySet<string>): string[] {
  const { citations, misspelt } = citationsIn(source);
  const missing = citations.flatMap((citation) => missingOf(citation, parts));
  return [
    ...missing.map((part) => `docs/contract.md has no ${part}`),
    ...misspelt.map((text) => `write "contract section …" or "description section …" for "${text}"`),
  ];
}

const ROOMS = ['src', 'web', 'test', 'prove', 'bench', 'scripts', 'docs'];

/** Files that may cite otherwise: the contract cites its own sections by number alone, the others contain wrong citations. */
const OTHERWISE = ['docs/contract.md', 'test/contract.spec.ts', 'test/support/citations.ts'];

/** Returns every text of the repository that may contain citations, as `[path, text]`. */
export const citingTexts = (root: string): (readonly [path: string, text: string])[] =>
  [
    ...ROOMS.flatMap((room) => filesUnder(join(root, room))),
    ...readdirSync(root).map((name) => join(root, name)),
  ]
    .filter((path) => /\.(?:[cm]?[jt]sx?|css|md)$/.test(path) && !OTHERWISE.includes(relative(root, path)))
    .map((path) => [relative(root, path), readFileSync(path, 'utf8')]);
