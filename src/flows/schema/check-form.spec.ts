import { LimitedThreads } from '../../common/processes/limited-thread.js';
import type { Json } from '../engine/json.js';
import { formFault } from './check-form.js';
import { isTooLarge, schemaCost, valuesIn } from './schema-cost.js';

/** Each level refers twice to the next. */
function doubling(levels: number): Json {
  const $defs: Record<string, Json> = { [`l${levels}`]: { type: 'string' } };
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/l${level + 1}` };
    $defs[`l${level}`] = { anyOf: [next, { description: 'again', ...next }] };
  }
  return { type: 'object', properties: { value: { $ref: '#/$defs/l0' } }, $defs };
}

const tree: Json = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      required: ['name'],
    },
  },
};

describe('the form of a value', () => {
  it('is what its schema says, also by references that lead back', async () => {
    expect(await formFault({ name: 'a', children: [{ name: 'b' }] }, tree)).toBeUndefined();
    expect(await formFault({ name: 'a', children: [{ name: 1 }] }, tree)).toContain('children.0.name');
    expect(await formFault({ value: 'x' }, doubling(3))).toBeUndefined();
    expect(await formFault({ value: 1 }, doubling(3))).toContain('value');
  });

  it('is not looked for on the main thread for longer than some milliseconds', async () => {
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const faults = await Promise.all([1, 2].map(() => formFault({ value: {} }, doubling(60))));
    clearInterval(timer);
    expect(await formFault({}, { $ref: '#' })).toMatch(/takes too long|^$/);
    expect(faults).toEqual(Array(2).fill('its schema takes too long to check: make it simpler'));
    expect(longest).toBeLessThan(1_000);
  });
});

describe('a schema of thousands of parts', () => {
  const members = (count: number): Json => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }]),
    ),
  });

  it('is compiled in a thread', async () => {
    const inThread = jest.spyOn(LimitedThreads.prototype, 'run');
    try {
      expect(await formFault({ p9: 1 }, members(900))).toContain('p9');
      expect(inThread).not.toHaveBeenCalled();
      expect(await formFault({ p9: 1 }, members(1_100))).toContain('p9');
      expect(
        await formFault({ a: 1 }, { enum: Array.from({ length: 600 }, (_, a) => ({ a })) }),
      ).toBeUndefined();
      expect(inThread).toHaveBeenCalledTimes(2);
    } finally {
      inThread.mockRestore();
    }
  });
});

describe('the cost of a schema', () => {
  it('exhausts no stack, however long the chain of references or the list of values', () => {
    const $defs: Record<string, Json> = { d20000: {} };
    for (let link = 0; link < 20_000; link++) $defs[`d${link}`] = { $ref: `#/$defs/d${link + 1}` };
    expect(schemaCost({ $ref: '#/$defs/d0', $defs })).toBe(Infinity);
    expect(valuesIn(Array<Json>(1_000_000).fill(1), 500_000)).toBe(500_000);
  });

  it('counts what references stand for, and knows those that lead back', () => {
    expect(schemaCost({ type: 'object', properties: { a: { type: 'string' } } })).toBe(3);
    expect(schemaCost(doubling(10))).toBeGreaterThan(2 ** 10);
    expect(schemaCost(doubling(200))).toBeGreaterThanOrEqual(1e9);
    expect(schemaCost(tree)).toBe(Infinity);
    const nested = (levels: number): Json =>
      levels === 0 ? {} : { type: ['object', 'array'], properties: { a: nested(levels - 1) } };
    expect(schemaCost(nested(20))).toBeGreaterThan(2 ** 20);
    expect(schemaCost({ $ref: '#/nowhere' })).toBe(1);
    expect(schemaCost({ const: { a: [1, 2] }, description: 'four values' })).toBe(5);
    expect(schemaCost({ enum: ['a', 'b', [1]] })).toBe(3);
  });

  it('counts members with the names of keywords', () => {
    const { properties, $defs } = doubling(20) as { properties: { value: Json }; $defs: Json };
    const named = (name: string): Json => ({
      type: 'object',
      properties: { [name]: properties.value },
      $defs,
    });
    expect(
      ['value', 'default', 'enum', '$defs'].map((name) => schemaCost(named(name)) > 2 ** 20),
    ).not.toContain(false);
  });

  it('is too large where references double without end, and not where they lead back', () => {
    expect([doubling(10), doubling(60), tree].map(isTooLarge)).toEqual([false, true, false]);
  });
});
