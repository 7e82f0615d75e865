import { META_MEMBERS } from '../../src/inspection/report/meta-members.js';
import {
  dateInput,
  documentRows,
  FIELD_NAMES,
  fieldText,
  memberOf,
  META_FIELDS,
  storedText,
} from './meta-fields.js';

describe('the fields of forms for meta', () => {
  it('are one for each member, or for each of its parts, but for the place, comments and skipped areas', () => {
    const members = new Set(FIELD_NAMES.map((name) => name.split('.')[0]));
    const without = Object.keys(META_MEMBERS).filter((name) => !members.has(name));
    expect(without).toEqual(['geo', 'areaComments', 'skippedAreas']);
    expect(FIELD_NAMES.filter((name) => name.startsWith('tenancy'))).toEqual([
      'tenancy.start',
      'tenancy.end',
    ]);
    expect(META_FIELDS['overview.furnished']).toEqual({ label: 'Furnishing', input: 'furnishing' });
  });

  it.each([
    ['guided', 'true', true],
    ['address', ' 1 High Street ', '1 High Street'],
    ['overview.decor', 'Neutral', { decor: 'Neutral' }],
    ['tenancy.start', '2026-11-03', { start: '2026-11-03' }],
    ['present', ' Jo \n\nAnn', ['Jo', 'Ann']],
    [
      'documents',
      'EPC\t2026-01-02\tin the drawer\n\t\tlost\n Gas ',
      [{ kind: 'EPC', date: '2026-01-02', note: 'in the drawer' }, { kind: 'Gas' }],
    ],
    [
      'previousReport',
      'https://x.example/api/v1/pdf/reports/0199A1F2-7c3e-7b1a-9d55-3f1c2b7a9e40/file?expires=1',
      '0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e40',
    ],
    ['previousReport', 'the one of May', 'the one of May'],
  ] as const)('reads %s', (field, text, value) => {
    const [name, member] = memberOf({}, field, text);
    expect([name, member]).toEqual([field.split('.')[0], value]);
    const stored = fieldText({ [name]: member }, field);
    expect(storedText(field, text)).toBe(stored);
    expect(memberOf({}, field, stored)[1]).toEqual(value);
  });

  it('leave the other parts of a member, and remove one that is empty', () => {
    const details = { tenancy: { start: '2026-11-03', end: '2027-11-02' }, present: ['Jo'] };
    expect(memberOf(details, 'tenancy.end', '')).toEqual(['tenancy', { start: '2026-11-03' }]);
    expect(memberOf({ tenancy: { start: 'x' } }, 'tenancy.start', ' ')).toEqual(['tenancy', null]);
    expect(memberOf(details, 'present', '\n')).toEqual(['present', null]);
  });

  it('ask for a date, with its time at a visit, and edit what such an input cannot show as text', () => {
    expect(['', '2026-11-03', '2026-11-03T09:30Z'].map((text) => dateInput('tenancy.start', text))).toEqual([
      ...['date', 'date', undefined],
    ]);
    expect(['2026-11-03', '2026-11-03T09:30'].map((text) => dateInput('visit.end', text))).toEqual([
      ...[undefined, 'datetime-local'],
    ]);
  });

  it('have no text for a value of another type', () => {
    expect(fieldText({ overview: 'fine' }, 'overview.decor')).toBe('');
    expect(fieldText({ documents: [null, 'EPC', { kind: 1 }] }, 'documents')).toBe('\t\t\n\t\t\n\t\t');
    expect(documentRows('')).toEqual([]);
    expect(memberOf({}, 'documents', '\t2026-01-02\t')).toEqual(['documents', null]);
  });
});
