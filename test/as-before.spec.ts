import { randomUUID } from 'node:crypto';
import { RenderFixture, withFile } from './fixtures/renders.js';
import { readPdf } from './support/read-pdf.js';

describe('a check-out that quotes its check-in', () => {
  const room = new RenderFixture();
  const { client } = room;
  const report = {
    items: { kitchen: ['Worktop', 'Hob'] },
    defaultSentence: 'All items good and clean unless otherwise stated.',
    layout: 'compact',
  };
  let flowId: string;
  let office: Record<string, string>;
  let checkIn: string;

  const capture = (sessionId: string, body: object) =>
    client.send('POST', '/api/v1/inspection/capture', { flowId, sessionId, ...body }, office);
  const details = (sessionId: string, body: object, headers = office) =>
    client.send('PATCH', `/api/v1/inspection/sessions/${sessionId}/details?flowId=${flowId}`, body, headers);
  const things = async (sessionId: string) => {
    await room.photographs(sessionId, 1, flowId);
    return sessionId;
  };
  const render = (source: { sessionId: string } & Record<string, unknown>, headers = office) =>
    room.render({ flowId, ...source }, headers);
  const codesOf = ({ body }: { body: { warnings: { code: string; path?: string }[] } }) =>
    body.warnings.map(({ code, path }) => [code, path]);
  const pdfOf = async (answer: { body: { file: { url: string } } }) =>
    new Uint8Array(await (await fetch(answer.body.file.url)).arrayBuffer());

  beforeAll(async () => {
    await room.start();
    office = room.keyed.headers;
    const { body } = await client.admin('GET', `flows/${room.keyed.flowId}`);
    flowId = await client.flow({ ...definitionOf(body), name: 'Check-outs', report });
    const sessionId = await things(room.session());
    await capture(sessionId, {
      area: 'Kitchen',
      observations: [
        { item: 'Hob (gas)', condition: 'good', description: 'Four rings, one scratch' },
        { item: 'Worktop', condition: 'fair', details: [{ label: 'Colour', value: 'Oak' }] },
      ],
    });
    checkIn = (await render({ sessionId, meta: { reportType: 'checkin' } })).body.file.id;
  });
  afterAll(() => room.close());

  const definitionOf = ({ nodes, edges, access }: Record<string, unknown>) => ({ nodes, edges, access });

  it('prints the words of the check-in, in the order of the flow’s items, and compares with it', async () => {
    const sessionId = await things(randomUUID());
    const changed = await details(sessionId, {
      previousReport: checkIn,
      tenancy: { start: '2025-11-03', end: 'soon' },
      present: ['Tenant'],
    });
    expect(codesOf(changed)).toEqual([['wrong_type', 'details.tenancy.end']]);
    expect(changed.body.details).toEqual({
      previousReport: checkIn,
      tenancy: { start: '2025-11-03' },
      present: ['Tenant'],
    });
    const { body } = await capture(sessionId, {
      area: 'Kitchen',
      observations: [
        { item: 'Hob – Gas', asBefore: true },
        { item: 'Worktop', condition: 'damaged', responsibility: 'tenant', action: 'repair', note: 'Burnt' },
      ],
    });
    expect(body.recordedFacts).toMatchObject([
      { fact: { item: 'Hob – Gas', asBefore: true } },
      { fact: { condition: 'damaged', responsibility: 'tenant', action: 'repair', note: 'Burnt' } },
    ]);
    const made = await render({ sessionId, meta: { reportType: 'checkout' } });
    expect(made.body.warnings).toEqual([]);
    const { text } = withFile(await pdfOf(made), readPdf);
    expect(text).toContain('one scratch');
    expect(text.indexOf('Worktop')).toBeLessThan(text.indexOf('Hob – Gas'));
    await client.admin('PUT', `flows/${flowId}`, {
      ...definitionOf((await client.admin('GET', `flows/${flowId}`)).body),
      name: 'Check-outs',
    });
    const { id } = made.body.file;
    expect((await client.admin('POST', `pdf/reports/${id}/redraw`)).body.identical).toBe(true);
    const compared = await client.send(
      'POST',
      '/api/v1/pdf/render',
      { templateId: 'comparison', source: { type: 'comparison', after: id } },
      office,
    );
    expect(compared.status).toBe(200);
  });

  it('drops a report that the caller may not read, or that is none, in the same words', async () => {
    const sessionId = await things(randomUUID());
    const open = room.flowId;
    const at = `/api/v1/inspection/sessions/${sessionId}/details?flowId=${open}`;
    for (const previousReport of [checkIn, randomUUID()]) {
      const { body } = await client.send('PATCH', at, { previousReport, company: 'Lets' });
      expect(body).toMatchObject({
        details: { company: 'Lets' },
        warnings: [{ code: 'previous_report_dropped' }],
      });
      expect(body.details).not.toHaveProperty('previousReport');
    }
    const captured = await room.capture({ sessionId, details: { previousReport: checkIn } });
    expect(codesOf({ body: captured })).toEqual([['previous_report_dropped', 'details.previousReport']]);
    await room.photographs(sessionId, 1, open);
    const made = await room.render({ sessionId, flowId: open, meta: { previousReport: checkIn } });
    expect(codesOf(made)).toEqual([['previous_report_dropped', 'meta.previousReport']]);
    const stored = await client.admin('GET', `pdf/reports/${made.body.file.id}/details`);
    expect(stored.body.details).not.toHaveProperty('previousReport');
  });

  it('lists the items of the check-in, page by page, with those that the session has recorded', async () => {
    const sessionId = randomUUID();
    const at = `/api/v1/inspection/sessions/${sessionId}/previous-items`;
    const list = (query: string, headers = office) =>
      client.send('GET', `${at}?flowId=${flowId}${query}`, undefined, headers);
    expect((await list('')).body).toEqual({ report: null, data: [], nextCursor: null });
    await details(sessionId, { previousReport: checkIn });
    const { body } = await capture(sessionId, {
      area: 'kitchen',
      observations: [{ item: 'hob – gas', asBefore: true }],
    });
    const [factId] = (body.recordedFacts as { id: string }[]).map(({ id }) => id);
    const first = await list('&limit=1');
    expect(first.body).toEqual({
      report: { id: checkIn, reference: expect.any(String), inspected: expect.any(String) },
      data: [
        {
          ...{ area: 'Kitchen', areaType: 'room', item: 'Worktop', text: 'fair, Colour Oak' },
          factId: null,
        },
      ],
      nextCursor: expect.any(String),
    });
    const cursor = first.body.nextCursor as string;
    expect((await list(`&limit=1&cursor=${cursor}`)).body).toMatchObject({
      data: [{ item: 'Hob (gas)', factId }],
      nextCursor: null,
    });
    await client.send('DELETE', `/api/v1/inspection/facts/${factId}`, undefined, office);
    expect((await list('')).body.data).toMatchObject([{ factId: null }, { factId: null }]);
    expect((await list('&cursor=odd')).body.code).toBe('invalid_request');
    expect((await list('', {})).body.code).toBe('invalid_api_key');
  });

  it('is quoted for the holder of a session in whose details the office named it', async () => {
    const sessionId = randomUUID();
    const at = `/api/v1/inspection/sessions/${sessionId}`;
    await room.photographs(sessionId, 1, room.flowId);
    const query = `?flowId=${room.flowId}`;
    await client.admin('PATCH', `inspection/sessions/${sessionId}/details${query}`, {
      previousReport: checkIn,
    });
    await room.capture({ sessionId, area: 'Kitchen', observations: [{ item: 'Hob, gas', asBefore: true }] });
    const { body } = await client.send('GET', `${at}/previous-items${query}`);
    expect(body.data).toMatchObject([{ item: 'Worktop' }, { item: 'Hob (gas)', factId: expect.any(String) }]);
    const made = await room.render({ sessionId, flowId: room.flowId, meta: { reportType: 'checkout' } });
    expect(made.body.warnings).toEqual([]);
    expect(withFile(await pdfOf(made), readPdf).text).toContain('one scratch');
  });

  it('is never the report itself or an earlier edition of it', async () => {
    const edition = async (id: string, meta: object) => {
      const path = `/api/v1/pdf/reports/${id}/editions`;
      return client.send('POST', path, { meta, reason: 'Names the check-in.' }, office);
    };
    const sessionId = await things(randomUUID());
    const { id: first } = (await render({ sessionId, meta: {} })).body.file;
    const made = await edition(first, { previousReport: first, company: 'Lets' });
    expect(codesOf(made)).toEqual([['previous_report_dropped', 'meta.previousReport']]);
    expect(made.body.warnings[0].message).toContain('itself or an earlier edition of it');
    const { id: second } = made.body.file;
    expect(codesOf(await edition(second, { previousReport: first }))).toEqual([
      ['previous_report_dropped', 'meta.previousReport'],
    ]);
    const stored = await client.admin('GET', `pdf/reports/${second}/details`);
    expect(stored.body.details).toEqual({ company: 'Lets' });
  });

  it('is needed by a comparison that names no earlier report', async () => {
    const source = { type: 'comparison', after: checkIn };
    const answer = await client.send(
      'POST',
      '/api/v1/pdf/render',
      { templateId: 'comparison', source },
      office,
    );
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'source.before' }] } });
  });

  it('has three photographs a row with the layout compact of a request, which comes before that of the flow', async () => {
    const across = async (layout?: string) => {
      const sessionId = randomUUID();
      await room.photographs(sessionId, 3, room.flowId);
      const body = layout === undefined ? {} : { layout };
      const made = await room.render({ sessionId, flowId: room.flowId, meta: {} }, {}, body);
      const { pages } = withFile(await pdfOf(made), readPdf);
      const rows = pages.flatMap(({ pictures }, page) => pictures.map(({ y }) => `${page} ${Math.round(y)}`));
      return Math.max(...rows.map((row) => rows.filter((other) => other === row).length));
    };
    expect([await across(), await across('standard'), await across('compact')]).toEqual([2, 2, 3]);
  });

  it('refuses an unknown layout and unknown kinds of rooms', async () => {
    const sessionId = room.session();
    const refused = await room.render({ sessionId, flowId }, office, { layout: 'dense' });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'layout' }] } });
    const flow = await client.admin('POST', 'flows', {
      ...{ name: 'Odd', nodes: [{ id: 'start', kind: 'start', config: {} }], edges: [] },
      report: { items: { attic: ['Beam'] } },
    });
    expect(flow).toMatchObject({ status: 400, body: { errors: [{ path: 'report.items' }] } });
  });
});
