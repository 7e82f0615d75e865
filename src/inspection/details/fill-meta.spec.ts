import { fillMeta } from './fill-meta.js';

const details = { address: '14 Acacia Avenue', tenant: 'Jo', reportType: 'checkin' };

describe('the meta of a render', () => {
  it('is filled member by member where it says nothing, and wins where it does', () => {
    const { meta, filled, warnings } = fillMeta({ tenant: 'Al', company: 'Lets' }, details);
    expect(meta).toEqual({
      tenant: 'Al',
      company: 'Lets',
      address: '14 Acacia Avenue',
      reportType: 'checkin',
    });
    expect([...filled]).toEqual(['address', 'reportType']);
    expect(warnings).toEqual([]);
  });

  it.each([null, ''])('leaves a member blank that is %j in it', (blank) => {
    const { meta, filled, warnings } = fillMeta(
      { address: blank, tenant: blank, reportType: blank },
      details,
    );
    expect(meta).toEqual({ address: blank, tenant: blank, reportType: blank });
    expect(filled.size).toBe(0);
    expect(warnings).toEqual([]);
  });

  it.each([undefined, null])('is the record where it is %j', (meta) => {
    expect(fillMeta(meta, details).meta).toEqual(details);
  });

  it.each(['text', 7, []])('stays as it is where it is no object: %j', (meta) => {
    expect(fillMeta(meta, details)).toEqual({ meta, filled: new Set(), warnings: [] });
  });

  it('that has another type of report than the record is warned of', () => {
    expect(fillMeta({ reportType: 'checkout' }, details).warnings).toMatchObject([
      { code: 'report_type_differs', path: 'meta.reportType', suggestion: 'checkin' },
    ]);
    expect(fillMeta({ reportType: 'checkin' }, details).warnings).toEqual([]);
  });

  it('takes no prototype for a member', () => {
    const sent = JSON.parse('{"__proto__":{"address":"x"}}') as object;
    const { meta } = fillMeta(sent, details);
    expect((meta as { address: string }).address).toBe('14 Acacia Avenue');
    expect(JSON.stringify(meta)).toContain('"__proto__":{"address":"x"}');
  });
});
