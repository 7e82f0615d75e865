import { randomUUID } from 'node:crypto';
import sharp, { type Region } from 'sharp';
import { RenderFixture } from './fixtures/renders.js';
import { smallJpeg } from './support/recorded-photographs.js';
import type { Answer } from './support/service-client.js';

const left = { left: 0, top: 0, width: 160, height: 240 };

/** A half-black picture, which shows its rotation. */
const halfBlack = async () =>
  sharp(await smallJpeg(320, 240))
    .composite([{ input: { create: { ...left, channels: 3, background: '#000' } }, ...left }])
    .jpeg()
    .toBuffer();

const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body?.code]);

/** Corrections of evidence, possible until a report has claimed it (contract section 5). */
describe('a correction', () => {
  const room = new RenderFixture();
  const { client, session, capture, render } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const photograph = async (sessionId: string, more: object = {}, jpeg?: Buffer): Promise<string> => {
    const data = (jpeg ?? (await smallJpeg())).toString('base64');
    const { recorded } = await capture({ sessionId, area: 'Kitchn', photographs: [{ data }], ...more });
    return recorded[0].id as string;
  };
  const correct = (id: string, body: unknown) =>
    client.admin('POST', `inspection/photographs/${id}/corrections`, body);
  const rename = (sessionId: string, body: unknown) =>
    client.admin('POST', `inspection/sessions/${sessionId}/areas/rename`, body);
  const shown = async (id: string) => (await client.admin('GET', `inspection/photographs/${id}`)).body;
  const inspection = async (sessionId: string) =>
    (await client.admin('GET', `inspection/sessions/${sessionId}`)).body;
  const bytes = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${room.app.url}/api/v1/inspection/photographs/${path}`, {
      headers: { ...room.adminHeaders(), ...headers },
    });
    return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
  };

  it('renames and moves a photograph, and leaves its bytes, hash and times', async () => {
    const sessionId = session();
    const jpeg = await smallJpeg();
    const id = await photograph(sessionId, { captureTs: '1792890000' }, jpeg);
    const before = await shown(id);
    const { status, body } = await correct(id, {
      area: ' Kitchen ',
      caption: 'Oven',
      reason: 'A slip',
      sha256: 'x',
      receivedAt: 1,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      area: 'Kitchen',
      caption: 'Oven',
      corrections: [
        {
          at: expect.stringMatching(/Z$/),
          by: 'admin',
          change: { area: 'Kitchen', caption: 'Oven' },
          reason: 'A slip',
        },
      ],
    });
    expect(await shown(id)).toEqual(body);
    expect(before).toMatchObject({
      ...{ flowId: room.flowId, sessionId, area: 'Kitchn', areaType: 'room', turn: 0, source: 'captureTs' },
      ...{ pending: true, corrections: [] },
    });
    expect((await bytes(`${id}/original`)).body.equals(jpeg)).toBe(true);
    expect((await inspection(sessionId)).areas).toMatchObject([{ area: 'Kitchen', photographs: 1 }]);
    expect((await correct(id, { caption: '' })).body).not.toHaveProperty('caption');
  });

  it('rotates the print clockwise, cumulatively, and back', async () => {
    const id = await photograph(session(), {}, await halfBlack());
    const dark = async (part: Region) => {
      const { body } = await bytes(`${id}/print`);
      const { channels } = await sharp(await sharp(body).extract(part).toBuffer()).stats();
      return Math.max(...channels.map(({ mean }) => mean)) < 40;
    };
    const tag = (await bytes(`${id}/print`)).headers.get('etag')!;
    expect((await bytes(`${id}/print`, { 'if-none-match': tag })).status).toBe(304);
    expect((await correct(id, { turn: 90 })).body.turn).toBe(90);
    expect((await bytes(`${id}/print`, { 'if-none-match': tag })).status).toBe(200);
    expect(await sharp((await bytes(`${id}/print`)).body).metadata()).toMatchObject({
      width: 240,
      height: 320,
    });
    expect(await dark({ left: 20, top: 20, width: 200, height: 120 })).toBe(true);
    expect((await correct(id, { turn: 180 })).body.turn).toBe(270);
    expect(await dark({ left: 20, top: 180, width: 200, height: 120 })).toBe(true);
    expect((await correct(id, { turn: 90 })).body.turn).toBe(0);
    expect((await bytes(`${id}/print`)).headers.get('etag')).toBe(tag);
  });

  it('adds up concurrent rotations', async () => {
    const id = await photograph(session());
    const answers = await Promise.all(Array.from({ length: 21 }, () => correct(id, { turn: 90 })));
    expect(answers.map(outcome)).toEqual(Array(21).fill(200));
    const { turn, corrections } = await shown(id);
    expect([turn, corrections.length]).toEqual([90, 21]);
  });

  it('withdraws a photograph, which then counts nowhere, and restores it', async () => {
    const sessionId = session();
    const [id] = [await photograph(sessionId, { area: 'Gas meter' }), await photograph(sessionId)];
    const { body } = await correct(id, { withdrawn: true });
    expect(body).toMatchObject({ withdrawnAt: expect.stringMatching(/Z$/), pending: false });
    expect(await inspection(sessionId)).toMatchObject({
      pending: 1,
      areas: [{ area: 'Kitchn', photographs: 1 }],
      outstandingAreas: expect.arrayContaining(['gas-meter']),
      photographs: [{ id, withdrawnAt: body.withdrawnAt, pending: false }, { withdrawnAt: null }],
    });
    const listed = async () => {
      const { body: found } = await client.admin('GET', `inspection/sessions?q=${sessionId}`);
      return found.data[0];
    };
    expect(await listed()).toMatchObject({ photographs: 1, pending: 1, areas: ['Kitchn'] });
    expect((await correct(id, { withdrawn: false })).body).toMatchObject({ pending: true });
    expect((await correct(id, {})).status).toBe(400);
    expect(await listed()).toMatchObject({ photographs: 2, areas: ['Gas meter', 'Kitchn'] });
    expect((await inspection(sessionId)).outstandingAreas).not.toContain('gas-meter');
  });

  it('leaves no trace if it changes nothing', async () => {
    const id = await photograph(session());
    for (const body of [{ area: 'Kitchn' }, { withdrawn: false }]) await correct(id, body);
    expect((await shown(id)).corrections).toEqual([]);
  });

  it('rewords, moves and withdraws a remark', async () => {
    const sessionId = session();
    const { remark } = await capture({ sessionId, area: 'Kitchn', remark: 'Scrach' });
    expect(remark).toEqual({ id: expect.any(String), area: 'Kitchn' });
    const path = `inspection/remarks/${remark.id}`;
    const { body } = await client.admin('POST', `${path}/corrections`, { text: 'Scratch', area: 'Hall' });
    expect(body).toMatchObject({ text: 'Scratch', area: 'Hall', corrections: [{ by: 'admin' }] });
    expect((await client.admin('GET', path)).body).toEqual(body);
    await client.admin('POST', `${path}/corrections`, { withdrawn: true });
    expect(await inspection(sessionId)).toMatchObject({
      areas: [],
      remarks: [{ withdrawnAt: expect.stringMatching(/Z$/) }],
    });
    expect(outcome(await correct(remark.id, { withdrawn: false }))).toEqual([404, 'not_found']);
  });

  it('returns the first id for a remark that arrives twice', async () => {
    const body = { sessionId: session(), area: 'Hall', remark: 'Scuffed', messageId: 'm' };
    expect((await capture(body)).remark).toEqual((await capture(body)).remark);
  });

  describe('of the name of an area', () => {
    it('renames pending items and the current area, and merges with an existing area', async () => {
      const sessionId = session();
      await photograph(sessionId, { area: 'Kitchen', areaType: 'external' });
      await capture({ sessionId, area: 'Kitchn', remark: 'Scuffed' });
      const id = await photograph(sessionId);
      const answer = await rename(sessionId, { from: 'KITCHN', to: 'Kitchen', reason: 'A slip' });
      expect(answer.body).toMatchObject({ area: 'Kitchen', areaType: 'external', corrected: 2 });
      expect(answer.body.photographs).toEqual([await shown(id)]);
      expect(answer.body.remarks).toMatchObject([{ area: 'Kitchen' }]);
      expect(await inspection(sessionId)).toMatchObject({
        currentArea: 'Kitchen',
        areas: [{ area: 'Kitchen', areaType: 'external', photographs: 2, remarks: 1 }],
      });
      expect(
        (await capture({ sessionId, photographs: [{ data: (await smallJpeg()).toString('base64') }] })).area,
      ).toBe('Kitchen');
    });

    it('renames only one label of a service area', async () => {
      const sessionId = session();
      await photograph(sessionId, { area: 'Heat alarm kitchen' });
      const other = await photograph(sessionId, { area: 'Smoke alarm landing' });
      await rename(sessionId, { from: 'heat-alarm kitchen', to: 'Heat alarm hall' });
      expect((await shown(other)).area).toBe('Smoke alarm landing');
      expect((await rename(sessionId, { from: 'detectors', to: 'Smoke alarms' })).body.corrected).toBe(2);
    });

    it('leaves comments on other labels of a service area, until the area ends', async () => {
      const sessionId = session();
      const details = { areaComments: { 'CO alarm': ['Old'], 'heat alarm': ['New'] } };
      await photograph(sessionId, { area: 'Heat alarm', details });
      const renamed = async (from: string, to: string) => {
        await rename(sessionId, { from, to });
        return (await client.admin('GET', `inspection/sessions/${sessionId}/details`)).body.details;
      };
      const comments = { 'CO alarm': ['Old'], 'Heat alarm hall': ['New'] };
      expect(await renamed('Heat alarm', 'Heat alarm hall')).toEqual({ areaComments: comments });
      expect(await renamed('Heat alarm hall', 'Hall')).toEqual({ areaComments: { Hall: ['Old', 'New'] } });
    });

    it('is refused if there is no such area, or reports have claimed all of it', async () => {
      const sessionId = session();
      await capture({ sessionId, area: 'Hall', remark: 'x' });
      await photograph(sessionId);
      expect(outcome(await rename(sessionId, { from: 'Bathroom', to: 'x' }))).toEqual([404, 'not_found']);
      await render({ sessionId });
      await capture({ sessionId, area: 'Hall' });
      expect(outcome(await rename(sessionId, { from: 'Kitchn', to: 'x' }))).toEqual([409, 'already_claimed']);
      expect(outcome(await rename(randomUUID(), { from: 'Kitchn', to: 'x' }))).toEqual([404, 'not_found']);
    });
  });

  it('returns the area under which a call was filed as the call stated it', async () => {
    const sessionId = session();
    await capture({ sessionId, area: 'Smoke alarm landing' });
    expect((await capture({ sessionId, area: 'heat alarm kitchen' })).area).toBe('heat alarm kitchen');
  });

  it('is counted by its session, for each photograph and remark, whatever it changes', async () => {
    const sessionId = session();
    const [id, other] = [await photograph(sessionId), await photograph(sessionId)];
    const { remark } = await capture({ sessionId, remark: 'Scuffed' });
    await correct(id, { turn: 90 });
    await correct(id, { caption: 'The sink' });
    await correct(id, { caption: 'The sink' });
    await client.admin('POST', `inspection/remarks/${remark.id}/corrections`, { text: 'Worn' });
    const sessionView = async () => (await client.admin('GET', `inspection/sessions/${sessionId}`)).body;
    const timesOf = ({ photographs, remarks }: Record<string, { id: string; corrected: number }[]>) =>
      [...photographs!, ...remarks!].map((record) => [record.id, record.corrected]);
    const before = await sessionView();
    expect(before.corrected).toBe(3);
    expect(timesOf(before)).toEqual([
      [id, 2],
      [other, 0],
      [remark.id, 1],
    ]);
    await rename(sessionId, { from: 'Kitchn', to: 'Kitchen' });
    const after = await sessionView();
    expect(after.corrected).toBe(4);
    expect(timesOf(after)).toEqual([
      [id, 3],
      [other, 1],
      [remark.id, 2],
    ]);
  });
});
