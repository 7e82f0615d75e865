import { inList, SharedRead } from './shared-read.js';
import type { SqlReader, SqlValue } from './tx.js';

interface Row {
  id: string;
  value: number;
}

describe('a shared read', () => {
  const statements: (readonly SqlValue[])[] = [];
  let answer: (keys: readonly SqlValue[]) => Promise<Row[]>;
  const reader = {
    all: (_sql: string, keys: readonly SqlValue[]) => {
      statements.push(keys);
      return answer(keys);
    },
  } as unknown as SqlReader;
  const rows = (keys: readonly SqlValue[]) =>
    [...new Set(keys)]
      .filter((key) => key !== 'none')
      .map((key) => ({ id: String(key), value: String(key).length }));

  const byId = () => new SharedRead<Row>(reader, inList('SELECT … WHERE id IN'), (row) => [row.id]);

  beforeEach(() => {
    statements.length = 0;
    answer = async (keys) => rows(keys);
  });

  it('asks at once for the first key, and once for all that came meanwhile', async () => {
    const shared = byId();
    const found = await Promise.all(['a', 'bb', 'ccc', 'bb', 'none'].map((key) => shared.one(key)));
    expect(found.map((row) => row?.value)).toEqual([1, 2, 3, 2, undefined]);
    expect(statements).toEqual([['a'], ['bb', 'ccc', 'none', 'bb']]);
  });

  it('reads again for a key that is asked for while its statement is under way', async () => {
    const shared = byId();
    let value = 1;
    answer = async (keys) => {
      const seen = value++;
      return keys.map((key) => ({ id: String(key), value: seen }));
    };
    const first = shared.one('a');
    const second = shared.one('a');
    expect([(await first)?.value, (await second)?.value]).toEqual([1, 2]);
  });

  it('tells everybody who asked when a statement fails, and goes on', async () => {
    const shared = byId();
    answer = async () => Promise.reject(new Error('the database is gone'));
    await expect(Promise.all([shared.one('a'), shared.one('b')])).rejects.toThrow('gone');
    answer = async (keys) => rows(keys);
    expect((await shared.one('a'))?.value).toBe(1);
  });
});
