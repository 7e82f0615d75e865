import { databases } from '../../../test/support/databases.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import { openTestExecutions } from '../../../test/support/test-executions.js';
import { checked } from '../../common/bodies/valid-body.decorator.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import { newExecutionId } from '../execution-id.js';
import { executionPage } from './execution-query.js';

const START = Date.parse('2026-10-01T00:00:00.000Z');
const COUNT = 24_000;

const COLUMNS =
  'id, kind, flow_id, chat_id, status, http_status, started_at, question, code, caller_address, duration_ms';

/** One record a second; every thousandth is a render, the ten oldest say "needle". */
function records() {
  return Array.from({ length: COUNT }, (_, index) => {
    const startedAt = START + index * 1000;
    const refused = index % 4 === 3;
    return [
      newExecutionId(startedAt),
      index % 1000 === 0 ? 'render' : 'prediction',
      index % 2 === 0 ? 'even' : 'odd',
      `chat-${index % 100}`,
      refused ? 'rejected' : 'succeeded',
      refused ? 401 : 200,
      startedAt,
      index < 10 ? `Needle 100%_É ${index}` : `question ${index}`,
      refused ? 'invalid_api_key' : null,
      index % 8000 === 0 ? '203.0.113.9' : '127.0.0.1',
      index === COUNT - 1 ? null : index % 5000,
    ];
  });
}

describe.each(databases)('finding executions on %s', (kind) => {
  const rows = records();
  const { rule, fixture } = fixtureOn(kind, async () => {
    const opened = await openTestExecutions(kind);
    await opened.gate.write((tx) => insertRows(tx, `INSERT INTO executions (${COLUMNS}) VALUES`, '', rows));
    return opened;
  });

  const list = async (given: object) => {
    const { data, nextCursor } = await fixture().archive.list(checked(executionPage, given));
    return { ids: data.map((record) => record.id), data, nextCursor };
  };

  const idOf = (index: number) => rows[index]![0];

  rule('gives the newest first, fifty unless told otherwise', async () => {
    const { ids, nextCursor } = await list({});
    expect(ids).toEqual(
      rows
        .slice(-50)
        .map((row) => row[0])
        .reverse(),
    );
    expect(nextCursor).toBe(ids.at(-1));
    expect((await list({ limit: '3' })).ids).toHaveLength(3);
  });

  rule('pages with a cursor, each record once, until there is no more', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({ chatId: 'chat-7', limit: '70', ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.ids);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(
      rows
        .filter((row) => row[3] === 'chat-7')
        .map((row) => row[0])
        .reverse(),
    );
  });

  rule('filters by each member', async () => {
    const all = async (given: object) => (await list({ limit: '200', ...given })).data;
    expect((await all({ flowId: 'odd' })).every((record) => record.flowId === 'odd')).toBe(true);
    expect((await all({ kind: 'render' })).length).toBe(COUNT / 1000);
    expect((await all({ status: 'rejected' })).every((record) => record.status === 'rejected')).toBe(true);
    expect((await all({ httpStatus: '401' })).every((record) => record.httpStatus === 401)).toBe(true);
    expect(await all({ status: 'running' })).toEqual([]);
    expect(await all({ chatId: `' OR 1=1 --` })).toEqual([]);
    expect(await all({ chatId: 'a\0b', q: '\ud800' })).toEqual([]);
  });

  rule('filters by code, caller and duration, alone and together', async () => {
    const every = async (given: object) => {
      const found: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: Awaited<ReturnType<typeof list>> = await list({
          limit: '200',
          ...given,
          ...(cursor && { cursor }),
        });
        found.push(...page.ids);
        cursor = page.nextCursor;
      }
      return found;
    };
    expect(await every({ code: 'invalid_api_key' })).toHaveLength(COUNT / 4);
    expect(await every({ code: 'other' })).toEqual([]);
    expect(await every({ address: '203.0.113.9' })).toEqual([idOf(16_000), idOf(8_000), idOf(0)]);
    expect(await every({ address: '203.0.113' })).toEqual([]);
    expect(await every({ minDurationMs: '4999', to: '2026-10-01T03:00:00Z' })).toEqual([
      idOf(9_999),
      idOf(4_999),
    ]);
    expect(await every({ minDurationMs: '3000', address: '203.0.113.9' })).toEqual([idOf(8_000)]);
    expect(await every({ code: 'invalid_api_key', minDurationMs: '4999', flowId: 'odd' })).toEqual([
      idOf(19_999),
      idOf(14_999),
      idOf(9_999),
      idOf(4_999),
    ]);
  });

  rule('lists the longest first, each record once, running ones last', async () => {
    const within = { sort: 'duration', from: '2026-10-01T06:38:20Z' };
    const seen: { id: string; durationMs: number | null }[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Awaited<ReturnType<typeof list>> = await list({
        ...within,
        limit: '30',
        ...(cursor && { cursor }),
      });
      seen.push(...page.data);
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(100);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(100);
    expect(seen.map(({ durationMs }) => durationMs)).toEqual([
      ...Array.from({ length: 99 }, (_, index) => 3_998 - index),
      null,
    ]);
    expect((await list({ sort: 'duration', limit: '2', code: 'invalid_api_key' })).ids).toEqual([
      idOf(19_999),
      idOf(14_999),
    ]);
  });

  rule('filters by time, both ends included', async () => {
    const page = await list({ from: '2026-10-01T00:00:05.000Z', to: '2026-10-01T00:00:07.000Z' });
    expect(page.ids).toEqual([idOf(7), idOf(6), idOf(5)]);
    expect((await list({ to: '2026-10-01T00:00:00.999Z' })).ids).toEqual([idOf(0)]);
    expect((await list({ to: '2026-10-01' })).ids).toEqual([idOf(0)]);
    expect((await list({ to: '2026-10-01T01:00:01+01:00' })).ids).toEqual([idOf(1), idOf(0)]);
    expect((await list({ from: '2027-01-01' })).ids).toEqual([]);
  });

  rule('combines filters', async () => {
    const page = await list({
      chatId: 'chat-7',
      flowId: 'odd',
      status: 'rejected',
      httpStatus: '401',
      limit: '200',
    });
    expect(page.ids).toHaveLength(200);
    expect((await list({ chatId: 'chat-7', flowId: 'even' })).ids).toEqual([]);
    expect((await list({ kind: 'render', flowId: 'even', from: '2026-10-01T06:00:00Z' })).ids).toHaveLength(
      2,
    );
  });

  rule('finds a text without regard to case, taking % and _ for themselves', async () => {
    const within = { to: '2026-10-01T00:10:00Z' };
    expect((await list({ q: 'nEEdle', ...within })).ids).toHaveLength(10);
    expect((await list({ q: '100%_É 3', ...within })).ids).toEqual([idOf(3)]);
    expect((await list({ q: '_é 3', ...within })).ids).toEqual([idOf(3)]);
    expect((await list({ q: '%', ...within })).ids).toHaveLength(10);
    expect((await list({ q: 'invalid_api', chatId: 'chat-3' })).ids.length).toBeGreaterThan(0);
  });

  rule('finds an execution by its id wherever it stands', async () => {
    expect((await list({ q: idOf(1)! })).ids).toEqual([idOf(1)]);
    expect((await list({ q: String(idOf(1)).toUpperCase() })).ids).toEqual([idOf(1)]);
    expect((await list({ q: idOf(1)!, flowId: 'even' })).ids).toEqual([]);
  });

  rule('looks at a bounded number of records a page and goes on with the cursor', async () => {
    const pages: number[] = [];
    let cursor: string | null = null;
    do {
      const page = await list({ q: 'needle', ...(cursor === null ? {} : { cursor }) });
      pages.push(page.ids.length);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(pages).toEqual([0, 0, 10]);
  });

  rule('sees in one page what a combination of rare filters finds anywhere', async () => {
    const page = await list({
      status: 'succeeded',
      kind: 'render',
      flowId: 'even',
      to: '2026-10-01T00:20:00Z',
    });
    expect(page.ids).toEqual([idOf(1000), idOf(0)]);
    expect(page.nextCursor).toBeNull();
  });

  rule('exports every record that the filters let pass', async ({ archive }) => {
    const ids: string[] = [];
    for await (const group of archive.export({ flowId: 'odd', status: 'rejected' })) {
      expect(group.length).toBeLessThanOrEqual(100);
      ids.push(...group.map((record) => record.id));
    }
    expect(ids).toEqual(
      rows
        .filter((row) => row[4] === 'rejected')
        .map((row) => row[0])
        .reverse(),
    );
  });
});

describe('the plan of a page', () => {
  it('walks one index for each filter and never sorts', async () => {
    const fixture = await openTestExecutions('sqlite');
    const plans: Record<string, string> = {};
    const statements = jest.spyOn(fixture.reader, 'all');
    for (const [name, given] of Object.entries({
      none: {},
      chatId: { chatId: 'c' },
      flowId: { flowId: 'f' },
      kind: { kind: 'render' },
      status: { status: 'failed' },
      httpStatus: { httpStatus: '500' },
      code: { code: 'flow_failed' },
      time: { from: '2026-10-01', to: '2026-10-02' },
      chatAndTime: { chatId: 'c', from: '2026-10-01' },
      several: { chatId: 'c', status: 'failed', kind: 'render', q: 'x' },
    })) {
      statements.mockClear();
      await fixture.search.page(checked(executionPage, given));
      const [sql, values] = statements.mock.lastCall!;
      const steps = await fixture.reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
      plans[name] = steps.map((step) => step.detail).join('; ');
    }
    expect(plans).toEqual({
      none: 'SCAN executions USING INDEX sqlite_autoindex_executions_1',
      chatId: 'SEARCH executions USING INDEX executions_chat (chat_id=?)',
      flowId: 'SEARCH executions USING INDEX executions_flow (flow_id=?)',
      kind: 'SEARCH executions USING INDEX executions_kind (kind=?)',
      status: 'SEARCH executions USING INDEX executions_status (status=?)',
      httpStatus: 'SEARCH executions USING INDEX executions_http_status (http_status=?)',
      code: 'SEARCH executions USING INDEX executions_code (code=?)',
      time: 'SEARCH executions USING INDEX sqlite_autoindex_executions_1 (id>? AND id<?)',
      chatAndTime: 'SEARCH executions USING INDEX executions_chat (chat_id=? AND id>?)',
      several: 'SEARCH executions USING INDEX executions_chat (chat_id=?)',
    });
    await fixture.close();
  });
});
