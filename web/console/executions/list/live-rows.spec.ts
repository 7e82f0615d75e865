import type { ExecutionStatus } from '../../../../src/api/execution-terms.js';
import type { ExecutionRecord } from '../../../../src/api/executions.js';
import { isListed, merged, passes } from './live-rows.js';

const record = (id: string, status: ExecutionStatus = 'succeeded') => ({ id, status }) as ExecutionRecord;
const page = (nextCursor: string | null, ...ids: string[]) => ({
  data: ids.map((id) => record(id)),
  nextCursor,
});
const idsOf = (pages: ReturnType<typeof merged>) =>
  pages.map(({ data }) => data.map(({ id }) => id).join(''));

describe('live records in the list', () => {
  const pages = [page('f', 'h', 'f'), page('c', 'e', 'c')];

  it('are inserted in order, newest first', () => {
    expect(idsOf(merged(pages, [record('i'), record('j'), record('g'), record('d')]))).toEqual([
      'jihgf',
      'edc',
    ]);
  });

  it('replace known records, and leave other pages unchanged', () => {
    const result = merged(pages, [record('e', 'failed')]);
    expect(idsOf(result)).toEqual(['hf', 'ec']);
    expect(result[1]!.data[0]!.status).toBe('failed');
    expect(result[0]).toBe(pages[0]);
    expect(pages[1]!.data[0]!.status).toBe('succeeded');
  });

  it('wait for their page if it is not loaded', () => {
    expect(idsOf(merged(pages, [record('a')]))).toEqual(['hf', 'ec']);
    expect(idsOf(merged([page('f', 'h'), page(null, 'c')], [record('a')]))).toEqual(['h', 'ca']);
    expect(idsOf(merged([page(null)], [record('a'), record('b')]))).toEqual(['ba']);
    expect(idsOf(merged([page('f'), page(null, 'c')], [record('d')]))).toEqual(['', 'dc']);
    expect(merged([], [record('a')])).toEqual([]);
  });

  it('are known when they are listed', () => {
    expect(['h', 'e', 'c', 'g', 'z', 'a'].map((id) => isListed(pages, id))).toEqual([
      ...[true, true, true],
      ...[false, false, false],
    ]);
    expect(isListed([], 'a')).toBe(false);
  });

  it('are filtered by their current state', () => {
    expect(passes(record('a', 'running'), { status: 'failed' })).toBe(false);
    expect(passes(record('a', 'failed'), { status: 'failed', chatId: 'x' })).toBe(true);
    expect(passes(record('a', 'failed'), { httpStatus: 500 })).toBe(false);
  });
});
