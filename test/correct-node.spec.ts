import { randomUUID } from 'node:crypto';
import { RenderFixture, withFile } from './fixtures/renders.js';
import { readPdf } from './support/read-pdf.js';
import { smallJpeg } from './support/recorded-photographs.js';

/** Corrections in a chat, and their effect on the report (contract sections 5, 6 and 9). */
describe('the node correct', () => {
  const room = new RenderFixture();
  const { client } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const correcting = (config: object) => ({
    name: 'Second thoughts',
    nodes: [
      { id: 'start', kind: 'start' },
      { id: 'record', kind: 'capture', config: { area: 'Kitchn' } },
      { id: 'correct', kind: 'correct', config },
    ],
    edges: [
      { from: 'start', to: 'record' },
      { from: 'record', to: 'correct' },
    ],
  });
  const flow = (config: object) => client.flow(correcting(config));
  const says = {
    area: '{{$vars.area}}',
    withdrawn: '{{$vars.withdrawn}}',
    turn: '{{$vars.turn}}',
    undo: '{{$vars.undo}}',
  };
  const correctBy = async (flowId: string, chatId: string, vars: object, pictures = 0) => {
    const uploads = await Promise.all(
      Array.from({ length: pictures }, async () => ({
        ...{ type: 'file', name: 'x.jpg', mime: 'image/jpeg' },
        data: `data:image/jpeg;base64,${(await smallJpeg()).toString('base64')}`,
      })),
    );
    const body = { question: 'x', chatId, uploads, overrideConfig: { vars } };
    const answer = await client.predict(flowId, body);
    expect(answer.status).toBe(200);
    return JSON.parse(answer.body.text as string);
  };

  it('corrects the newest photographs of its chat, and undoes step by step', async () => {
    const flowId = await flow({ ...says, target: 'last', count: '{{$vars.count}}' });
    const chatId = randomUUID();
    const moved = await correctBy(flowId, chatId, { area: 'Kitchen', count: '2' }, 3);
    expect(moved).toMatchObject({ corrected: 2, area: 'Kitchen', corrections: [{ by: 'chat' }] });
    expect(await correctBy(flowId, chatId, { turn: '90', count: '2' })).toMatchObject({
      corrected: 2,
      turn: 90,
    });
    const reversed = (area: string) => ({ kind: 'photograph', area, corrected: true });
    expect(await correctBy(flowId, chatId, { undo: true })).toMatchObject({
      corrected: 2,
      undone: [reversed('Kitchen'), reversed('Kitchen')],
    });
    // The run that moved two of them had recorded all three.
    const { undone } = await correctBy(flowId, chatId, { undo: 'true' });
    expect(undone).toMatchObject(Array(3).fill({ kind: 'photograph' }));
    expect(undone.every((each: object) => !('corrected' in each))).toBe(true);
    expect((await client.admin('GET', `inspection/photographs/${undone[2].id}`)).body).toMatchObject({
      corrections: [
        {},
        {},
        { change: { turn: 270, undo: true } },
        { change: { withdrawn: true, undo: true } },
      ],
    });
    expect(await correctBy(flowId, chatId, { undo: true })).toMatchObject({
      corrected: 0,
      code: 'nothing_to_correct',
    });
  });

  it('corrects the chat’s own inspection when the reference to another session has no value', async () => {
    const flowId = await flow({ area: 'Kitchen', sessionId: '{{$vars.session}}' });
    expect(await correctBy(flowId, randomUUID(), {}, 1)).toMatchObject({ corrected: 1, area: 'Kitchen' });
  });

  it('rewords the newest fact of a kind, leaves the others, and no photograph has its words', async () => {
    const definition = (config: object) => ({
      ...correcting(config),
      nodes: [
        { id: 'start', kind: 'start' },
        {
          id: 'record',
          kind: 'capture',
          config: { area: 'Gas Meter', reading: { value: '{{$vars.read}}', unit: 'm³' } },
        },
        { id: 'correct', kind: 'correct', config },
      ],
    });
    const fact = { value: '{{$vars.value}}', unit: '{{$vars.unit}}', count: '{{$vars.count}}' };
    const flowId = await client.flow(definition({ target: '{{$vars.target}}', fact }));
    const chatId = randomUUID();
    const target = 'last-reading';
    expect(await correctBy(flowId, chatId, { target, read: '04173', value: '04713' })).toMatchObject({
      corrected: 1,
      kind: 'reading',
      fact: { value: '04713', unit: 'm³' },
      corrections: [{ by: 'chat', change: { value: '04713' } }],
    });
    expect(await correctBy(flowId, chatId, { target, read: '5', value: '6' })).toMatchObject({
      fact: { value: '6' },
    });
    expect(await correctBy(flowId, chatId, { target: 'last-keys', value: '7' })).toMatchObject({
      corrected: 0,
      code: 'nothing_to_correct',
    });
    expect(await correctBy(flowId, chatId, { target, count: '7' })).toMatchObject({
      corrected: 0,
      code: 'invalid_request',
      message: expect.stringMatching(/count is no member of this reading/),
    });
    expect(await correctBy(flowId, chatId, { target: 'last', value: '7' }, 1)).toMatchObject({
      corrected: 0,
      message: expect.stringMatching(/this is a photograph/),
    });
  });

  it('gives the reason if nothing is corrected, and the run continues', async () => {
    const flowId = await flow(says);
    expect(await correctBy(flowId, randomUUID(), { area: 'Hall' })).toMatchObject({
      corrected: 0,
      code: 'nothing_to_correct',
    });
    expect(await correctBy(flowId, randomUUID(), { turn: '45' }, 1)).toMatchObject({
      corrected: 0,
      code: 'invalid_request',
    });
    const foreign = await correctBy(flowId, randomUUID(), { area: 'Hall' }, 1);
    const byId = await flow({ target: foreign.id, area: 'x' });
    expect(await correctBy(byId, randomUUID(), {}, 1)).toMatchObject({ corrected: 0, code: 'not_found' });
  });

  it.each([
    {},
    { turn: 45 },
    { count: 0, area: 'x' },
    { areaType: 'roof' },
    { rename: { from: 'a', to: '' } },
  ])('is refused when it is saved as %j', async (config) => {
    const { status, body } = await client.admin('POST', 'flows', correcting(config));
    expect([status, body.code]).toEqual([400, 'invalid_flow']);
  });

  it('prints corrected items, and lists them and withdrawn ones in evidence and declaration', async () => {
    const flowId = await flow(says);
    const chatId = randomUUID();
    await correctBy(flowId, chatId, { area: 'Kitchen diner', turn: '90' }, 1);
    await correctBy(flowId, chatId, { withdrawn: true }, 1);
    const { body } = await room.render({ sessionId: chatId, flowId });
    expect([body.claimed, body.file.photographs]).toEqual([1, 1]);
    const file = await fetch(new URL(body.file.url as string, room.app.url));
    const { text } = withFile(new Uint8Array(await file.arrayBuffer()), readPdf);
    expect(text).toContain('Kitchen diner');
    expect(text.replace(/\s+/g, ' ')).toContain('1 photograph was withdrawn. It is stored but not printed.');
    const { manifest } = (await client.admin('GET', `pdf/reports/${body.file.id}/manifest`)).body.signed;
    expect(manifest).toMatchObject({
      photographs: [{ area: 'Kitchen diner', turn: 90, corrections: [{ by: 'chat', change: { turn: 90 } }] }],
      withdrawn: [{ area: 'Kitchn', withdrawnAt: expect.stringMatching(/Z$/), corrections: [{}] }],
    });
    expect((await client.admin('POST', `pdf/reports/${body.file.id}/redraw`)).body.identical).toBe(true);
    expect(await correctBy(flowId, chatId, { undo: true })).toMatchObject({
      corrected: 0,
      code: 'already_claimed',
    });
  });
});
