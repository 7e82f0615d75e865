import type { Photograph, Remark, Session } from '../../../../src/api/inspections.js';
import { countStanding, groupByArea, isClaimed } from './area-groups.js';

const photograph = (id: string, area: string, minute: number, pending = true): Photograph => ({
  id,
  area,
  areaType: 'room',
  capturedAt: `2026-11-21T10:${String(minute).padStart(2, '0')}:00.000Z`,
  source: 'server',
  receivedAt: '2026-11-21T11:00:00.000Z',
  name: null,
  caption: null,
  sha256: '',
  bytes: 1,
  width: 1,
  height: 1,
  turn: 0,
  withdrawnAt: null,
  corrected: 0,
  pending,
  reportId: null,
  executionId: '',
});
const remark = (area: string, text: string, pending = true): Remark => ({
  id: text,
  area,
  text,
  recordedAt: '2026-11-21T11:00:00.000Z',
  withdrawnAt: null,
  corrected: 0,
  pending,
  reportId: null,
});
const counts = { photographs: 1, remarks: 0, pending: 1 };
const session = (photographs: Photograph[], remarks: Remark[]): Session => ({
  flowId: 'f',
  sessionId: 's',
  title: null,
  pending: 1,
  omitted: 0,
  currentArea: null,
  areas: [
    { area: 'Hall', areaType: 'room', ...counts },
    { area: '__proto__', areaType: 'room', ...counts },
    { area: 'Empty', areaType: 'room', ...counts },
  ],
  outstandingAreas: [],
  corrected: 0,
  createdAt: '',
  updatedAt: '',
  photographs,
  remarks,
  facts: ['Hall', 'Shed'].map((area) => ({
    ...{
      id: area,
      kind: 'keys' as const,
      area,
      areaType: 'room' as const,
      fact: { kind: 'Fob' },
      photographs: [],
    },
    ...{ recordedAt: '', withdrawnAt: null, pending: true, reportId: null, corrections: [] },
  })),
});
const listed = (groups: ReturnType<typeof groupByArea>) =>
  groups.map(({ area, photographs, remarks, facts }) => [
    area,
    ...photographs.map(({ id }) => id),
    ...remarks.map(({ text }) => text),
    ...facts.map(({ id }) => `fact ${id}`),
  ]);

describe('the photographs of a session by area', () => {
  const all = session(
    [
      photograph('b', '__proto__', 5),
      photograph('late', 'Hall', 9),
      photograph('early', 'Hall', 1, false),
      photograph('twin', 'Hall', 9),
    ],
    [remark('Hall', 'Scuffed'), remark('Loft', 'Locked', false)],
  );

  it('are sorted by time, then arrival, with the remarks after them', () => {
    expect(listed(groupByArea(all))).toEqual([
      ['Hall', 'early', 'late', 'twin', 'Scuffed', 'fact Hall'],
      ['__proto__', 'b'],
      ['Loft', 'Locked'],
      ['Shed', 'fact Shed'],
    ]);
  });

  it('are filtered by whether a report has claimed them', () => {
    expect(listed(groupByArea(all, 'pending'))).toEqual([
      ['Hall', 'late', 'twin', 'Scuffed', 'fact Hall'],
      ['__proto__', 'b'],
      ['Shed', 'fact Shed'],
    ]);
    expect(listed(groupByArea(all, 'reported'))).toEqual([
      ['Hall', 'early'],
      ['Loft', 'Locked'],
    ]);
  });

  it('are neither reported nor pending when they are withdrawn', () => {
    const withdrawnAt = '2026-11-21T12:00:00.000Z';
    const gone = { ...photograph('gone', 'Hall', 2, false), withdrawnAt };
    const taken = { ...photograph('taken', 'Hall', 3, false), withdrawnAt, reportId: 'r' };
    const some = { ...session([photograph('there', 'Hall', 1), gone, taken], []), facts: [] };
    expect(listed(groupByArea(some))).toEqual([['Hall', 'there', 'gone', 'taken']]);
    expect(listed(groupByArea(some, 'withdrawn'))).toEqual([['Hall', 'gone', 'taken']]);
    expect(listed(groupByArea(some, 'pending'))).toEqual([['Hall', 'there']]);
    expect(listed(groupByArea(some, 'reported'))).toEqual([]);
    expect([gone, taken].map(isClaimed)).toEqual([false, true]);
    expect(countStanding(some.photographs)).toBe(1);
  });
});
