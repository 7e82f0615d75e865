import { callingNodes, changedRequests, type RecordedRequest } from './request-changes.js';

const request = (node: string, visit: number, input: unknown): RecordedRequest => ({ node, visit, input });
const own = { before: ['chat-of-source'], after: ['case-of-its-own'] };

describe('a changed request', () => {
  it('is reported with both of its values, by node and visit', () => {
    const before = [request('ask', 1, { prompt: 'a' }), request('ask', 2, { prompt: 'b' })];
    const after = [request('ask', 1, { prompt: 'a' }), request('ask', 2, { prompt: 'c' })];
    expect(changedRequests(before, after, own)).toEqual([
      { node: 'ask', visit: 2, before: { prompt: 'b' }, after: { prompt: 'c' } },
    ]);
  });

  it('is not one that differs by its moment or by the ids of the run', () => {
    const before = [request('ask', 1, 'At 2026-01-02T10:00:00.000Z in chat-of-source')];
    const after = [request('ask', 1, 'At 2026-11-27T11:30:00.123Z in case-of-its-own')];
    expect(changedRequests(before, after, own)).toEqual([]);
  });

  it('is not one of overlapping items that came in another order', () => {
    const before = ['a', 'b', 'c'].map((item, index) => request('each/get', index + 1, item));
    const after = ['b', 'a', 'd'].map((item, index) => request('each/get', index + 1, item));
    expect(changedRequests(before, after, own)).toEqual([
      { node: 'each/get', visit: 3, before: 'c', after: 'd' },
    ]);
  });

  it('is shortened where the changes of one case are long together: a run may have a thousand cases', () => {
    const long = (word: string) => Array.from({ length: 60 }, (_, index) => request(`n${index}`, 1, word));
    const changes = changedRequests(long('a'.repeat(4_000)), long('b'.repeat(4_000)), own);
    expect(changes).toHaveLength(50);
    expect(changes[0]).toMatchObject({ before: 'a'.repeat(4_000), after: 'b'.repeat(4_000) });
    expect(changes[49]!.after).toEqual({ truncated: true, size: 4_002, preview: `"${'b'.repeat(199)}` });
    expect(JSON.stringify(changes).length).toBeLessThan(64 * 1024);
  });

  it('is looked for in nodes that make calls', () => {
    const nodes = callingNodes(['ask#1/model', 'each#1[0]/get#12/http', 'agent#1/1/0/mcp', '@input']);
    expect([...nodes]).toEqual(['ask', 'each', 'get', 'agent']);
  });
});
