import { unlinkSync, utimesSync } from 'node:fs';
import {
  auditStorage,
  doubtOf,
  type KindAudit,
  removeRuns,
  storageReport,
} from '../src/console/storage-audit/storage-audit.js';
import { DatabaseReader } from '../src/database/database-reader.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { BlobStore } from '../src/storage/blob-store.js';
import type { DiskStore } from '../src/storage/disk-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { recordPhotograph } from './support/recorded-photographs.js';

const DAY_S = 24 * 3600;

describe('an audit of the store', () => {
  let service: TestApp;
  let store: DiskStore;

  beforeEach(async () => {
    service = await startTestApp();
    store = service.app.get<BlobStore, DiskStore>(BlobStore);
  });

  afterEach(() => service.close());

  const record = () => recordPhotograph(service, { flowId: 'f', sessionId: 's' });
  const audit = () => auditStorage(store, service.app.get(DatabaseReader), Date.now());
  const leaveBehind = async (ageSeconds: number, kind = 'reports'): Promise<string> => {
    const { key } = await store.put(kind, Buffer.from('left'));
    const changedAt = Date.now() / 1000 - ageSeconds;
    utimesSync(store.pathOf(key), changedAt, changedAt);
    return key;
  };
  const of = (audits: KindAudit[], kind: string) => audits.find((one) => one.kind === kind)!;

  it('reports an empty store', async () => {
    expect(storageReport(await audit())).toBe('  The store is empty, and no row names a file.\n');
  });

  it('finds nothing wrong after normal use', async () => {
    await record();
    await record();
    const audits = await audit();
    expect(of(audits, 'renditions')).toMatchObject({ blobs: 2, unnamed: [], missing: [] });
    expect(doubtOf(audits)).toBeUndefined();
  });

  it('finds orphans of a crash, once no row can still be written', async () => {
    for (let count = 0; count < 3; count++) await record();
    const old = await leaveBehind(DAY_S + 60);
    await leaveBehind(DAY_S - 60);
    const audits = await audit();
    expect(of(audits, 'reports')).toMatchObject({ blobs: 2, unnamed: [{ key: old, bytes: 4 }] });
    expect(doubtOf(audits)).toBeUndefined();
    expect(storageReport(audits)).toContain('reports: 2 (0.0 MB), named by no row 1 (0.0 MB), missing 0');
  });

  it('removes orphaned calls of runs that are older than some minutes', async () => {
    const young = await leaveBehind(60, 'runs');
    const old = await Promise.all([1, 2, 3].map(() => leaveBehind(16 * 60, 'runs')));
    const report = await leaveBehind(16 * 60);
    const audits = await audit();
    expect(doubtOf(audits)).toBeUndefined();
    expect(await removeRuns(store, audits)).toBe(3 * 4);
    const left = await Promise.all([young, report, ...old].map((key) => store.exists(key)));
    expect(left).toEqual([true, true, false, false, false]);
  });

  it('names a missing blob, and lets nothing be moved then', async () => {
    await record();
    const { key } = await record();
    unlinkSync(store.pathOf(key));
    const audits = await audit();
    expect(of(audits, 'renditions').missing).toEqual([key]);
    expect(storageReport(audits)).toContain(`missing: ${key}`);
    expect(doubtOf(audits)).toBe('a file that a row names is missing');
  });

  it('misses no blob whose row is deleted while it looks', async () => {
    const key = await leaveBehind(0, 'previews');
    unlinkSync(store.pathOf(key));
    await service.app.get(WriteGate).write((tx) =>
      tx.run(
        `INSERT INTO previews (id, execution_id, session_id, flow_ids, filename, storage_key, bytes, sha256, expires_at)
         VALUES ('p', 'e', 's', '[]', 'f', ?, 1, 'x', 1)`,
        [key],
      ),
    );
    const exists = store.exists.bind(store);
    const looked = jest.spyOn(store, 'exists').mockImplementation(async (asked) => {
      await service.app.get(WriteGate).write((tx) => tx.run('DELETE FROM previews'));
      return exists(asked);
    });
    expect(doubtOf(await audit())).toBeUndefined();
    expect(looked).toHaveBeenCalledWith(key);
  });

  it('lets nothing be moved beside the database of another store', async () => {
    await record();
    await leaveBehind(DAY_S + 60);
    await leaveBehind(DAY_S + 60);
    expect(doubtOf(await audit())).toBe('most files are named by no row');
  });
});
