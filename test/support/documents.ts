import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { filesUnder } from './imports.js';

const root = resolve(__dirname, '../..');

/** Every document for readers, as a path from the root, except decision records and documents beside code. */
export const documents: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...filesUnder(join(root, 'docs'))
    .map((file) => relative(root, file))
    .filter((path) => path.endsWith('.md') && !path.startsWith('docs/decisions/')),
];

/** A fenced block of a document. */
export interface Sample {
  /** The info string of the fence: `sh`, `json`, `json flow`, `text`, … */
  kind: string;
  text: string;
}

export const samplesOf = (document: string): Sample[] =>
  [...readFileSync(join(root, document), 'utf8').matchAll(/^```([^\n]*)\n([^]*?)^```$/gm)].map(
    ([, kind, text]) => ({ kind: kind!, text: text! }),
  );

const LAUNCH = /^(?:\w+='?\S*'? )*(?:npm|npx|node|docker) [^&|;]*$/;

/**
 * Returns true if every line of a block only installs, starts or builds: its scripts and files are looked up instead of
 * run.
 */
export const isLaunch = ({ text }: Sample): boolean =>
  text
    .split('\n')
    .map((line) => line.replace(/(?:^| )#.*$/, '').trim())
    .filter((line) => line !== '')
    .every((line) => LAUNCH.test(line) && !line.startsWith('node -p'));

/**
 * Returns true if a value has every member of a sample; texts with digits or `…`, and numbers, are compared by type
 * alone.
 */
export function isLike(sample: unknown, value: unknown): boolean {
  if (Array.isArray(sample))
    return Array.isArray(value) && sample.every((item, index) => isLike(item, value[index]));
  if (typeof sample === 'object' && sample !== null)
    return (
      typeof value === 'object' &&
      value !== null &&
      Object.entries(sample).every(([name, member]) =>
        isLike(member, (value as Record<string, unknown>)[name]),
      )
    );
  if (typeof sample === 'string' && /[\d…]/.test(sample)) return typeof value === 'string';
  return typeof sample === 'number' ? typeof value === 'number' : sample === value;
}
