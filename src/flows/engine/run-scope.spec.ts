import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunInput } from './node-kind.js';
import { attachedTexts, RunScope } from './run-scope.js';
import { fillTemplate, parseTemplate } from './template.js';

const run: RunInput = {
  executionId: 'an-execution',
  flowId: 'a-flow',
  chatId: 'a-chat',
  sessionId: 'a-session',
  question: 'Hello {{chatId}}',
  form: { x: 'of the form' },
  uploads: [{ type: 'file', name: 'note.txt', mime: 'text/plain', bytes: Buffer.from('hi') }],
  history: () => Promise.resolve([{ role: 'user', content: 'Before' }]),
  vars: new Map([['x', 'of the variable']]),
  publicUrl: 'http://127.0.0.1',
};

describe('what a template can name', () => {
  const scope = new RunScope(run, { x: 'of the state' }, () => 0);
  const filled = (text: string) =>
    fillTemplate(parseTemplate(text), (root, path) => scope.lookup(root, path));

  const table = readFileSync(join(__dirname, 'README.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `{{'))
    .flatMap((line) => [...line.split(' | ')[0]!.matchAll(/\{\{[^}]+\}\}/g)].map(([reference]) => reference));
  /** These are not the run's: a node's output, and what stands only within one node or body. */
  const ofNodes = table.filter((reference) =>
    /^\{\{(<nodeId>|output|\$iteration|loop_count)/.test(reference),
  );

  beforeAll(() => scope.loadHistory());

  it('has a value for everything that the table of the README lists', () => {
    const ofRun = table.filter((reference) => !ofNodes.includes(reference));
    expect(ofRun.length).toBeGreaterThan(14);
    expect(ofRun.filter((reference) => filled(reference) === reference)).toEqual([]);
  });

  it('leaves as written what has none', () => {
    for (const reference of [
      '{{nothing}}',
      '{{$flow.state.y}}',
      '{{$flow.secret}}',
      '{{$vars.y}}',
      ...ofNodes,
    ])
      expect(filled(reference)).toBe(reference);
  });

  it('never reads a value again', () => {
    expect(filled('{{ question }}')).toBe('Hello {{chatId}}');
  });
});

describe('attached texts', () => {
  const attached = (bytes: Buffer) =>
    attachedTexts([{ type: 'file', name: 'note.txt', mime: 'text/plain', bytes }]);

  it.each([
    ['UTF-8', Buffer.from('Küche – 5 €')],
    ['Windows-1252 if they are not UTF-8', Buffer.from('K\xfcche \x96 5 \x80', 'latin1')],
  ])('are read as %s', (_, bytes) => {
    expect(attached(bytes)).toBe("<doc name='note.txt'>Küche – 5 €</doc>");
  });
});
