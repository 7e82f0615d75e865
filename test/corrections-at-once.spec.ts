import { RenderFixture } from './fixtures/renders.js';
import { smallJpeg } from './support/recorded-photographs.js';

/** A photograph in a report's list of evidence. */
interface Printed {
  original: { sha256: string };
  area: string;
}

/** A photograph in the answer of a capture. */
interface Recorded {
  id: string;
  sha256: string;
}

/** Corrections that race with a claim, and invalid bodies (contract section 5). */
describe('corrections at once with', () => {
  const room = new RenderFixture();
  const { client, session, render } = room;
  const ROUNDS = 6;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const photographs = async (
    sessionId: string,
    count = 1,
    flowId = room.flowId,
    headers: Record<string, string> = {},
  ): Promise<Recorded[]> => {
    const pictures = await Promise.all(Array.from({ length: count }, () => smallJpeg()));
    const sent = pictures.map((jpeg) => ({ data: jpeg.toString('base64') }));
    const body = { flowId, sessionId, area: 'Kitchen', photographs: sent };
    const answer = await client.send('POST', '/api/v1/inspection/capture', body, headers);
    return answer.body.recorded as Recorded[];
  };
  const correct = (id: string, body: unknown) =>
    client.admin('POST', `inspection/photographs/${id}/corrections`, body);
  const evidenceOf = async (reportId: string) =>
    (await client.admin('GET', `pdf/reports/${reportId}/manifest`)).body.signed.manifest as {
      photographs: Printed[];
      withdrawn?: Printed[];
    };

  it('a claim: an accepted one is printed, and a refused one is not', async () => {
    const seen = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const sessionId = session();
      const ids = await photographs(sessionId, 40);
      const corrections = (list: Recorded[], change: object) =>
        Promise.all(
          list.map(async ({ id, sha256 }) => [sha256, (await correct(id, change)).status] as const),
        );
      // In sequence: some before the claim, some while its report is drawn.
      const oneByOne = async (list: Recorded[]) => {
        const answered: (readonly [string, number])[] = [];
        for (const each of list) answered.push(...(await corrections([each], { area: 'Moved' })));
        return answered;
      };
      const before = corrections(ids.slice(0, 4), { area: 'Moved' });
      const [rendered, ...answers] = await Promise.all([
        render({ sessionId, flowId: room.flowId }),
        before,
        oneByOne(ids.slice(8)),
        corrections(ids.slice(4, 8), { withdrawn: true }),
      ]);
      const [, moved, withdrawn] = answers;
      expect(rendered.status).toBe(200);
      const evidence = await evidenceOf(rendered.body.file.id as string);
      const areaOf = new Map(evidence.photographs.map(({ original, area }) => [original.sha256, area]));
      for (const [sha256, status] of [...(await before), ...moved]) {
        seen.add(status);
        expect([status, areaOf.get(sha256)]).toEqual(status === 200 ? [200, 'Moved'] : [409, 'Kitchen']);
      }
      const gone = new Set((evidence.withdrawn ?? []).map(({ original }) => original.sha256));
      for (const [sha256, status] of withdrawn) {
        seen.add(status);
        expect([status, gone.has(sha256), areaOf.has(sha256)]).toEqual(
          status === 200 ? [200, true, false] : [409, false, true],
        );
      }
      const { identical } = (await client.admin('POST', `pdf/reports/${rendered.body.file.id}/redraw`)).body;
      expect(identical).toBe(true);
    }
    expect([...seen].sort()).toEqual([200, 409]);
  });

  it('other corrections: rotations add up, and of a withdrawal and a restoration the last one counts', async () => {
    const sessionId = session();
    const [photograph] = await photographs(sessionId);
    const answers = await Promise.all([
      ...Array.from({ length: 7 }, () => correct(photograph!.id, { turn: 90 })),
      ...Array.from({ length: 6 }, (_, index) => correct(photograph!.id, { withdrawn: index % 2 === 0 })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body } = await client.admin('GET', `inspection/photographs/${photograph!.id}`);
    expect(body.turn).toBe((7 * 90) % 360);
    const changes = (body.corrections as { change: { withdrawn?: boolean } }[]).map(({ change }) => change);
    const last = changes.filter(({ withdrawn }) => withdrawn !== undefined).at(-1)?.withdrawn ?? false;
    expect(body.withdrawnAt !== undefined && body.withdrawnAt !== null).toBe(last);
  });

  it.each([
    ['an invalid rotation', { turn: 45 }],
    ['a turn as text', { turn: '90' }],
    ['a list', []],
    ['nothing', {}],
    ['an area of blanks', { area: '   ' }],
    ['an area of 10,000 characters', { area: 'a'.repeat(10_000) }],
    ['a reason of a million characters', { area: 'Hall', reason: 'x'.repeat(1_000_000) }],
    ['a caption that is an object', { caption: { toString: 'x' } }],
    ['a word for yes', { withdrawn: 'yes' }],
  ])('%s: it is refused, and nothing is changed', async (_what, body) => {
    const sessionId = session();
    const [photograph] = await photographs(sessionId);
    const { status } = await correct(photograph!.id, body);
    expect([400, 413, 422]).toContain(status);
    const shown = (await client.admin('GET', `inspection/photographs/${photograph!.id}`)).body;
    expect([shown.area, shown.turn, shown.corrections]).toEqual(['Kitchen', 0, []]);
  });

  it('a stranger, who may neither correct nor see photographs of a keyed flow', async () => {
    const sessionId = session();
    const [photograph] = await photographs(sessionId, 1, room.keyed.flowId, room.keyed.headers);
    const path = `/api/v1/inspection/photographs/${photograph!.id}`;
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${sessionId}` }]) {
      expect([401, 403, 404]).toContain(
        (await client.send('POST', `${path}/corrections`, { area: 'Hall' }, headers)).status,
      );
      expect([401, 403, 404]).toContain((await client.send('GET', path, undefined, headers)).status);
    }
    const own = await client.send('POST', `${path}/corrections`, { area: 'Hall' }, room.keyed.headers);
    expect([own.status, own.body.area, own.body.corrections]).toMatchObject([
      200,
      'Hall',
      [{ by: 'office' }],
    ]);
  });
});
