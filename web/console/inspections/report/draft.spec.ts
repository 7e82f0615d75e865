import { changesIn, EMPTY_DRAFT, faultsOf, missingAreas, readGeo, renderBody } from './draft.js';

const place = { flowId: 'f', sessionId: 's' };
const source = (draft: Partial<typeof EMPTY_DRAFT>) =>
  (renderBody(place, { ...EMPTY_DRAFT, ...draft }) as { source: Record<string, unknown> }).source;

describe('the form of a report', () => {
  it('sends only filled-in fields, as typed', () => {
    expect(source({})).toEqual({
      type: 'inspection',
      ...place,
      meta: { reportType: 'checkin', guided: false },
    });
    const meta = source({
      address: ' <b>1 High Street</b>\n',
      tenant: '  ',
      skipped: ['gas-meter', 'keys'],
      geo: '51.501364, -0.141890',
      'keyDetails.numberOfKeys': '3',
      guided: true,
    })['meta'];
    expect(meta).toEqual({
      reportType: 'checkin',
      address: ' <b>1 High Street</b>\n',
      guided: true,
      skippedAreas: 'gas-meter|keys',
      geo: { latitude: 51.501364, longitude: -0.14189 },
      keyDetails: { numberOfKeys: '3' },
    });
  });

  it('sends comments by area, whatever the area is called', () => {
    const { meta } = source({
      comments: [
        { area: '__proto__', text: 'a' },
        { area: 'Hall', text: 'b' },
        { area: '__proto__', text: 'c' },
        { area: 'Hall', text: ' ' },
      ],
    });
    expect(JSON.stringify((meta as { areaComments: object }).areaComments)).toBe(
      '{"__proto__":["a","c"],"Hall":["b"]}',
    );
  });

  it('names what would be left out: a document without a name, a comment without an area', () => {
    const faults = (draft: Partial<typeof EMPTY_DRAFT>) =>
      Object.keys(faultsOf({ ...EMPTY_DRAFT, ...draft }));
    expect(faults({ documents: 'EPC\t2026-01-02\t\n\t\t', comments: [{ area: 'Hall', text: '' }] })).toEqual(
      [],
    );
    expect(faults({ documents: 'EPC\t\t\n\t2026-01-02\t' })).toEqual(['documents']);
    expect(faults({ comments: [{ area: ' ', text: 'Worn' }] })).toEqual(['comments']);
  });

  it('sends a size in bytes, and names what is no number', () => {
    const body = (maxMegabytes: string) => renderBody(place, { ...EMPTY_DRAFT, maxMegabytes });
    expect([body('14'), body(' 0,5 '), body('0')]).toMatchObject([
      { maxBytes: 14_000_000 },
      { maxBytes: 500_000 },
      { maxBytes: 0 },
    ]);
    expect(body('')).not.toHaveProperty('maxBytes');
    const faultOf = (maxMegabytes: string) => faultsOf({ ...EMPTY_DRAFT, maxMegabytes }).maxMegabytes;
    expect(['', ' ', '14', '14 MB', '-1', '1e9'].map((typed) => faultOf(typed) === undefined)).toEqual([
      ...[true, true, true],
      ...[false, false, false],
    ]);
  });

  it('asks for completeness only where the report expects areas', () => {
    expect(source({ completeness: 'require' })).toMatchObject({ requireComplete: true });
    expect(source({ completeness: 'force' })).toMatchObject({ forceFinish: true });
    expect(source({ completeness: 'force', reportType: 'interim' })).not.toHaveProperty('forceFinish');
    expect(source({ reportType: '' })['meta']).toEqual({ guided: false });
  });

  it('mails only where that is offered', () => {
    const draft = { ...EMPTY_DRAFT, emailTo: 'a@example.com; b@example.com' };
    expect(renderBody(place, draft)).not.toHaveProperty('delivery');
    expect(renderBody(place, draft, { mail: true })).toMatchObject({
      delivery: { email: { to: ['a@example.com', 'b@example.com'] } },
    });
  });

  it('knows the outstanding areas', () => {
    const outstanding = ['gas-meter', 'keys'];
    expect(missingAreas(EMPTY_DRAFT, outstanding)).toEqual(outstanding);
    expect(missingAreas({ ...EMPTY_DRAFT, skipped: ['gas-meter'] }, outstanding)).toEqual(['keys']);
    expect(missingAreas({ ...EMPTY_DRAFT, 'keyDetails.handedTo': 'Tenant' }, outstanding)).toEqual([
      'gas-meter',
    ]);
    expect(missingAreas({ ...EMPTY_DRAFT, reportType: 'interim' }, outstanding)).toEqual([]);
  });

  it.each(['', '91, 0', '51.5', 'a, b', '51.5, 200', '1e1, 2'])('takes no coordinate from %j', (text) => {
    expect(readGeo(text)).toBeUndefined();
    expect(faultsOf({ ...EMPTY_DRAFT, geo: text })).toEqual(text === '' ? {} : { geo: expect.any(String) });
  });

  it('is read back, without invalid parts', () => {
    const draft = { ...EMPTY_DRAFT, address: 'x', skipped: ['keys'] };
    expect(changesIn(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
    expect(changesIn({ address: 7, skipped: 'keys', guided: true, other: 1 })).toEqual({ guided: true });
    for (const stored of [undefined, null, 'x', 7]) expect(changesIn(stored)).toEqual({});
  });
});
