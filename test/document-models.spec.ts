import { WriteGate } from '../src/database/writes/write-gate.js';
import { eventually } from './support/eventually.js';
import type { FakeEmbedding } from './support/fake-embeddings.js';
import { A_BATCH, DocumentFixture, type FilledStore, manual, rowsOf } from './support/filled-store.js';

const HOUR_MS = 60 * 60_000;

describe('a document with a faulty model (contract section 8)', () => {
  const fixture = new DocumentFixture();
  let store: FilledStore;
  beforeEach(async () => {
    store = await fixture.makeStore();
  });

  it.each<[string, FakeEmbedding]>([
    ['too few vectors', { vectors: (texts) => texts.slice(1).map(() => [1, 2]) }],
    ['an answer that does not end', { raw: `{"data":[${'[],'.repeat(12 * 1024 * 1024)}` }],
  ])('fails for %s, leaves existing chunks, and can be retried', async (_what, answer) => {
    let requestCount = 0;
    fixture.model.otherwise = () => (++requestCount === 1 ? {} : answer);
    const id = await store.add(manual(A_BATCH + 1));
    expect(await store.becomes(id, 'failed')).toMatchObject({ code: 'embedding_failed', chunks: A_BATCH });
    fixture.model.otherwise = {};
    expect(await store.found(manual(1))).toEqual([]);
    await store.save();
    await store.becomes(id, 'ready');
    expect((await rowsOf(fixture.service, id)).positions).toHaveLength(A_BATCH + 1);
  });

  it('fails for vectors of another length in the middle of one document', async () => {
    let requestCount = 0;
    fixture.model.otherwise = () => (++requestCount === 1 ? {} : { dimensions: 7 });
    const id = await store.add(manual(A_BATCH + 1));
    expect(await store.becomes(id, 'failed')).toMatchObject({ code: 'wrong_dimension', chunks: A_BATCH });
    expect((await rowsOf(fixture.service, id)).positions).toHaveLength(A_BATCH);
  });

  it.each([
    ['so long', '3600', HOUR_MS],
    ['an hour at most', '1e300', HOUR_MS],
    ['an hour at most for a date', new Date(Date.now() + 100 * 365 * 24 * HOUR_MS).toUTCString(), HOUR_MS],
  ])('waits %s if the model requests a pause (%s)', async (_how, pause, waitMs) => {
    fixture.model.requests = [];
    fixture.model.otherwise = {
      error: { status: 429, message: 'slowly', headers: { 'retry-after': pause } },
    };
    const id = await store.add(manual(2));
    await eventually(async () => (await store.one(id)).error !== null);
    fixture.model.otherwise = {};
    fixture.service.clock.advance(waitMs - 60_000);
    // Another document becomes ready while this one waits.
    await store.becomes(await store.add(manual(1, 'boiler')), 'ready');
    expect(await store.one(id)).toMatchObject({ status: 'running', chunks: 0, code: 'embedding_failed' });
    fixture.service.clock.advance(60_000);
    expect(await store.becomes(id, 'ready')).toMatchObject({ error: null, code: null });
  });

  it('fails if every process that took it died, and can be retried', async () => {
    fixture.model.otherwise = { error: { status: 503, message: 'it rests' } };
    const id = await store.add(manual(2));
    await eventually(async () => (await store.one(id)).error !== null);
    fixture.model.otherwise = {};
    const gate = fixture.service.app.get(WriteGate);
    await gate.write((tx) =>
      tx.run(`UPDATE store_documents SET attempts = 12, next_attempt_at = 0 WHERE id = ?`, [id]),
    );
    expect(await store.becomes(id, 'failed')).toMatchObject({ code: 'internal_error', chunks: 0 });
    await store.save();
    await store.becomes(id, 'ready');
  });
});
