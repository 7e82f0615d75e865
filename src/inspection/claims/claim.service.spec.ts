import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { connectionsOf, dataSourceOptions, openDataSource } from '../../database/open/data-source.js';
import { migrate } from '../../database/open/migrate.js';
import type { ProcessPresence } from '../../database/presence/process-presence.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { Takeover } from '../../executions/calls/takeover.js';
import type { ExecutionLog } from '../../executions/log/execution-log.js';
import { NEWEST_LOOK } from '../report/report-look.js';
import { requirementsOf } from './claim-requirements.js';
import { type ClaimOrder, ClaimService } from './claim.service.js';

const flags = { requireComplete: false, forceFinish: false };

describe('a claim', () => {
  let directory: string;
  let dataSource: DataSource;
  let gate: WriteGate;
  let reader: DatabaseReader;
  let claims: ClaimService;
  let arrival = 0;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'claims-'));
    const url = `sqlite:${join(directory, 'claims.sqlite')}`;
    await migrate(url);
    dataSource = await openDataSource(dataSourceOptions(url));
    gate = new WriteGate(connectionsOf(dataSource));
    reader = new DatabaseReader(connectionsOf(dataSource));
    const presence = { id: 'this-process' } as ProcessPresence;
    claims = new ClaimService(reader, presence, new Clock(), {} as ExecutionLog, {} as Takeover);
  });

  afterAll(async () => {
    await gate.beforeApplicationShutdown();
    await dataSource.destroy();
    rmSync(directory, { recursive: true });
  });

  const photograph = (sessionId: string, flowId = 'flow', service: string | null = null, place?: number) =>
    gate.write((tx) =>
      tx.run(
        `INSERT INTO photographs (id, flow_id, session_id, area_key, area_name, area_type, service, captured_at, source,
           received_at, arrival, format, sha256, bytes, original_key, original_width, original_height, width, height,
           execution_id) VALUES (?, ?, ?, 'kitchen', 'Kitchen', ?, ?, 1, 'server', ?, ?, 'jpeg', 'x', 1, 'k', 1, 1, 1,
           1, 'e')`,
        [randomUUID(), flowId, sessionId, service ? 'service' : 'room', service, ++arrival, place ?? arrival],
      ),
    );

  const remark = (sessionId: string, area: string, areaType = 'service', flowId = 'flow') =>
    gate.write((tx) =>
      tx.run(
        `INSERT INTO remarks (id, flow_id, session_id, area_key, area_name, area_type, text, recorded_at, arrival,
           execution_id) VALUES (?, ?, ?, ?, ?, ?, 'seen', 1, ?, 'e')`,
        [randomUUID(), flowId, sessionId, area, area, areaType, ++arrival],
      ),
    );

  const order = (
    sessionId: string,
    given: Partial<ClaimOrder> & { meta?: unknown } = {},
    options = flags,
  ) => ({
    sessionId,
    flowIds: ['flow'],
    executionId: randomUUID(),
    source: null,
    meta: {},
    requirements: requirementsOf(given.meta, options),
    look: () => NEWEST_LOOK,
    ...given,
  });

  const claim = (...parameters: Parameters<typeof order>) =>
    gate.write((tx) => claims.claim(tx, order(...parameters)));

  const pendingIn = async (table: string, sessionId: string): Promise<number> => {
    const sql = `SELECT COUNT(*) AS count FROM ${table} WHERE session_id = ? AND claim_id IS NULL`;
    return (await reader.one<{ count: number }>(sql, [sessionId]))!.count;
  };

  it('is made once: of 200 renders at once exactly one gets all photographs', async () => {
    for (let count = 0; count < 20; count++) await photograph('crowd');
    await remark('crowd', 'Kitchen', 'room');
    const made = await Promise.all(Array.from({ length: 200 }, () => claim('crowd')));
    const winners = made.filter((each) => each !== undefined);
    expect(winners).toHaveLength(1);
    expect(winners[0]).toMatchObject({ photographs: 20, remarks: 1, state: 'drawing' });
    expect(await pendingIn('photographs', 'crowd')).toBe(0);
  });

  it('takes nothing when only remarks are pending: they wait for the next one', async () => {
    await remark('words', 'Kitchen', 'room');
    expect(await claim('words')).toBeUndefined();
    expect(await pendingIn('remarks', 'words')).toBe(1);
    await photograph('words');
    expect(await claim('words')).toMatchObject({ photographs: 1, remarks: 1 });
  });

  it('leaves photographs of flows that the caller may not use', async () => {
    await photograph('mixed', 'flow');
    await photograph('mixed', 'other-flow');
    const made = (await claim('mixed'))!;
    expect(made).toMatchObject({ photographs: 1, flowIds: ['flow'] });
    expect(await claims.flowsOfSession('mixed')).toEqual([
      { flowId: 'flow', pending: false },
      { flowId: 'other-flow', pending: true },
    ]);
    expect(await claim('mixed', { flowIds: [] })).toBeUndefined();
  });

  it('is released once, and its photographs and remarks are pending again', async () => {
    await photograph('failed');
    await remark('failed', 'Kitchen', 'room');
    const made = (await claim('failed'))!;
    const release = () => gate.write((tx) => claims.release(tx, made.id, 'disk full'));
    expect(await release()).toBe(true);
    expect(await release()).toBe(false);
    expect([await pendingIn('photographs', 'failed'), await pendingIn('remarks', 'failed')]).toEqual([1, 1]);
    expect(await claims.find(made.id)).toMatchObject({ state: 'released', failure: 'disk full' });
    expect(await gate.write((tx) => claims.settle(tx, made))).toBe(false);
  });

  it('stays with its report when the execution ends, and goes when it was unfinished', async () => {
    await photograph('ends');
    const settled = (await claim('ends'))!;
    await gate.write(async (tx) => {
      expect(await claims.settle(tx, { ...settled, meta: { address: 'x' } })).toBe(true);
      await claims.releaseOfExecution(tx, settled.executionId, 'ended');
    });
    expect(await claims.find(settled.id)).toMatchObject({ state: 'settled', meta: { address: 'x' } });
    await photograph('ends');
    const unfinished = (await claim('ends'))!;
    await gate.write((tx) => claims.releaseOfExecution(tx, unfinished.executionId, 'ended'));
    expect(await pendingIn('photographs', 'ends')).toBe(1);
  });

  it('gives its contents in order of arrival, whatever flow they came from', async () => {
    await photograph('order', 'other-flow', null, 1);
    await photograph('order', 'other-flow', null, 2);
    await photograph('order', 'flow', null, 1);
    const made = (await claim('order', { flowIds: ['flow', 'other-flow'] }))!;
    const { photographs } = await claims.reportInput(made);
    const received = photographs.map((each) => each.receivedAt);
    expect(received).toEqual([...received].sort((one, other) => one - other));
    expect(photographs.map((each) => each.arrival)).toEqual([0, 1, 2]);
  });

  describe('of a check-in', () => {
    const meta = { reportType: 'checkin' };

    it('tells which service areas are outstanding, of this and earlier claims', async () => {
      await photograph('areas', 'flow', 'gas-meter');
      expect((await claim('areas', { meta }))!.outstandingAreas).toEqual([
        'electricity-meter',
        'water-meter',
        'keys',
        'detectors',
      ]);
      await remark('areas', 'Smoke alarm');
      await photograph('areas', 'flow', 'electricity-meter');
      const next = { ...meta, skippedAreas: 'Water-Meter', keyDetails: { numberOfKeys: 2 } };
      expect((await claim('areas', { meta: next }))!.outstandingAreas).toEqual([]);
    });

    it('owes an area of which the request alone has a remark: the report drops it', async () => {
      await photograph('commented', 'flow', 'gas-meter');
      const commented = { ...meta, areaComments: { 'Smoke alarm': ['Tested'] } };
      expect((await claim('commented', { meta: commented }))!.outstandingAreas).toContain('detectors');
    });

    it('is refused with requireComplete while areas are outstanding, and nothing is claimed', async () => {
      await photograph('strict', 'flow', 'gas-meter');
      const strict = claim('strict', { meta }, { requireComplete: true, forceFinish: false });
      await expect(strict).rejects.toMatchObject({ status: 409, code: 'incomplete_inspection' });
      expect(await pendingIn('photographs', 'strict')).toBe(1);
    });

    it('is waived of every outstanding area at once by forceFinish', async () => {
      await photograph('forced');
      const forced = await claim('forced', { meta }, { requireComplete: true, forceFinish: true });
      expect(forced).toMatchObject({ outstandingAreas: [] });
    });
  });

  it('of an interim report requires no area', async () => {
    await photograph('interim');
    const options = { requireComplete: true, forceFinish: false };
    expect(await claim('interim', { meta: { reportType: 'interim' } }, options)).toMatchObject({
      outstandingAreas: [],
    });
  });
});
