import { endedRuns, failureOf, resultOf, tokensOf } from '../../../test/fixtures/flows/flow-runs.js';
import { runNodes } from '../../../test/fixtures/flows/run-nodes.js';
import type { Json } from '../engine/json.js';
import { pieces } from './reply.node.js';

describe('start', () => {
  it('gives the state its first values, and leaves those that the chat knows', async () => {
    const events = await runNodes(
      [{ kind: 'reply', config: { message: '{{$flow.state.a}}{{$flow.state.b}}' } }],
      { state: { a: 1 } },
      { start: { state: { a: 0, b: 0 } } },
    );
    expect(resultOf(events)).toMatchObject({ text: '10', state: { a: 1, b: 0 }, stateChanged: true });
  });
});

describe('reply', () => {
  it('streams its message in a few pieces, cut after words', async () => {
    const events = await runNodes([{ kind: 'reply', config: { message: 'You asked: {{question}}' } }]);
    expect(tokensOf(events)).toEqual(['You ', 'asked: ', 'How ', 'are ', 'you?']);
    expect(resultOf(events).text).toBe('You asked: How are you?');
  });

  const offering = (choices: unknown) =>
    runNodes([{ kind: 'reply', config: { message: 'Well?', choices } as never }], {
      vars: new Map([['list', ['a', 2]]]),
    });

  it.each([
    [
      ['Yes', 'Not {{question}}'],
      ['Yes', 'Not How are you?'],
    ],
    ['{{$vars.list}}', ['a', '2']],
    ['["{{$vars.list.1}}", "b"]', ['2', 'b']],
    ['', undefined],
    [[], undefined],
    [undefined, undefined],
  ])('offers the answers %j', async (choices, offered) => {
    expect(resultOf(await offering(choices))).toMatchObject({ text: 'Well?' });
    expect(resultOf(await offering(choices)).followUpPrompts).toEqual(offered);
  });

  it('says nothing where its answers are no list', async () => {
    const events = await offering('{{question}}');
    expect(failureOf(events)).toBe('"choices" must be a JSON array; it is "How are you?".');
    expect(tokensOf(events)).toEqual([]);
  });

  it('never makes more than eight pieces, and loses nothing', () => {
    for (const text of ['', 'x', ' ', 'x'.repeat(10_000), 'a b '.repeat(5_000), '  a  b  ']) {
      expect(pieces(text).join('')).toBe(text);
      expect(pieces(text).length).toBeLessThanOrEqual(8);
    }
  });
});

describe('set-state', () => {
  it('sets values and keeps their types', async () => {
    const config = { state: { q: '{{question}}!', list: '{{$vars.list}}' } };
    const nodes = [
      { kind: 'set-state', config },
      { kind: 'reply', config: { message: '{{$flow.state.list.1}}' } },
    ];
    const result = resultOf(await runNodes(nodes, { vars: new Map([['list', [1, 2]]]) }));
    expect(result).toMatchObject({ text: '2', state: { q: 'How are you?!', list: [1, 2] } });
  });
});

describe('the texts in objects and lists', () => {
  const written = { who: '{{question}}', all: [{ n: '{{$vars.n}}', plain: 1 }, '{{question}}!'] };
  const filled = { who: 'How are you?', all: [{ n: '7', plain: 1 }, 'How are you?!'] };
  const cases: [kind: string, config: Record<string, Json>, output: Json][] = [
    ['set-state', { state: { a: written } }, { a: filled }],
    ['function', { code: 'return $a', inputs: { a: written } }, filled],
    ['tool', { tool: 'function', code: 'return $a', arguments: { a: written } }, filled],
  ];

  it.each(cases)('are filled in by %s', async (kind, config, output) => {
    const events = await runNodes([{ kind, config }], { vars: new Map([['n', 7]]) });
    expect(endedRuns(events, 'n0')[0]).toMatchObject({ output });
  });
});

describe('a value that the caller has set', () => {
  const sent = '{{$vars.key}}';
  const tool = { tool: 'function', code: 'return $a', arguments: {} };
  const condition = { operation: 'equal', value1: sent, value2: 'K3Y' };
  const cases: [kind: string, config: Record<string, Json>, path: string, value: Json, output: Json][] = [
    ['set-state', { state: {} }, 'state', { a: sent, b: [{ c: sent }] }, { a: sent, b: [{ c: sent }] }],
    ['set-state', { state: { a: 'mine' } }, 'state.a', sent, { a: sent }],
    ['function', { code: 'return $a', inputs: {} }, 'inputs', { a: sent }, sent],
    ['condition', { conditions: [] }, 'conditions', [condition], { branch: 'else' }],
    ['tool', tool, 'arguments', { a: sent }, sent],
    ['tool', tool, 'arguments', { a: [sent] }, [sent]],
  ];

  it.each(cases)('is no template for %s %j, %s', async (kind, config, path, value, output) => {
    const events = await runNodes([{ kind, config }], {
      vars: new Map([['key', 'K3Y']]),
      nodeOverrides: new Map([['n0', new Map([[path, value]])]]),
    });
    expect(endedRuns(events, 'n0')[0]).toMatchObject({ output });
  });

  it('leaves the other texts of its node templates', async () => {
    const events = await runNodes([{ kind: 'set-state', config: { state: { q: '{{question}}', a: '' } } }], {
      nodeOverrides: new Map([['n0', new Map([['state.a', sent]])]]),
    });
    expect(endedRuns(events, 'n0')[0]).toMatchObject({ output: { q: 'How are you?', a: sent } });
  });
});
