import { databases } from '../../../test/support/databases.js';
import { fixtureOn } from '../../../test/support/fixture-on.js';
import { draftOf, openTestExecutions, succeededAt } from '../../../test/support/test-executions.js';

const DAY_MS = 86_400_000;

describe.each(databases)('the figures of executions on %s', (kind) => {
  const { rule } = fixtureOn(kind, () => openTestExecutions(kind), { perTest: true });

  rule('counts by the minute what happened within an hour of a week', async (fixture) => {
    const { stats, gate, log, clock } = fixture;
    const begin = clock.now() - 3 * DAY_MS;
    for (let run = 0; run < 200; run++) {
      const draft = draftOf(begin + run * 18_000, { flowId: 'busy' });
      await gate.write((tx) => log.open(tx, draft));
    }
    const figures = await stats.count({ flowId: 'busy' });
    expect([figures.by, figures.totals.count]).toEqual(['minute', 200]);
    expect(figures.buckets.length).toBeGreaterThan(55);
    const yearly = draftOf(begin - 300 * DAY_MS, { flowId: 'busy' });
    await gate.write((tx) => log.open(tx, yearly));
    expect((await stats.count({ flowId: 'busy', from: begin - 365 * DAY_MS })).by).toBe('day');
  });

  rule('counts for the charts by time, kind and status', async (fixture) => {
    const { stats, gate, log, clock } = fixture;
    const now = clock.now();
    for (let run = 1; run <= 100; run++) {
      const draft = draftOf(now - (run % 2) * DAY_MS, { credits: 1, flowId: 'f' });
      await gate.write((tx) => log.open(tx, draft));
      await gate.write((tx) => log.settle(tx, draft.id, succeededAt(draft.startedAt + run)));
    }
    log.refuse({
      ...draftOf(now, { flowId: 'f' }),
      status: 'rejected',
      httpStatus: 401,
      finishedAt: now + 9_000,
    });
    const figures = await stats.count({ flowId: 'f', from: now - 2 * DAY_MS, to: now, by: 'day' });
    expect(figures).toMatchObject({
      by: 'day',
      complete: true,
      totals: {
        count: 101,
        credits: 100,
        byStatus: { succeeded: 100, rejected: 1 },
        byKind: { prediction: 101 },
        durationMs: { p50: 50, p95: 95 },
      },
      buckets: [
        { at: '2026-11-20T00:00:00.000Z', count: 50, durationMs: { p50: 49, p95: 95 } },
        { at: '2026-11-21T00:00:00.000Z', count: 51, durationMs: { p50: 50, p95: 96 } },
      ],
    });
    const refused = await stats.count({
      flowId: 'f',
      status: 'rejected',
      httpStatus: 401,
      from: now - DAY_MS,
    });
    expect(refused.totals.count).toBe(1);
    expect((await stats.count({ flowId: 'f', chatId: 'other' })).totals.count).toBe(0);
    const local = await stats.count({
      flowId: 'f',
      from: now - 2 * DAY_MS,
      to: now,
      by: 'day',
      utcOffset: 60,
    });
    expect(local.buckets.map(({ at }) => at)).toEqual([
      '2026-11-19T23:00:00.000Z',
      '2026-11-20T23:00:00.000Z',
    ]);
    const minutes = await stats.count({ flowId: 'f', from: now, to: now + 1_000, by: 'minute' });
    expect(minutes.buckets).toMatchObject([{ at: new Date(now - (now % 60_000)).toISOString(), count: 51 }]);
    expect((await stats.count({ flowId: 'f', to: now + 1_000 })).by).toBe('hour');
    expect((await stats.count({ flowId: 'none' })).by).toBe('hour');
    expect((await stats.count({ flowId: 'none' })).totals).toMatchObject({
      count: 0,
      durationMs: { p50: null },
    });
  });

  rule('groups what needs attention by cause, flow and account, most frequent first', async (fixture) => {
    const { stats, gate, log, clock } = fixture;
    const now = clock.now();
    const refused = (code: string, minutesAgo: number, members: object = {}) => {
      const draft = draftOf(now - minutesAgo * 60_000, { flowId: 'f', account: 'agency', ...members });
      log.refuse({ ...draft, status: 'rejected', httpStatus: 403, code, finishedAt: draft.startedAt });
      return draft.id;
    };
    refused('insufficient_credit', 30);
    refused('insufficient_credit', 20);
    const latest = refused('insufficient_credit', 10);
    refused('insufficient_credit', 5, { account: 'other' });
    const caller = { address: '127.0.0.1', origin: 'https://a.example' };
    const page = refused('domain_not_allowed', 9, { caller });
    refused('domain_not_allowed', 8, { caller: { ...caller, origin: 'https://b.example' } });
    refused('domain_not_allowed', 7, { caller: { ...caller, origin: 'https://b.example' } });
    refused('flow_not_found', 60 * 25);
    refused('caller_gone', 3);
    const failed = draftOf(now - 60_000, { flowId: 'g', caller });
    await gate.write((tx) => log.open(tx, failed));
    const outcome = { ...succeededAt(now), status: 'failed' as const, code: 'flow_failed' };
    await gate.write((tx) => log.settle(tx, failed.id, outcome));
    const { attention } = await stats.count({ to: now });
    const since = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
    expect(attention.slice(0, 2)).toEqual([
      {
        cause: 'insufficient_credit',
        count: 3,
        flowId: 'f',
        account: 'agency',
        since: since(30),
        sample: latest,
      },
      expect.objectContaining({ cause: 'domain_not_allowed', origin: 'https://b.example', count: 2 }),
    ]);
    expect(attention.slice(2)).toEqual([
      { cause: 'flow_failed', count: 1, flowId: 'g', since: since(1), sample: failed.id },
      expect.objectContaining({ cause: 'insufficient_credit', account: 'other', count: 1 }),
      expect.objectContaining({ origin: 'https://a.example', sample: page }),
    ]);
    expect((await stats.count({ from: now - 2 * DAY_MS, to: now })).attention).toHaveLength(6);
    expect((await stats.count({ flowId: 'g', to: now })).attention).toHaveLength(1);
  });
});
