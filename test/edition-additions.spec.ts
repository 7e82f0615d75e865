import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { BlobStore } from '../src/storage/blob-store.js';
import { openFlow, RenderFixture, withFile } from './fixtures/renders.js';
import { startTestApp, TEST_ADMIN_KEY } from './support/app.js';
import { startChild } from './support/child-process.js';
import { recordPhotograph, smallJpeg } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const textOf = (pdf: ArrayBuffer, ...options: string[]): string =>
  withFile(new Uint8Array(pdf), (path) =>
    execFileSync('pdftotext', [...options, path, '-'], { encoding: 'utf8' }),
  );

/** The numbers under the photographs, in print order. */
const numbersIn = (text: string): number[] =>
  [...text.slice(text.indexOf('Contents')).matchAll(/^Photograph (\d+)$/gm)].map(([, number]) =>
    Number(number),
  );

describe('an edition that adds photographs', () => {
  const fixture = new RenderFixture();
  const { adminHeaders, capture, client, photographs, render, session } = fixture;

  beforeAll(() => fixture.start());
  afterAll(() => fixture.close());

  const edition = (id: string, body: object = {}, headers: Record<string, string> = adminHeaders()) =>
    client.send(
      'POST',
      `/api/v1/pdf/reports/${id}/editions`,
      { reason: 'The hall was missing.', addPhotographs: true, ...body },
      headers,
    );
  const pdfOf = async ({ body }: Answer) => (await fetch(body.file.url as string)).arrayBuffer();
  const redrawn = async ({ body }: Answer) =>
    (await client.admin('POST', `pdf/reports/${body.file.id}/redraw`)).body.identical as boolean;
  const pictures = async (count: number) => {
    const data = (await smallJpeg()).toString('base64');
    return Array.from({ length: count }, () => ({ data }));
  };
  const idsOf = (captured: Answer['body']) => (captured.recorded as { id: string }[]).map(({ id }) => id);

  /** Makes the report of a session with three photographs of a kitchen. */
  const reported = async () => {
    const sessionId = session();
    const ids = idsOf(await capture({ sessionId, area: 'Kitchen', photographs: await pictures(3) }));
    const answer = await render({ sessionId, meta: { address: '1 High Street', tenant: 'Ann' } });
    return { sessionId, ids, answer, id: answer.body.file.id as string };
  };

  it('claims what is pending, with the remarks and facts recorded since, and continues the numbers', async () => {
    const { sessionId, ids, answer, id } = await reported();
    const late = await capture({ sessionId, area: 'Kitchen', photographs: await pictures(1) });
    await capture({ sessionId, area: 'Hall', photographs: await pictures(1) });
    await capture({ sessionId, area: 'Hall', observations: [{ item: 'Door', condition: 'poor' }] });
    await capture({ sessionId, remark: 'The hall smells of paint' });
    const made = await edition(id, {
      corrections: [{ photographId: ids[1], withdrawn: true, reason: 'Blurred.' }],
    });
    expect(made).toMatchObject({
      status: 200,
      body: { edition: 2, replaces: id, claimed: 2, file: { photographs: 4 }, warnings: [] },
    });
    const text = textOf(await pdfOf(made));
    expect(numbersIn(text)).toEqual([1, 3, 4, 5]);
    expect(text).toContain('The hall smells of paint');
    expect(textOf(await pdfOf(made), '-layout')).toMatch(/Door +Poor/);
    expect((await render({ sessionId })).body).toMatchObject({ file: null, reason: 'nothing_pending' });
    expect(await client.admin('GET', `inspection/photographs/${idsOf(late)[0]}`)).toMatchObject({
      body: { pending: false },
    });

    const { body: manifest } = await client.admin('GET', `pdf/reports/${made.body.file.id}/manifest`);
    const listed = manifest.signed.manifest;
    expect(listed.photographs.map(({ number }: { number: number }) => number)).toEqual([1, 3, 4, 5]);
    expect([listed.withdrawn.length, listed.facts.length]).toEqual([1, 1]);
    const pack = await client.admin('POST', `pdf/reports/${made.body.file.id}/pack`, {});
    expect(pack.body.parts).toHaveLength(1);

    expect(await redrawn(answer)).toBe(true);
    expect(await redrawn(made)).toBe(true);
  });

  it('retains numbers through later editions, and is redrawn unchanged after them', async () => {
    const { sessionId, ids, answer, id } = await reported();
    const added = idsOf(await capture({ sessionId, area: 'Hall', photographs: await pictures(2) }));
    const second = await edition(id);
    await capture({ sessionId, area: 'Attic', photographs: await pictures(1) });
    const third = await edition(second.body.file.id as string, {
      corrections: [
        { photographId: added[0], withdrawn: true },
        { photographId: ids[0], area: 'Hall' },
      ],
    });
    expect(third.body).toMatchObject({ edition: 3, claimed: 1 });
    const fourth = await edition(third.body.file.id as string, {
      corrections: [{ photographId: added[0], withdrawn: false }],
    });
    expect(fourth.body).toMatchObject({ edition: 4, claimed: 0, warnings: [{ code: 'nothing_pending' }] });
    const numbers = await Promise.all(
      [answer, second, third, fourth].map(async (each) => numbersIn(textOf(await pdfOf(each)))),
    );
    expect(numbers).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4, 5],
      [1, 5, 2, 3, 6],
      [1, 4, 5, 2, 3, 6],
    ]);
    for (const each of [answer, second, third, fourth]) expect(await redrawn(each)).toBe(true);
  });

  it('lists old words, new words, reason and date of each change, and names the edition in each footer', async () => {
    const { sessionId, ids, id } = await reported();
    await capture({ sessionId, area: 'Hall', photographs: await pictures(2) });
    const made = await edition(id, {
      meta: { tenant: 'Bob' },
      corrections: [{ photographId: ids[0], area: 'Pantry', reason: 'Wrong room.' }],
    });
    const pdf = await pdfOf(made);
    const text = textOf(pdf, '-layout');
    const day = '\\d{1,2} [A-Z][a-z]{2} \\d{4}';
    expect(text).toContain('Changed in this edition');
    for (const row of [
      `Photograph 1, Kitchen +Area: Kitchen +Area: Pantry +Wrong room\\. +${day}`,
      `Tenant +Ann +Bob +The hall was missing\\. +${day}`,
      `Photographs 4–5 +Added: Hall +The hall was missing\\. +${day}`,
    ])
      expect(text).toMatch(new RegExp(row));
    const [cover] = text.split('\f');
    expect(cover).toContain('Changed in this edition');
    const pages = text.split('\f').filter((page) => page.trim() !== '');
    for (const page of pages) expect(page).toMatch(/Edition 2 · Ref\. [0-9A-F]{8}/);
  });

  it('claims named photographs alone and leaves the others to the next report', async () => {
    const { sessionId, id } = await reported();
    const added = idsOf(await capture({ sessionId, area: 'Hall', photographs: await pictures(3) }));
    const made = await edition(id, { addPhotographs: [added[2], added[2], added[0]] });
    expect(made.body).toMatchObject({ claimed: 2, file: { photographs: 5 } });
    expect((await render({ sessionId })).body.claimed).toBe(1);
  });

  it('warns if nothing is pending, and leaves remarks to the next claim', async () => {
    const { sessionId, id } = await reported();
    await capture({ sessionId, area: 'Hall', remark: 'Cold' });
    const made = await edition(id);
    expect(made.body).toMatchObject({
      claimed: 0,
      warnings: [{ code: 'nothing_pending', path: 'addPhotographs' }],
    });
    expect(textOf(await pdfOf(made))).not.toContain('Cold');
    await photographs(sessionId, 1);
    const next = await edition(made.body.file.id as string);
    expect(textOf(await pdfOf(next))).toContain('Cold');
  });

  it.each([false, null, []])('adds nothing for %j', async (addPhotographs) => {
    const { sessionId, id } = await reported();
    await photographs(sessionId, 1);
    expect((await edition(id, { addPhotographs })).body).toMatchObject({ edition: 2, claimed: 0 });
    expect((await render({ sessionId })).body.claimed).toBe(1);
  });

  it('refuses unknown, foreign, withdrawn and claimed photographs with their places, and claims nothing', async () => {
    const { sessionId, ids, id } = await reported();
    const added = idsOf(await capture({ sessionId, area: 'Hall', photographs: await pictures(2) }));
    await client.admin('POST', `inspection/photographs/${added[1]}/corrections`, { withdrawn: true });
    const other = session();
    const [foreign] = idsOf(
      await capture({ sessionId: other, area: 'Hall', photographs: await pictures(1) }),
    );
    const refused = await edition(id, { addPhotographs: [added[0], randomUUID(), foreign, added[1]] });
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'addPhotographs.1',
      'addPhotographs.2',
      'addPhotographs.3',
    ]);
    const claimed = await edition(id, { addPhotographs: [added[0], ids[0]] });
    expect(claimed).toMatchObject({ status: 409, body: { code: 'already_claimed' } });
    expect(claimed.body.message).toContain(ids[0]);
    expect((await edition(id, { addPhotographs: 'all' })).body.errors).toMatchObject([
      { path: 'addPhotographs' },
    ]);
    expect((await edition(id, { addPhotographs: [added[0]] })).body).toMatchObject({
      edition: 2,
      claimed: 1,
    });
  });

  it('adds photographs of flows that the caller may use, and leaves those of others', async () => {
    const sessionId = session();
    const { flowId: own, headers } = fixture.keyed;
    await photographs(sessionId, 1, own);
    const { body: report } = await render({ sessionId }, headers);
    const { body: key } = await client.admin('POST', 'api-keys', { name: 'other office' });
    const closed = await client.flow({ ...openFlow, name: 'Closed', access: { apiKeyId: key.id } });
    const [pending] = await photographs(sessionId, 1, closed);
    await photographs(sessionId, 1, own);
    const second = await edition(report.file.id as string, {}, headers);
    expect(second.body).toMatchObject({ edition: 2, claimed: 1 });
    const newest = second.body.file.id as string;
    const named = await edition(newest, { addPhotographs: [pending!.id] }, headers);
    expect(named.body.errors).toMatchObject([{ path: 'addPhotographs.0' }]);
    await photographs(sessionId, 1, own);
    await photographs(sessionId, 1);
    const third = await edition(newest);
    expect(third.body).toMatchObject({ edition: 3, claimed: 2, file: { photographs: 4 } });
    const statusOf = async (id: string) =>
      (await client.send('GET', `/api/v1/pdf/reports/${id}/file`, undefined, headers)).status;
    expect([await statusOf(newest), await statusOf(third.body.file.id as string)]).toEqual([200, 200]);
    const theirs = await render({ sessionId }, { authorization: `Bearer ${key.key}` });
    expect(theirs.body.claimed).toBe(1);
  });

  it('claims each photograph for exactly one of many editions and renders at once', async () => {
    const { sessionId, id } = await reported();
    await photographs(sessionId, 4);
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => edition(id)),
      ...Array.from({ length: 4 }, () => render({ sessionId })),
    ]);
    const made = answers.filter(({ status, body }) => status === 200 && body.file !== null);
    expect(made.map(({ body }) => body.claimed as number).reduce((sum, each) => sum + each, 0)).toBe(4);
    expect(made.filter(({ body }) => body.claimed > 0)).toHaveLength(1);
    expect(answers.slice(0, 4).filter(({ body }) => body.edition === 2)).toHaveLength(1);
    for (const { status, body } of answers.slice(0, 4))
      if (status !== 200) expect([status, body.code]).toEqual([409, 'already_replaced']);
    for (const each of made) expect(await redrawn(each)).toBe(true);
  });

  it('releases the photographs if it fails', async () => {
    const { sessionId, id } = await reported();
    await photographs(sessionId, 2);
    const keep = jest
      .spyOn(fixture.app.app.get(BlobStore), 'keep')
      .mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
    const failed = await edition(id);
    keep.mockRestore();
    expect(failed).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    expect(failed.body.message).toContain('pending again');
    expect((await edition(id)).body).toMatchObject({ edition: 2, claimed: 2 });
  });

  it('is replayed under its Idempotency-Key and claims no more', async () => {
    const { sessionId, id } = await reported();
    await photographs(sessionId, 1);
    const headers = { ...adminHeaders(), 'idempotency-key': randomUUID() };
    const first = await edition(id, {}, headers);
    await photographs(sessionId, 1);
    expect((await edition(id, {}, headers)).text).toBe(first.text);
    const other = await edition(id, { addPhotographs: false }, headers);
    expect(other.body.code).toBe('idempotency_key_reused');
    expect((await render({ sessionId })).body.claimed).toBe(1);
  });

  it('counts what it adds in the outstanding areas', async () => {
    const sessionId = session();
    await photographs(sessionId, 1);
    const { body } = await render({
      sessionId,
      meta: { reportType: 'checkin', skippedAreas: 'keys|gas-meter' },
    });
    await photographs(sessionId, 1, fixture.flowId, 'Gas meter');
    const made = await edition(body.file.id as string);
    expect(made.body.outstandingAreas).toEqual(['electricity-meter', 'water-meter', 'detectors']);
    const text = textOf(await pdfOf(made));
    expect(text.match(/Not available — reported by the inspector\./g)).toHaveLength(1);
  });
});

describe('an edition that adds photographs and whose process is killed', () => {
  it('leaves them pending at the next start', async () => {
    const before = await startTestApp();
    const client = new ServiceClient(() => before);
    const flowId = await client.flow(openFlow);
    const sessionId = 'killed';
    const record = async (count: number) => {
      for (let index = 0; index < count; index++) await recordPhotograph(before, { flowId, sessionId });
    };
    await record(1);
    const source = { type: 'inspection', sessionId };
    const report = await client.send('POST', '/api/v1/pdf/render', { templateId: 'inspection', source });
    await record(60);
    await before.close({ keep: true });

    const { dataDir, databaseUrl } = before.place;
    const { child, firstLine, exit } = startChild('service-child.ts', [dataDir, databaseUrl]);
    const service = { url: await firstLine, adminKey: TEST_ADMIN_KEY };
    const place = `pdf/reports/${report.body.file.id}/editions`;
    const body = { reason: 'More', addPhotographs: true };
    const sent = await new ServiceClient(() => service).send('POST', `/api/v1/${place}`, body, {
      authorization: `Bearer ${TEST_ADMIN_KEY}`,
      prefer: 'respond-async',
    });
    child.kill('SIGKILL');
    await exit;
    expect(sent.status).toBe(202);

    const after = await startTestApp({ place: before.place });
    try {
      const again = new ServiceClient(() => after);
      const interrupted = await again.ended(sent.body.executionId as string);
      expect(interrupted).toMatchObject({ status: 'failed', code: 'interrupted' });
      const made = await again.admin('POST', place, body);
      expect(made.body).toMatchObject({ edition: 2, claimed: 60, file: { photographs: 61 } });
    } finally {
      await after.close();
    }
  });
});
