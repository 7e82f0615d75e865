import { validate, version } from 'uuid';
import { firstIdAt, isExecutionId, newExecutionId } from './execution-id.js';

const NOW = Date.parse('2026-11-21T09:30:00.123Z');

describe('an execution id', () => {
  it('is a UUID of version 7 that holds the time of the call', () => {
    const id = newExecutionId(NOW);
    expect(validate(id)).toBe(true);
    expect(version(id)).toBe(7);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(NOW);
    expect(isExecutionId(id)).toBe(true);
  });

  it('rises with every call of one millisecond, and never repeats', () => {
    const ids = Array.from({ length: 20_000 }, () => newExecutionId(NOW));
    expect(ids.every((id, index) => index === 0 || id > ids[index - 1]!)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  });

  it('sorts by time, so that a range of time is a range of ids', () => {
    const before = newExecutionId(NOW - 1);
    const at = newExecutionId(NOW);
    const after = newExecutionId(NOW + 1);
    expect([after, at, before].sort()).toEqual([before, at, after]);
    expect(before < firstIdAt(NOW)).toBe(true);
    expect(at >= firstIdAt(NOW)).toBe(true);
    expect(at < firstIdAt(NOW + 1)).toBe(true);
  });

  it('is recognised by its form alone', () => {
    for (const text of ['', 'x', `${newExecutionId(NOW)}0`, '0199-', "' OR 1=1", crypto.randomUUID()]) {
      expect(isExecutionId(text)).toBe(false);
    }
  });
});
