import { z } from 'zod';
import { faultsOf, firstFaultOf } from './plain-faults.js';

/** Each fault as `path message`. */
const told = (schema: z.ZodType, value: unknown): string[] =>
  faultsOf(schema.safeParse(value).error!).map(({ path, message }) => `${path} ${message}`.trim());

describe('the words of faults', () => {
  it.each<[schema: z.ZodType, value: unknown, ...said: string[]]>([
    [z.object({ name: z.string() }), {}, 'name is missing: send a text'],
    [z.object({ name: z.string() }), { name: 7 }, 'name must be a text'],
    [z.object({ name: z.string() }), 'x', 'must be an object'],
    [z.object({ on: z.boolean() }), { on: 'yes' }, 'on must be true or false'],
    [z.array(z.number()), ['x'], '0 must be a number'],
    [z.array(z.number()), {}, 'must be a list'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.int(), 2 ** 60, 'must be at most 9007199254740991'],
    [z.record(z.string(), z.string()), 3, 'must be an object'],
    [z.enum(['a', 'b', 'c']), 'd', 'must be "a", "b" or "c"'],
    [z.object({ k: z.enum(['a', 'b']) }), {}, 'k is missing: send "a" or "b"'],
    [z.literal('only'), 'other', 'must be "only"'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(3), 'x', 'must have at least 3 characters'],
    [z.string().max(1), 'xy', 'must have at most 1 character'],
    [z.string().length(4), 'x', 'must have exactly 4 characters'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 element'],
    [z.number().min(2), 1, 'must be at least 2'],
    [z.number().gt(2), 2, 'must be more than 2'],
    [z.number().max(2), 3, 'must be at most 2'],
    [z.number().lt(2), 2, 'must be less than 2'],
    [z.number().multipleOf(5), 7, 'must be a multiple of 5'],
    [z.email(), 'x', 'must be a plain e-mail address'],
    [z.url(), 'x', 'must be a web address'],
    [z.iso.datetime(), 'x', 'must be an ISO 8601 time such as 2026-11-21T09:30:00Z'],
    [z.string().regex(/^a/), 'b', 'must be of the form that the API description gives'],
    [
      z.strictObject({ colour: z.string() }),
      { colour: 'x', color: 'y' },
      'does not have a member "color": it has "colour"',
    ],
    [z.union([z.string(), z.number()]), true, 'must be a text, or must be a number'],
    [
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      { kind: 'c' },
      'kind must be "a" or "b"',
    ],
    [z.string().refine(() => false), 'x', 'is not valid: see the API description'],
    [z.string('must be a name'), 7, 'must be a name'],
  ])('%#: say what to send', (schema, value, ...said) => {
    expect(told(schema, value)).toEqual(said);
  });

  it('stand at their path below where the value stood', () => {
    const { error } = z.object({ a: z.array(z.string()) }).safeParse({ a: ['x', 7] });
    expect(faultsOf(error!, 'nodes.3.config')).toEqual([
      { path: 'nodes.3.config.a.1', message: 'must be a text' },
    ]);
    expect(firstFaultOf(error!)).toBe('a.1 must be a text');
  });

  it('repeat at most the beginning of a name that the caller sent, and a hundred faults', () => {
    const { error } = z.strictObject({}).safeParse({ ['x'.repeat(1_000_000)]: 1 });
    expect(faultsOf(error!)[0]!.message.length).toBeLessThan(120);
    expect(
      told(
        z.array(z.string()),
        Array.from({ length: 5_000 }, () => 1),
      ),
    ).toHaveLength(100);
  });
});
