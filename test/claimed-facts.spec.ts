import { randomUUID } from 'node:crypto';
import { BlobStore } from '../src/storage/blob-store.js';
import { RenderFixture, withFile } from './fixtures/renders.js';
import { readPdf } from './support/read-pdf.js';
import { smallJpeg } from './support/recorded-photographs.js';
import type { Answer } from './support/service-client.js';

describe('the facts of an inspection', () => {
  const room = new RenderFixture();
  const { client, render } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const session = () => `facts-${randomUUID()}`;
  const capture = (body: object): Promise<Answer> =>
    client.send('POST', '/api/v1/inspection/capture', { flowId: room.flowId, ...body });
  const picture = async () => ({ data: (await smallJpeg()).toString('base64') });
  const sessionOf = async (sessionId: string) =>
    (await client.admin('GET', `inspection/sessions/${sessionId}`)).body;

  const factsOf = async (sessionId: string) =>
    (await sessionOf(sessionId)).facts.map(
      ({ pending, reportId }: { pending: boolean; reportId: string }) => [pending, reportId],
    );
  const manifestOf = async ({ body }: Answer) =>
    (await client.admin('GET', `pdf/reports/${body.file.id}/manifest`)).body.signed.manifest;

  it('belong to a claim once, never alone, and stand in its list of evidence', async () => {
    const sessionId = session();
    await capture({ sessionId, area: 'Keys', keys: [{ kind: 'Front door', count: 2 }] });
    expect((await render({ sessionId })).body).toMatchObject({ file: null, reason: 'nothing_pending' });
    const pictures = [await picture(), await picture()];
    const observations = [{ item: 'Hob', condition: 'poor', photographs: [1] }];
    await capture({ sessionId, area: 'Kitchen', photographs: pictures, observations });
    const rendered = await render({ sessionId });
    const { id } = rendered.body.file;
    const { facts, photographs } = await manifestOf(rendered);
    expect(photographs).toHaveLength(2);
    expect(facts).toEqual([
      {
        ...{ id: expect.any(String), kind: 'keys', area: 'Keys', photographs: [] },
        ...{ fact: { kind: 'Front door', count: 2 }, recordedAt: expect.any(String) },
      },
      expect.objectContaining({ fact: { item: 'Hob', condition: 'poor' }, photographs: [2] }),
    ]);
    expect(await factsOf(sessionId)).toEqual([
      [false, id],
      [false, id],
    ]);
    await capture({ sessionId, photographs: [await picture()] });
    expect(await manifestOf(await render({ sessionId }))).not.toHaveProperty('facts');
  });

  it('stand in the list of evidence beside remarks and the ids of photographs', async () => {
    const sessionId = session();
    const { body } = await capture({
      sessionId,
      area: 'Hall',
      remark: 'Scuffed.',
      photographs: [await picture()],
    });
    const { photographs, remarks } = await manifestOf(await render({ sessionId }));
    expect(photographs).toMatchObject([{ id: body.recorded[0].id, number: 1 }]);
    expect(remarks).toEqual([
      { id: body.remark.id, area: 'Hall', text: 'Scuffed.', recordedAt: expect.stringMatching(/^\d{4}-/) },
    ]);
  });

  it('are pending again when the render of their claim fails', async () => {
    const sessionId = session();
    await capture({ sessionId, photographs: [await picture()], observations: [{ item: 'Rug' }] });
    const full = jest.spyOn(room.app.app.get(BlobStore), 'keep').mockRejectedValueOnce(new Error('no space'));
    expect((await render({ sessionId })).status).toBe(500);
    full.mockRestore();
    expect(await factsOf(sessionId)).toEqual([[true, null]]);
    expect((await manifestOf(await render({ sessionId }))).facts).toHaveLength(1);
  });

  it('leave the absence note of their area, which photographs take from this and later reports', async () => {
    const sessionId = session();
    const renderSkipping = () => render({ sessionId, meta: { skippedAreas: 'gas-meter|keys|water-meter' } });
    await capture({ sessionId, area: 'Gas meter', photographs: [await picture()] });
    await capture({ sessionId, area: 'Keys', keys: [{ kind: 'Fob' }] });
    const notes = async (rendered: Answer) => {
      const file = await (await fetch(rendered.body.file.url as string)).arrayBuffer();
      const { pages } = withFile(new Uint8Array(file), readPdf);
      const texts = pages.flatMap((page) => page.texts.map(({ text }) => text));
      return texts.filter((text) => text.startsWith('Not available')).length;
    };
    expect(await notes(await renderSkipping())).toBe(2);
    await capture({ sessionId, area: 'Hall', photographs: [await picture()] });
    const second = await renderSkipping();
    expect(await notes(second)).toBe(2);
    const { status, body } = await client.admin('POST', `pdf/reports/${second.body.file.id}/editions`, {
      reason: 'A comment was missing.',
    });
    expect(status).toBe(200);
    expect(await notes({ ...second, body })).toBe(2);
  });

  it('follow all of their photographs to another area in an edition that does not correct them', async () => {
    const sessionId = session();
    const photographs = [await picture(), await picture()];
    const said = { area: 'Gas meter', reading: { value: '04731' }, observations: [{ item: 'Cupboard' }] };
    const { recorded, recordedFacts } = (await capture({ sessionId, photographs, ...said })).body;
    const [one, other] = recorded.map(({ id }: { id: string }) => ({ photographId: id }));
    let latest = await render({ sessionId });
    const areasAfter = async (corrections: object[]) => {
      const body = { reason: 'Of the other meter.', corrections };
      latest = await client.admin('POST', `pdf/reports/${latest.body.file.id}/editions`, body);
      const { facts } = await manifestOf(latest);
      return facts.map(({ area }: { area: string }) => area);
    };
    const area = 'Electricity Meter';
    expect(await areasAfter([{ ...one, area }])).toEqual(['Gas meter', 'Gas meter']);
    expect(await areasAfter([{ ...other, area }])).toEqual(['Gas meter', area]);
    const [, { corrections }] = (await manifestOf(latest)).facts;
    expect(corrections).toMatchObject([{ change: { area }, reason: 'Of the other meter.' }]);
    const own = { factId: recordedFacts[1].id, unit: 'kWh' };
    const back = [one, other].map((photograph) => ({ ...photograph, area: 'Gas Meter' }));
    expect(await areasAfter([...back, own])).toEqual(['Gas meter', area]);
    expect(await areasAfter([{ ...one, area }])).toEqual(['Gas meter', area]);
  });

  it('complete a claim if their areas are required', async () => {
    const sessionId = session();
    const meta = { reportType: 'checkin', skippedAreas: 'water-meter|gas-meter' };
    await capture({ sessionId, area: 'Kitchen', photographs: [await picture()] });
    await capture({ sessionId, area: 'Electric meter', reading: { value: '1' } });
    await capture({ sessionId, area: 'Detectors', alarm: { kind: 'CO' } });
    await capture({ sessionId, area: 'Keys', observations: [{ item: 'Fob' }] });
    const source = { sessionId, meta, requireComplete: true };
    expect((await render(source)).body).toMatchObject({
      code: 'incomplete_inspection',
      outstandingAreas: ['keys'],
    });
    await capture({ sessionId, area: 'Keys', keys: [{ kind: 'Fob' }] });
    expect((await render(source)).body).toMatchObject({ outstandingAreas: [], claimed: 1 });
  });
});
