import { eventually } from '../../../test/support/eventually.js';
import { Logger } from '../../common/logger.js';
import { GroupWriter } from './group-writer.js';

const logger = new Logger('silent');

function writerWith(write: (rows: readonly string[]) => Promise<void>, mostPending = 1_000) {
  return new GroupWriter<string>({ name: 'rows', mostPending, weigh: (row) => row.length, write, logger });
}

describe('a group of rows', () => {
  it('is written within 50 ms, all that came meanwhile at once', async () => {
    const groups: (readonly string[])[] = [];
    const group = writerWith(async (rows) => void groups.push(rows));
    for (const row of ['a', 'b', 'c']) group.add(row, row);
    expect(groups).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(groups).toEqual([['a', 'b', 'c']]);
  });

  it('holds the latest row of a key', async () => {
    const written: string[] = [];
    const group = writerWith(async (rows) => void written.push(...rows));
    group.add('k', 'first');
    group.add('k', 'second');
    expect(group.weight).toBe('second'.length);
    await group.flush();
    expect(written).toEqual(['second']);
    expect(group.weight).toBe(0);
  });

  it('is flushed with everything that was added before', async () => {
    const written: string[] = [];
    const group = writerWith(async (rows) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      written.push(...rows);
    });
    group.add('a', 'a');
    const flushing = group.flush();
    group.add('b', 'b');
    await Promise.all([flushing, group.flush()]);
    expect(written).toEqual(['a', 'b']);
  });

  it('does not grow beyond its bound while the database stands still', async () => {
    let release = (): void => undefined;
    const still = new Promise<void>((resolve) => (release = resolve));
    const written: string[] = [];
    const group = writerWith(async (rows) => {
      await still;
      written.push(...rows);
    }, 10);
    const taken = Array.from({ length: 50 }, (_, index) => group.add(`${index}`, `${index}`));
    expect(taken.filter((kept) => kept)).toHaveLength(10);
    expect(group.weight).toBe(10);
    release();
    await group.flush();
    expect(written).toHaveLength(10);
  });

  it('is written again after a failure of the database', async () => {
    const written: string[] = [];
    let failures = 1;
    const group = writerWith(async (rows) => {
      if (failures-- > 0) throw new Error('the database restarts');
      written.push(...rows);
    });
    group.add('a', 'a');
    await group.flush();
    expect(written).toEqual(['a']);
  });

  it('loses only the row that cannot be written', async () => {
    const written: string[] = [];
    const group = writerWith(async (rows) => {
      if (rows.includes('bad')) throw new Error('cannot be stored');
      written.push(...rows);
    });
    for (const row of ['a', 'bad', 'b']) group.add(row, row);
    await group.close();
    expect(written).toEqual(['a', 'b']);
  });

  it('waits for a database that is away, keeping the latest row of a key and keeping nobody', async () => {
    const written: string[] = [];
    let away = true;
    const group = writerWith(async (rows) => {
      if (away) throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
      written.push(...rows);
    });
    group.add('a', 'first');
    group.add('b', 'b');
    await group.flush();
    expect(written).toEqual([]);
    expect(group.weight).toBe('firstb'.length);
    group.add('a', 'second');
    await group.flush();
    away = false;
    await eventually(() => written.length === 2);
    expect(written.sort()).toEqual(['b', 'second']);
    expect(group.weight).toBe(0);
  });

  it('waits for a database that goes away while the group is written row by row', async () => {
    const written: string[] = [];
    let single = 0;
    const group = writerWith(async (rows) => {
      if (rows.includes('bad')) throw new Error('cannot be stored');
      if (++single === 2) throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
      written.push(...rows);
    });
    for (const row of ['a', 'bad', 'b', 'c']) group.add(row, row);
    await group.flush();
    expect(written).toEqual(['a']);
    expect(group.weight).toBe('bc'.length);
    await eventually(() => written.length === 3);
    expect(written).toEqual(['a', 'b', 'c']);
  });

  it('is given up when the service stops while the database is away', async () => {
    const group = writerWith(async () => {
      throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
    });
    group.add('a', 'a');
    await group.close();
    expect(group.weight).toBe(0);
  });
});
