import { randomUUID } from 'node:crypto';
import { BlobStore } from '../src/storage/blob-store.js';
import { RenderFixture, withFile } from './fixtures/renders.js';
import { readPdf } from './support/read-pdf.js';
import { type Answer } from './support/service-client.js';

const details = {
  address: '14 Acacia Avenue, Leeds',
  assessor: 'Duty Inspector',
  tenant: 'Jo Tenant',
  reportType: 'checkin',
  propertyNo: '14',
  postcode: 'LS1 4AP',
  areaComments: { Kitchen: ['Worn worktop'] },
  keyDetails: { numberOfKeys: 2 },
  skippedAreas: 'gas-meter',
};

describe('a report with the record of its inspection', () => {
  const room = new RenderFixture();
  const { client, photographs, render } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const at = (sessionId: string, flowId: string) =>
    `inspection/sessions/${sessionId}/details?flowId=${flowId}`;
  /** Makes a session with a photograph and these details in its record. */
  const recorded = async (
    known: object = details,
    sessionId: string = randomUUID(),
    flowId = room.flowId,
  ) => {
    await photographs(sessionId, 1, flowId);
    expect((await client.admin('PATCH', at(sessionId, flowId), known)).status).toBe(200);
    return sessionId;
  };
  const stored = async (sessionId: string, flowId = room.flowId) =>
    (await client.admin('GET', at(sessionId, flowId))).body.details as object;
  const textOf = async ({ body }: Answer) => {
    const pdf = await (await fetch(body.file.url as string)).arrayBuffer();
    return withFile(new Uint8Array(pdf), (path) => readPdf(path).text);
  };

  it('prints members that the render omits, and the same when it is redrawn', async () => {
    const sessionId = await recorded();
    const answer = await render({ sessionId, meta: { tenant: 'Al Other' } });
    const text = await textOf(answer);
    for (const member of [
      'Check-In Inspection Report',
      details.address,
      'Duty Inspector',
      'Al Other',
      'Worn worktop',
    ])
      expect(text).toContain(member);
    expect(text).not.toContain('Jo Tenant');
    expect(answer.body.file.filename).toMatch(/ 14 LS1 4AP\.pdf$/);
    expect(answer.body.outstandingAreas).toEqual(['electricity-meter', 'water-meter', 'detectors']);
    await client.admin('PATCH', at(sessionId, room.flowId), { address: 'Elsewhere' });
    const again = await client.admin('POST', `pdf/reports/${answer.body.file.id}/redraw`);
    expect(again.body).toMatchObject({ identical: true, file: { sha256: answer.body.file.sha256 } });
  });

  it('leaves members blank that the render sets to null or empty', async () => {
    const sessionId = await recorded();
    const answer = await render({
      sessionId,
      meta: { address: null, tenant: '', keyDetails: '', skippedAreas: null, reportType: 'checkin' },
    });
    const text = await textOf(answer);
    for (const blank of ['Acacia', 'Jo Tenant']) expect(text).not.toContain(blank);
    expect(text).toContain('Duty Inspector');
    expect(answer.body.outstandingAreas).toHaveLength(5);
    expect(answer.body.warnings).toEqual([]);
  });

  it('accepts areas that the record skips although everything is required', async () => {
    const sessionId = await recorded({
      reportType: 'checkout',
      skippedAreas: 'keys|detectors|gas-meter|water-meter',
    });
    const refused = await render({ sessionId, requireComplete: true });
    expect(refused.status).toBe(409);
    expect(refused.body.outstandingAreas).toEqual(['electricity-meter']);
  });

  it('consumes the comments on areas, and nothing else', async () => {
    const sessionId = await recorded();
    expect((await render({ sessionId })).body.claimed).toBe(1);
    const { areaComments: _, ...others } = details;
    expect(await stored(sessionId)).toEqual(others);
    await photographs(sessionId);
    expect(await textOf(await render({ sessionId }))).not.toContain('Worn worktop');
  });

  it('prints a comment on an area under the name that the area was given', async () => {
    const sessionId = await recorded();
    const rename = await client.admin('POST', `inspection/sessions/${sessionId}/areas/rename`, {
      ...{ from: 'Kitchen', to: 'Kitchen diner' },
    });
    expect(rename.status).toBe(200);
    const answer = await render({ sessionId });
    expect(answer.body.warnings).toEqual([]);
    expect(await textOf(answer)).toContain('Worn worktop');
  });

  it("retains comments that it did not print, because the render's took precedence or nothing was pending", async () => {
    const sessionId = await recorded();
    const own = await render({ sessionId, meta: { areaComments: { Kitchen: ['Mine'] } } });
    expect(await textOf(own)).toContain('Mine');
    expect((await render({ sessionId })).body.file).toBeNull();
    expect(await stored(sessionId)).toEqual(details);
  });

  it('restores the comments when it fails, unless they were replaced meanwhile', async () => {
    const sessionId = await recorded();
    const store = room.app.app.get(BlobStore);
    const failing = async (meanwhile: () => Promise<unknown>) => {
      const full = jest.spyOn(store, 'keep').mockImplementationOnce(async () => {
        await meanwhile();
        throw new Error('ENOSPC: no space left on device');
      });
      expect((await render({ sessionId })).status).toBe(500);
      full.mockRestore();
    };
    await failing(async () => expect(await stored(sessionId)).not.toHaveProperty('areaComments'));
    expect(await stored(sessionId)).toEqual(details);
    const areaComments = { Hall: ['Scuffed'] };
    await failing(() => client.admin('PATCH', at(sessionId, room.flowId), { areaComments }));
    expect(await stored(sessionId)).toEqual({ ...details, areaComments });
    expect((await render({ sessionId })).body.claimed).toBe(1);
  });

  it('is not filled for a caller who may not read the record', async () => {
    const guessed = await recorded(details, `447700900123-${randomUUID()}`);
    expect(await textOf(await render({ sessionId: guessed }))).not.toContain('Acacia');
    expect(await stored(guessed)).toEqual(details);
    await photographs(guessed);
    expect(await textOf(await render({ sessionId: guessed }, room.adminHeaders()))).toContain('Acacia');
    const keyed = await recorded(details, `447700900456-${randomUUID()}`, room.keyed.flowId);
    expect(await textOf(await render({ sessionId: keyed }, room.keyed.headers))).toContain('Acacia');
  });

  it('of several flows is filled from the named flow, else from the record changed last', async () => {
    const sessionId = randomUUID();
    await recorded({ address: 'The open one' }, sessionId);
    await recorded({ address: 'The keyed one' }, sessionId, room.keyed.flowId);
    const named = await render({ sessionId, flowId: room.flowId }, room.keyed.headers);
    expect(await textOf(named)).toContain('The open one');
    await photographs(sessionId);
    expect(await textOf(await render({ sessionId }, room.keyed.headers))).toContain('The keyed one');
    await photographs(sessionId);
    expect(await textOf(await render({ sessionId }))).toContain('The open one');
  });

  it('warns if its type differs from that of the record', async () => {
    const sessionId = await recorded();
    const { body } = await render({ sessionId, meta: { reportType: 'checkout' } });
    expect(body.warnings).toMatchObject([
      { code: 'report_type_differs', path: 'meta.reportType', suggestion: 'checkin' },
    ]);
  });

  it('has the logo of the record, and a warning if its id is unknown', async () => {
    const sessionId = await recorded({ address: 'Here', logo: randomUUID() });
    const { body } = await render({ sessionId });
    expect(body.claimed).toBe(1);
    expect(body.warnings).toHaveLength(1);
    expect(body.warnings[0].path).toBe('meta.logo');
  });

  it('prints the comments in one of two renders at once', async () => {
    const sessionId = await recorded();
    const answers = await Promise.all([1, 2, 3, 4].map(() => render({ sessionId })));
    const drawn = answers.filter(({ body }) => body.file);
    expect(drawn).toHaveLength(1);
    expect(await textOf(drawn[0]!)).toContain('Worn worktop');
    expect(await stored(sessionId)).not.toHaveProperty('areaComments');
  });
});
