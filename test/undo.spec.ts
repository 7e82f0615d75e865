import { randomUUID } from 'node:crypto';
import { RenderFixture } from './fixtures/renders.js';
import { smallJpeg } from './support/recorded-photographs.js';
import type { Answer } from './support/service-client.js';

interface Undone {
  kind: string;
  id: string;
  area: string | null;
  text?: string;
  corrected?: true;
}

const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body?.code]);

/** Undoes the latest recording or correction (contract section 5, rule 48). */
describe('undo', () => {
  const room = new RenderFixture();
  const { client } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const capture = async (sessionId: string, body: object) => {
    const sent = { flowId: room.flowId, sessionId, ...body };
    const answer = await client.send('POST', '/api/v1/inspection/capture', sent);
    expect(outcome(answer)).toBe(200);
    return answer.body;
  };
  const picture = async () => ({ data: (await smallJpeg()).toString('base64') });
  const send = (sessionId: string, body?: object, headers: Record<string, string> = {}) =>
    client.send('POST', `/api/v1/inspection/sessions/${sessionId}/undo?flowId=${room.flowId}`, body, headers);
  const undo = async (sessionId: string, count?: number): Promise<Undone[]> => {
    const answer = await send(sessionId, count === undefined ? {} : { count });
    expect(outcome(answer)).toBe(200);
    return answer.body.undone as Undone[];
  };
  const short = (undone: readonly Undone[]) => undone.map(({ kind, area, text }) => [kind, area, text]);
  const things = async (sessionId: string): Promise<unknown[]> => {
    const path = `/api/v1/inspection/sessions/${sessionId}/things?flowId=${room.flowId}`;
    return short((await client.send('GET', path)).body.data);
  };
  const correct = (what: string, body: object) =>
    client.admin('POST', `inspection/${what}/corrections`, body);
  const details = async (sessionId: string) =>
    (await client.admin('GET', `inspection/sessions/${sessionId}/details?flowId=${room.flowId}`)).body
      .details;
  const change = (sessionId: string, members: object) =>
    client.admin('PATCH', `inspection/sessions/${sessionId}/details?flowId=${room.flowId}`, members);

  it('withdraws everything that the latest call recorded, of every kind, and then the one before', async () => {
    const sessionId = randomUUID();
    await capture(sessionId, { details: { address: '1 Test Street' } });
    await capture(sessionId, {
      ...{
        area: 'Gas meter',
        remark: 'Box is cracked',
        details: { skippedAreas: 'keys', address: '2 Test Street' },
      },
      ...{ photographs: [await picture(), await picture()], reading: { value: '7' } },
      ...{ observations: [{ item: 'Box' }], keys: [{ kind: 'Meter box' }], alarm: { kind: 'CO alarm' } },
    });
    const undone = await undo(sessionId);
    expect(short(undone).sort()).toEqual(
      [
        ['photograph', 'Gas meter', undefined],
        ['photograph', 'Gas meter', undefined],
        ['remark', 'Gas meter', 'Box is cracked'],
        ['observation', 'Gas meter', 'Box'],
        ['reading', 'Gas meter', '7'],
        ['keys', 'Gas meter', 'Meter box'],
        ['alarm', 'Gas meter', 'CO alarm'],
        ['absence', 'Keys', 'Not available — reported by the inspector.'],
        ['detail', null, 'Address: 2 Test Street'],
      ].sort(),
    );
    expect(await things(sessionId)).toEqual([['detail', null, 'Address: 1 Test Street']]);
    expect(await details(sessionId)).toEqual({ address: '1 Test Street' });
    const photograph = undone.find(({ kind }) => kind === 'photograph')!;
    expect((await client.admin('GET', `inspection/photographs/${photograph.id}`)).body).toMatchObject({
      withdrawnAt: expect.stringMatching(/Z$/),
      corrections: [{ by: 'chat', change: { withdrawn: true, undo: true } }],
    });
    expect(short(await undo(sessionId))).toEqual([['detail', null, 'Address: 1 Test Street']]);
    expect(await details(sessionId)).toEqual({});
    expect(await undo(sessionId)).toEqual([]);
    expect(await undo(randomUUID())).toEqual([]);
  });

  it('reverses corrections, renames and withdrawals, and is never undone itself', async () => {
    const sessionId = randomUUID();
    const { recorded, remark } = await capture(sessionId, {
      ...{ area: 'Hal', remark: 'Scuffed' },
      photographs: [await picture()],
    });
    const shown = async () => {
      const { body } = await client.admin('GET', `inspection/photographs/${recorded[0].id}`);
      return [body.area, body.turn, body.withdrawnAt !== undefined];
    };
    await correct(`photographs/${recorded[0].id}`, { turn: 90, caption: 'Door' });
    await client.admin('POST', `inspection/sessions/${sessionId}/areas/rename?flowId=${room.flowId}`, {
      ...{ from: 'Hal', to: 'Hall' },
    });
    await client.admin('DELETE', `inspection/remarks/${remark.id}`);
    await correct(`photographs/${recorded[0].id}`, { withdrawn: true });
    expect(await shown()).toEqual(['Hall', 90, true]);
    expect(await undo(sessionId)).toMatchObject([{ kind: 'photograph', area: 'Hall', corrected: true }]);
    expect(await shown()).toEqual(['Hall', 90, false]);
    expect(await undo(sessionId)).toMatchObject([{ kind: 'remark', area: 'Hall', text: 'Scuffed' }]);
    expect(short(await undo(sessionId))).toEqual([
      ['photograph', 'Hal', 'Door'],
      ['remark', 'Hal', 'Scuffed'],
    ]);
    expect(short(await undo(sessionId))).toEqual([['photograph', 'Hal', undefined]]);
    expect(await shown()).toEqual(['Hal', 0, false]);
    expect(short(await undo(sessionId))).toEqual([
      ['photograph', 'Hal', undefined],
      ['remark', 'Hal', 'Scuffed'],
    ]);
    expect(await undo(sessionId)).toEqual([]);
    await correct(`photographs/${recorded[0].id}`, { withdrawn: false });
    expect(await undo(sessionId)).toMatchObject([{ kind: 'photograph', corrected: true }]);
    expect(await shown()).toEqual(['Hal', 0, true]);
  });

  it('reverses a rename in the comments of the record too', async () => {
    const sessionId = randomUUID();
    await capture(sessionId, { area: 'Bedroom 1', photographs: [await picture()] });
    const areaComments = {
      'BEDROOM-1': ['Smells of paint'],
      'Bedroom 2': ['Cold'],
      'Master bedroom': ['Bright'],
    };
    await change(sessionId, { areaComments });
    const renamed = await client.admin('POST', `inspection/sessions/${sessionId}/areas/rename`, {
      ...{ from: 'bedroom 1', to: 'Master bedroom' },
    });
    expect(renamed.body).toMatchObject({ corrected: 1 });
    expect(await details(sessionId)).toEqual({
      areaComments: { 'Master bedroom': ['Smells of paint', 'Bright'], 'Bedroom 2': ['Cold'] },
    });
    expect(await undo(sessionId)).toMatchObject([
      { kind: 'photograph', area: 'Bedroom 1', corrected: true },
      { kind: 'detail', corrected: true },
    ]);
    expect(await details(sessionId)).toEqual({ areaComments });
  });

  it('counts calls: each as if it were alone', async () => {
    const sessionId = randomUUID();
    await capture(sessionId, { area: 'Hall', remark: 'one' });
    const { remark } = await capture(sessionId, { area: 'Hall', remark: 'two' });
    await client.admin('DELETE', `inspection/remarks/${remark.id}`);
    await capture(sessionId, { area: 'Hall', remark: 'three' });
    const undone = await undo(sessionId, 3);
    expect(undone.map(({ text, corrected }) => [text, corrected])).toEqual([
      ['three', undefined],
      ['two', true],
      ['two', undefined],
    ]);
    expect(await things(sessionId)).toEqual([['remark', 'Hall', 'one']]);
    expect(short(await undo(sessionId, 50))).toEqual([['remark', 'Hall', 'one']]);
    for (const count of [0, 51, 1.5, 'one'])
      expect(outcome(await send(sessionId, { count }))).toEqual([400, 'invalid_request']);
  });

  it('of details restores the previous values, and absences area by area', async () => {
    const sessionId = randomUUID();
    await change(sessionId, {
      assessor: 'A',
      skippedAreas: 'smoke alarm',
      keyDetails: { takenFrom: 'Agent' },
    });
    await change(sessionId, { assessor: 'B', tenant: 'T', skippedAreas: 'smoke alarm|gas-meter' });
    await change(sessionId, { assessor: null, skippedAreas: 'gas-meter' });
    await change(sessionId, { tenant: 'T' });
    expect(short(await undo(sessionId)).sort()).toEqual([
      ['absence', 'Detectors', 'Not available — reported by the inspector.'],
      ['detail', null, 'Inspector: B'],
    ]);
    expect(await details(sessionId)).toMatchObject({ assessor: 'B', skippedAreas: 'gas-meter|detectors' });
    await undo(sessionId);
    expect(await details(sessionId)).toEqual({
      ...{ assessor: 'A', skippedAreas: 'detectors', keyDetails: { takenFrom: 'Agent' } },
    });
    await undo(sessionId);
    expect(await details(sessionId)).toEqual({});
    const listed = (await client.admin('GET', `inspection/sessions/${sessionId}`)).body;
    expect(listed.title).toBeNull();
  });

  it('withdraws nothing if a report has a part of it', async () => {
    const sessionId = randomUUID();
    await capture(sessionId, { area: 'Hall', photographs: [await picture()] });
    expect((await room.render({ sessionId, flowId: room.flowId })).body.claimed).toBe(1);
    expect(outcome(await send(sessionId, {}))).toEqual([409, 'already_claimed']);
    await capture(sessionId, { area: 'Hall', remark: 'Later' });
    expect(outcome(await send(sessionId, { count: 2 }))).toEqual([409, 'already_claimed']);
    expect(await things(sessionId)).toEqual([
      ['remark', 'Hall', 'Later'],
      ['photograph', 'Hall', undefined],
    ]);
    expect(short(await undo(sessionId))).toEqual([['remark', 'Hall', 'Later']]);
    await change(sessionId, { address: '1 Test Street' });
    await capture(sessionId, { area: 'Hall', photographs: [await picture()] });
    await room.render({ sessionId, flowId: room.flowId });
    await correct('photographs/none', {});
    expect(outcome(await send(sessionId, {}))).toEqual([409, 'already_claimed']);
    await change(sessionId, { address: '2 Test Street' });
    expect(short(await undo(sessionId))).toEqual([['detail', null, 'Address: 2 Test Street']]);
    expect(await details(sessionId)).toEqual({ address: '1 Test Street' });
  });

  it('undoes each call once, also concurrently', async () => {
    const sessionId = randomUUID();
    for (let n = 0; n < 6; n++) await capture(sessionId, { area: 'Hall', remark: `remark ${n}` });
    const undone = await Promise.all(Array.from({ length: 6 }, () => undo(sessionId)));
    expect(undone.map((each) => each[0]?.text).sort()).toEqual(
      Array.from({ length: 6 }, (_, n) => `remark ${n}`),
    );
    expect(await things(sessionId)).toEqual([]);
  });

  it('happens once under an idempotency key', async () => {
    const sessionId = randomUUID();
    await capture(sessionId, { area: 'Hall', remark: 'one' });
    await capture(sessionId, { area: 'Hall', remark: 'two' });
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => send(sessionId, {}, key)));
    expect(answers.map(({ body }) => body.undone[0].text)).toEqual(['two', 'two', 'two']);
    const replays = answers.filter(({ headers }) => headers.get('idempotent-replay') === 'true');
    expect(replays).toHaveLength(2);
    expect(await things(sessionId)).toEqual([['remark', 'Hall', 'one']]);
    expect(outcome(await send(sessionId, { count: 2 }, key))).toEqual([422, 'idempotency_key_reused']);
  });

  it("is for the session's own callers", async () => {
    const { flowId, headers } = room.keyed;
    const sessionId = randomUUID();
    const body = { flowId, sessionId, area: 'Hall', remark: 'Keyed' };
    await client.send('POST', '/api/v1/inspection/capture', body, headers);
    const path = `/api/v1/inspection/sessions/${sessionId}/undo`;
    expect(outcome(await client.send('POST', path, {}))).toEqual([401, 'invalid_api_key']);
    await capture(sessionId, { area: 'Hall', remark: 'Open' });
    expect(outcome(await client.send('POST', path, {}, headers))).toEqual([400, 'invalid_request']);
    const named = await client.send('POST', `${path}?flowId=${flowId}`, undefined, headers);
    expect(short(named.body.undone)).toEqual([['remark', 'Hall', 'Keyed']]);
    expect(await things(sessionId)).toEqual([['remark', 'Hall', 'Open']]);
  });

  describe('in a flow', () => {
    const recording = {
      name: 'Recording',
      nodes: [
        { id: 'start', kind: 'start' },
        {
          ...{ id: 'details', kind: 'set-details' },
          config: { details: { tenant: '{{$vars.tenant}}' } },
        },
        { id: 'record', kind: 'capture', config: { area: '{{$vars.area}}', remark: '{{$vars.remark}}' } },
        { id: 'move', kind: 'correct', config: { target: 'last', area: '{{$vars.move}}' } },
        {
          ...{ id: 'undo', kind: 'correct' },
          config: { undo: '{{$vars.undo}}', count: '{{$vars.count}}', caption: '' },
        },
      ],
      edges: [
        { from: 'start', to: 'details' },
        { from: 'details', to: 'record' },
        { from: 'record', to: 'move' },
        { from: 'move', to: 'undo' },
      ],
    };
    const say = async (flowId: string, chatId: string, vars: object, pictures = 0) => {
      const uploads = await Promise.all(
        Array.from({ length: pictures }, async () => ({
          ...{ type: 'file', name: 'x.jpg', mime: 'image/jpeg' },
          data: `data:image/jpeg;base64,${(await smallJpeg()).toString('base64')}`,
        })),
      );
      const answer = await client.predict(flowId, {
        question: 'x',
        chatId,
        uploads,
        overrideConfig: { vars },
      });
      expect(outcome(answer)).toBe(200);
      return JSON.parse(answer.body.text as string);
    };

    it('withdraws everything that a run recorded and corrected, with one node', async () => {
      const flowId = await client.flow(recording);
      const chatId = randomUUID();
      await say(flowId, chatId, { area: 'Hall', tenant: 'T' }, 1);
      await say(flowId, chatId, { area: 'Kitchen', remark: 'Leak', tenant: 'U', move: 'Pantry' }, 1);
      const made = await say(flowId, chatId, { undo: true });
      expect(short(made.undone).sort()).toEqual([
        ['detail', null, 'Tenant: U'],
        ['photograph', 'Pantry', undefined],
        ['remark', 'Kitchen', 'Leak'],
      ]);
      expect(made.corrected).toBe(3);
      expect(await say(flowId, chatId, { undo: 'true', count: '5' })).toMatchObject({
        undone: [
          { kind: 'photograph', area: 'Hall' },
          { kind: 'detail', text: 'Tenant: T' },
        ],
      });
      expect(await say(flowId, chatId, { undo: true })).toEqual({
        ...{ corrected: 0, code: 'nothing_to_correct', undone: [] },
        message: 'There is nothing to take back.',
      });
    });

    it('lists what no report has, the newest first, and withdraws the last remark or one by its id', async () => {
      const listing = await client.flow({
        name: 'Listing',
        nodes: [
          { id: 'start', kind: 'start' },
          {
            ...{ id: 'record', kind: 'capture' },
            config: { area: '{{$vars.area}}', remark: '{{$vars.remark}}' },
          },
          {
            ...{ id: 'delete', kind: 'correct' },
            config: { target: '{{$vars.target}}', withdrawn: '{{$vars.withdrawn}}' },
          },
          { id: 'list', kind: 'correct', config: { list: true } },
        ],
        edges: [
          { from: 'start', to: 'record' },
          { from: 'record', to: 'delete' },
          { from: 'delete', to: 'list' },
        ],
      });
      const chatId = randomUUID();
      const texts = ({ things: listed }: { things: Undone[] }) => listed.map(({ text }) => text);
      await say(listing, chatId, { area: 'Hall', remark: 'one' });
      const { things: two } = await say(listing, chatId, { area: 'Kitchen', remark: 'two' });
      expect(short(two)).toEqual([
        ['remark', 'Kitchen', 'two'],
        ['remark', 'Hall', 'one'],
      ]);
      await say(listing, chatId, { area: 'Attic', remark: 'three' });
      const withdrawn = true;
      expect(texts(await say(listing, chatId, { target: two[1].id, withdrawn }))).toEqual(['three', 'two']);
      expect(texts(await say(listing, chatId, { target: 'last-remark', withdrawn }))).toEqual(['two']);
    });

    it('reports that a report has it, and the run continues', async () => {
      const flowId = await client.flow(recording);
      const chatId = randomUUID();
      await say(flowId, chatId, { area: 'Hall' }, 1);
      await room.render({ sessionId: chatId, flowId });
      expect(await say(flowId, chatId, { undo: true })).toMatchObject({
        corrected: 0,
        code: 'already_claimed',
      });
    });
  });
});
