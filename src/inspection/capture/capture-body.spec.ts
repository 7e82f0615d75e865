import { CLEANLINESS, CONDITIONS, FACT_MEMBERS_OF } from '../../api/inspection-terms.js';
import { flowIdOf, readCaptureBody } from './capture-body.js';
import { captureNote } from './capture-note.js';

const data = Buffer.from('x').toString('base64');
const fault = (fields: unknown): unknown => {
  try {
    readCaptureBody(fields);
    return undefined;
  } catch (error) {
    return (error as { errors?: { path: string }[] }).errors?.[0]?.path;
  }
};

describe('the body of a capture', () => {
  it('warns of what it cannot skip', () => {
    const { warnings } = readCaptureBody({ sessionId: 's', area: 'Hall', skippedAreas: 'fobs|stopcock|key' });
    expect(warnings).toMatchObject([{ code: 'unknown_skipped_area', path: 'skippedAreas' }]);
  });

  it('takes chatId for sessionId, and photos and uploads for photographs', () => {
    for (const name of ['photographs', 'photos', 'uploads']) {
      const body = readCaptureBody({
        chatId: 's',
        [name]: [{ data, name: 'a.jpg', caption: ' sink ', captureTs: 5 }],
      });
      expect(body.sessionId).toBe('s');
      expect(body.photographs).toEqual([
        { content: { kind: 'base64', data }, name: 'a.jpg', caption: 'sink', captureTs: 5 },
      ]);
    }
  });

  it('takes the photographs under each of these names, beside an empty list too', () => {
    const of = (name: string) => ({ data, name });
    const sent = { photographs: [], photos: [of('1'), of('2')], uploads: [of('3')] };
    const { photographs } = readCaptureBody({ sessionId: 's', remark: 'Chipped sink', ...sent });
    expect(photographs.map(({ name }) => name)).toEqual(['1', '2', '3']);
  });

  it('counts what is null or empty as absent, and reads a number as the name of its session', () => {
    const nulls = { captureTs: null, details: null, reading: null, keys: null, photographs: null };
    const body = readCaptureBody({
      ...nulls,
      sessionId: '',
      chatId: 447700900123,
      uploads: '',
      area: 'Hall',
    });
    expect(body).toEqual({ sessionId: '447700900123', area: 'Hall', photographs: [], warnings: [] });
  });

  it('reads the first ten thousand characters of an area', () => {
    const area = `Hall${' '.repeat(10_000)}Kitchen`;
    expect(readCaptureBody({ sessionId: 's', area })).toMatchObject({ area: 'Hall' });
  });

  it('takes the address of a photograph as url or as data', () => {
    const url = 'https://media.example/1.jpg';
    const { photographs } = readCaptureBody({
      sessionId: 's',
      uploads: [{ url }, { type: 'url', data: url }, url],
    });
    expect(photographs.map(({ content }) => content)).toEqual([
      { kind: 'url', url },
      { kind: 'url', url },
      { kind: 'url', url },
    ]);
  });

  it('needs at least one of photographs, remark and area', () => {
    expect(fault({ sessionId: 's' })).toBe('photographs');
    expect(fault({ sessionId: 's', photographs: [], remark: ' ', area: '' })).toBe('photographs');
    expect(fault({ sessionId: 's', area: '---' })).toBe('photographs');
    expect(fault({ sessionId: 's', remark: 'Chipped sink' })).toBeUndefined();
    expect(fault({ sessionId: 's', area: 'Kitchen' })).toBeUndefined();
  });

  it.each([
    [{ remark: 'x' }, 'sessionId'],
    [{ sessionId: '', remark: 'x' }, 'sessionId'],
    [{ sessionId: true, remark: 'x' }, 'sessionId'],
    [{ sessionId: 'a\u0000b', remark: 'x' }, 'sessionId'],
    [{ sessionId: 'a\ufffdb', remark: 'x' }, 'sessionId'],
    [{ sessionId: 'x'.repeat(257), remark: 'x' }, 'sessionId'],
    [{ sessionId: 's', area: 5 }, 'area'],
    [{ sessionId: 's', area: 'x', areaType: 'garden' }, 'areaType'],
    [{ sessionId: 's', remark: {} }, 'remark'],
    [{ sessionId: 's', photographs: 'x' }, 'photographs'],
    [{ sessionId: 's', photographs: {} }, 'photographs'],
    [[], ''],
    ['text', ''],
    [null, 'sessionId'],
  ])('refuses %j and names the member', (fields, path) => expect(fault(fields)).toBe(path));

  it.each([
    [null],
    [5],
    [true],
    [[]],
    [{}],
    [{ data: 5 }],
    [{ data: '' }],
    [{ url: null }],
    [{ __proto__: { data } }],
  ])('keeps the fault of one item %j with that item', (item) => {
    const { photographs } = readCaptureBody({ sessionId: 's', photographs: [{ data }, item] });
    expect(photographs[0]!.content.kind).toBe('base64');
    expect(photographs[1]!.content).toMatchObject({ kind: 'fault', code: 'undecodable' });
  });

  it('takes any captureTs, to be judged later', () => {
    expect(readCaptureBody({ sessionId: 's', area: 'Hall', captureTs: { a: 1 } }).captureTs).toEqual({
      a: 1,
    });
  });

  it('gives the files of a multipart body their details in order', () => {
    const file = (name: string) => ({ kind: 'url' as const, url: name });
    const { photographs } = readCaptureBody(
      { sessionId: 's', photographsMeta: [{ caption: 'one' }, null, { messageId: 7 }] },
      [file('1'), file('2'), file('3')],
    );
    expect(photographs.map(({ caption, messageId }) => [caption, messageId])).toEqual([
      ['one', undefined],
      [undefined, undefined],
      [undefined, '7'],
    ]);
    expect(readCaptureBody({ sessionId: 's', photographsMeta: 'x' }, [file('1')]).warnings).toHaveLength(1);
    expect(readCaptureBody({ sessionId: 's', photographsMeta: null }, [file('1')]).warnings).toEqual([]);
  });

  it('cuts an area of unreasonable length, with a warning', () => {
    const { area, warnings } = readCaptureBody({ sessionId: 's', area: 'x'.repeat(100_000) });
    expect(area).toHaveLength(200);
    expect(warnings).toHaveLength(1);
  });

  it('cuts the name of a photograph, so that no session grows by names', () => {
    const name = `a${'\u{1f511}'.repeat(500_000)}`;
    const [photograph] = readCaptureBody({ sessionId: 's', photographs: [{ data, name }] }).photographs;
    expect(photograph!.name).toBe(`a${'\u{1f511}'.repeat(499)}\ufffd`);
  });

  it('needs a flow', () => {
    expect(flowIdOf({ flowId: 'flow' })).toBe('flow');
    for (const fields of [{}, null, { flowId: 5 }, { flowId: '' }, []])
      expect(() => flowIdOf(fields)).toThrow();
  });
});

describe('the API description of a capture', () => {
  it('names every member of observations, readings, keys and alarms, and every grade', () => {
    const { observations, reading, keys, alarm } = captureNote.body!.members as Record<string, string>;
    const notes = { observation: observations, reading, keys, alarm };
    for (const [kind, members] of Object.entries(FACT_MEMBERS_OF))
      for (const name of members)
        expect(notes[kind as keyof typeof notes]).toMatch(new RegExp(`\\b${name}\\b`));
    for (const grade of [...CONDITIONS, ...CLEANLINESS])
      expect(observations).toMatch(new RegExp(`\\b${grade}\\b`));
  });
});
