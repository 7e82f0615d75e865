import type { CaseCheck } from '../../api/cases.js';
import { type CheckedAnswer, checkFaults, runChecks } from './checks.js';

const answer = (text: string, more: Partial<CheckedAnswer> = {}): CheckedAnswer => ({
  text,
  credits: 2,
  durationMs: 40,
  ...more,
});
const judge = () => Promise.resolve({ passed: true, detail: 'Judged.' });
const check = async (one: CaseCheck, given: CheckedAnswer) =>
  (await runChecks([one], given, { flowId: 'flow', judge }))[0]!;

describe('a check of an answer', () => {
  it.each<[CaseCheck, CheckedAnswer, boolean, RegExp]>([
    [{ kind: 'contains', value: 'gas' }, answer('the gas meter'), true, /contains/],
    [{ kind: 'contains', value: 'gas' }, answer('the water meter'), false, /does not contain "gas"/],
    [{ kind: 'equals', value: 'yes' }, answer('yes'), true, /expected/],
    [{ kind: 'equals', value: 'yes' }, answer('yet'), false, /character 3: "t"/],
    [{ kind: 'equals', value: 'yes' }, answer('ye'), false, /character 3/],
    [{ kind: 'equals', value: '😀😀 yes' }, answer('😀😀 yet'), false, /character 6: "t"/],
    [{ kind: 'equals', value: '😀' }, answer('😀 yes'), false, /character 2: " yes"/],
    [{ kind: 'equals', value: '😀' }, answer('😁'), false, /character 1: "😁"/],
    [{ kind: 'equals', value: '😀😀s' }, answer('😀😀'), false, /character 3: ""/],
    [{ kind: 'regex', value: '^\\d+ keys$' }, answer('12 keys'), true, /12 keys/],
    [{ kind: 'regex', value: '(' }, answer('('), false, /No part/],
    [{ kind: 'json', path: 'a.1.b', equals: 2 }, answer('{"a":[0,{"b":2}]}'), true, /"a.1.b" is 2/],
    [{ kind: 'json', path: 'a', equals: 2 }, answer('', { json: { a: 3 } }), false, /is 3, not 2/],
    [
      { kind: 'json', path: '', equals: { b: 1, a: 2 } },
      answer('', { json: { a: 2, b: 1 } }),
      true,
      /answer is/,
    ],
    [{ kind: 'json', path: 'toString', equals: 2 }, answer('{"a":1}'), false, /missing/],
    [{ kind: 'json', path: 'a', equals: 2 }, answer('no JSON'), false, /not JSON/],
    [
      { kind: 'schema', schema: { type: 'object', required: ['a'] } },
      answer('{"b":1}'),
      false,
      /does not fit.*a/,
    ],
    [{ kind: 'schema', schema: { type: 'object' } }, answer('{"b":1}'), true, /fits/],
    [
      { kind: 'schema', schema: { properties: { a: { required: ['b'] } } } },
      answer('{"a":{}}'),
      false,
      /does not fit.*a\.b/,
    ],
    [{ kind: 'schema', schema: { if: {}, then: {} } }, answer('{}'), false, /cannot be checked/],
    [{ kind: 'schema', schema: { minItems: 2 } }, answer('[1]'), false, /at least 2 elements/],
    [{ kind: 'schema', schema: { const: { a: [1] } } }, answer('{"a":[1]}'), true, /fits/],
    [{ kind: 'max', credits: 2, ms: 40 }, answer(''), true, /2 of 2 credits, 40 of 40 ms/],
    [
      { kind: 'max', tokens: 9 },
      answer('', { tokens: { inputTokens: 6, outputTokens: 4 } }),
      false,
      /10 of 9 tokens/,
    ],
    [{ kind: 'judge', rubric: 'polite' }, answer('please'), true, /Judged/],
  ])('%j', async (one, given, passed, detail) => {
    expect(await check(one, given)).toEqual({ passed, detail: expect.stringMatching(detail) });
  });

  it('of texts that differ at their end alone takes one pass', async () => {
    const same = 'a'.repeat(65_535);
    const last = await check({ kind: 'equals', value: `${same}b` }, answer(`${same}c`));
    expect(last).toEqual({ passed: false, detail: 'The answer differs from character 65536: "c".' });
  });

  it('with a pattern that other engines never end is bounded', async () => {
    const slow = await check({ kind: 'regex', value: '(a+)+$' }, answer(`${'a'.repeat(50_000)}b`));
    expect(slow.passed).toBe(false);
  });

  it('that could never pass is a fault when it is saved', async () => {
    const checks: CaseCheck[] = [
      { kind: 'regex', value: 'a+' },
      { kind: 'regex', value: '(' },
      { kind: 'schema', schema: { if: {}, then: {} } },
      { kind: 'schema', schema: { type: 'object', properties: { properties: { type: 'array' } } } },
      { kind: 'schema', schema: { const: { if: 1 } } },
    ];
    expect((await checkFaults(checks)).map(({ path }) => path)).toEqual([
      'checks.1.value',
      'checks.2.schema',
    ]);
  });

  it('that cannot be carried out fails and says why, and the others are run', async () => {
    const broken = () => Promise.reject(new Error('The model has no key.'));
    const results = await runChecks(
      [
        { kind: 'judge', rubric: 'polite' },
        { kind: 'contains', value: 'a' },
      ],
      answer('a'),
      { flowId: 'flow', judge: broken },
    );
    expect(results).toMatchObject(
      [{ passed: false, detail: /The model has no key/ }, { passed: true }].map((each) =>
        typeof each.detail === 'object' ? { ...each, detail: expect.stringMatching(each.detail) } : each,
      ),
    );
  });
});
