import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { FACT_MEMBERS_OF } from '../src/api/inspection-terms.js';
import { EMBEDDING_PROVIDER_IDS, MODEL_PROVIDER_IDS } from '../src/api/model-provider-terms.js';
import { type AnsweredCode, problems } from '../src/api/problems.js';
import { environment } from '../src/common/environment.js';
import { META_NAMES } from '../src/inspection/report/meta-members.js';
import { faultsOfCitations, partsOf } from './support/citations.js';
import { filesUnder } from './support/imports.js';

const root = resolve(__dirname, '..');
const contract = readFileSync(join(root, 'docs/contract.md'), 'utf8');
const parts = partsOf(contract);

/** References to rules of the contract: in parentheses, after "as in", or alone in a cell of a table. */
const REFERENCES =
  /(?<=\(|\bas in |\bof )\d+\.\d+(?:[,;] \d+\.\d+)*(?=[\s).,;:])|(?<=\| )\d+\.\d+(?:[,;] \d+\.\d+)*(?= \|)/g;

describe('the contract', () => {
  it('cites only sections and rules of its own that exist', () => {
    const own = [...contract.matchAll(/(?<!description )\bsections? (\d+)(?: and (\d+))?/gi)];
    const sections = own.flatMap(([, ...numbers]) => numbers.filter((number) => number !== undefined));
    const references = [...contract.matchAll(REFERENCES)].flatMap(([list]) => list.match(/\d+\.\d+/g)!);
    expect(references.length).toBeGreaterThan(30);
    const named = [
      ...sections.map((section) => `contract ${section}`),
      ...references.map((rule) => `contract ${rule.replace('.', ', rule ')}`),
    ];
    expect(named.filter((part) => !parts.has(part))).toEqual([]);
  });

  it('numbers the rules of each section in order, each once', () => {
    const numbers = [...contract.matchAll(/^- (\d+)\.(\d+) /gm)].map(([, section, rule]) => [
      Number(section),
      Number(rule),
    ]);
    expect(numbers.length).toBeGreaterThan(250);
    const sorted = [...new Map(numbers.map((number) => [String(number), number])).values()].sort(
      ([section, rule], [otherSection, otherRule]) => section! - otherSection! || rule! - otherRule!,
    );
    expect(numbers).toEqual(sorted);
    const sections = [...contract.matchAll(/^## (\d+)\. |^- (\d+)\.\d+ /gm)];
    let current = '';
    for (const [, section, ofRule] of sections) {
      if (section !== undefined) current = section;
      else expect(ofRule).toBe(current);
    }
  });

  it.each([
    ['(contract section 14)', ['docs/contract.md has no contract 14']],
    ['(contract sections 4 and 99)', ['docs/contract.md has no contract 99']],
    ['(description section 2.6, contract section 5)', ['docs/contract.md has no description 2.6']],
    [
      '(contract section 6, rules 98 to 99)',
      ['docs/contract.md has no contract 6, rule 98', 'docs/contract.md has no contract 6, rule 99'],
    ],
    ['/**\n * Ends a run (contract\n * section 0).\n */', ['docs/contract.md has no contract 0']],
    ['(contract 11)', [`write "contract section …" or "description section …" for "contract 11"`]],
    [
      '(contract section 7; who may: section 5)',
      [`write "contract section …" or "description section …" for "section 5"`],
    ],
    ['(contract section 6, rule 1; description section 2.3, rule 3; RFC 9110, section 9.2.2)', []],
  ])('detects a wrong citation: %j', (source, faults) => {
    expect(faultsOfCitations(source, parts)).toEqual(faults);
  });

  it('lists every error code with its status, and no other', () => {
    const [, table = ''] = /\n(\| Status +\| Code[^]*?)\n\n/.exec(contract) ?? [];
    const rows = table.split('\n').slice(2);
    const inTable = rows.flatMap((row) => {
      const [, statuses = '', codes = ''] = row.split('|');
      return [...codes.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)]
        .map(([, code]) => code!)
        .filter((code) => code in problems || code.includes('_'))
        .map((code) => [code, statuses.includes(String(problems[code as AnsweredCode]?.status))] as const);
    });
    expect([...new Set(inTable.map(([code]) => code))].sort()).toEqual(Object.keys(problems).sort());
    expect(inTable.filter(([, fits]) => !fits)).toEqual([]);
  });

  it('lists every member of `meta`, and no other', () => {
    const [, table = ''] = /\n#### Description 2\.3: `meta`\n([^]*?)\n#### /.exec(contract) ?? [];
    const cells = [...table.matchAll(/^\| (`\w+`(?:, `\w+`)*) /gm)].map(([, cell]) => cell!);
    const named = cells.flatMap((cell) => cell.match(/\w+/g)!);
    expect(named.sort()).toEqual([...META_NAMES].sort());
  });

  it('has every member of a fact on the page of the node `capture`', () => {
    const page = readFileSync(join(root, 'docs/nodes/capture.md'), 'utf8');
    const missing = Object.entries(FACT_MEMBERS_OF).flatMap(([kind, members]) => {
      const [line = ''] = new RegExp(`^- \`${kind}s?\`:.*`, 'm').exec(page) ?? [];
      return members.filter((member) => !line.includes(member)).map((member) => `${kind}: ${member}`);
    });
    expect(missing).toEqual([]);
  });

  it('has a page for every node kind, and no other', () => {
    const kinds = filesUnder(join(root, 'src'))
      .filter((path) => path.endsWith('.node.ts'))
      .flatMap((path) => /\bkind(?: =|:) '([a-z-]+)'/.exec(readFileSync(path, 'utf8'))?.[1] ?? path);
    const pages = filesUnder(join(root, 'docs/nodes')).map((path) => basename(path, '.md'));
    expect(pages.sort()).toEqual(kinds.sort());
    const listed = [
      ...readFileSync(join(root, 'docs/flows.md'), 'utf8').matchAll(/^\| \[`([a-z-]+)`\]\(nodes\/\1\.md\)/gm),
    ].map(([, kind]) => kind!);
    expect(listed.sort()).toEqual(kinds);
    const [, table = ''] = /\n### Node kinds\n([^]*?)\n###? /.exec(contract) ?? [];
    const cells = [...table.matchAll(/^\| (`[a-z-]+`(?:, `[a-z-]+`)*) /gm)].map(([, cell]) => cell!);
    expect(cells.flatMap((cell) => cell.match(/[a-z-]+/g)!).sort()).toEqual(kinds);
  });

  it.each([
    ['docs/contract.md', /(?<=\{provider: )"[^,]*/, /"([a-z-]+)"/g, MODEL_PROVIDER_IDS],
    [
      'docs/getting-started.md',
      /\n\| `DEFAULT_MODEL_PROVIDER`[^]*?\n\n/,
      /^\| `([a-z-]+)`/gm,
      MODEL_PROVIDER_IDS,
    ],
    ['docs/documents.md', /(?<=^- `provider` is )[^.]*/m, /`([a-z-]+)`/g, EMBEDDING_PROVIDER_IDS],
  ])('lists the providers of models, as the service has them: %s', (path, part, provider, ids) => {
    const [list = ''] = part.exec(readFileSync(join(root, path), 'utf8')) ?? [];
    expect([...list.matchAll(provider)].map(([, id]) => id!).sort()).toEqual([...ids].sort());
  });

  it('names no variable that is not read', () => {
    const named = [...contract.matchAll(/`([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+|SAMPLES)\b/g)].map(
      ([, name]) => name!,
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !(name in environment.shape))).toEqual([]);
  });
});
