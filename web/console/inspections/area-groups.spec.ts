import type { Photograph, Remark, Session } from '../api/types/inspections.js';
import { groupByArea } from './area-groups.js';

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
  pending,
  reportId: null,
  executionId: '',
});
const remark = (area: string, text: string, pending = true): Remark => ({
  id: text,
  area,
  text,
  recordedAt: '2026-11-21T11:00:00.000Z',
  pending,
  reportId: null,
});
const counts = { photographs: 1, remarks: 0, pending: 1 };
const session = (photographs: Photograph[], remarks: Remark[]): Session => ({
  flowId: 'f',
  sessionId: 's',
  pending: 1,
  currentArea: null,
  areas: [
    { area: 'Hall', areaType: 'room', ...counts },
    { area: '__proto__', areaType: 'room', ...counts },
    { area: 'Empty', areaType: 'room', ...counts },
  ],
  outstandingAreas: [],
  createdAt: '',
  updatedAt: '',
  photographs,
  remarks,
});
const told = (groups: ReturnType<typeof groupByArea>) =>
  groups.map(({ area, photographs, remarks }) => [
    area,
    ...photographs.map(({ id }) => id),
    ...remarks.map(({ text }) => text),
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

  it('stand in order of instant, then arrival, with the remarks after them', () => {
    expect(told(groupByArea(all))).toEqual([
      ['Hall', 'early', 'late', 'twin', 'Scuffed'],
      ['__proto__', 'b'],
      ['Loft', 'Locked'],
    ]);
  });

  it('are those that no report has taken, or those that one has', () => {
    expect(told(groupByArea(all, 'pending'))).toEqual([
      ['Hall', 'late', 'twin', 'Scuffed'],
      ['__proto__', 'b'],
    ]);
    expect(told(groupByArea(all, 'reported'))).toEqual([
      ['Hall', 'early'],
      ['Loft', 'Locked'],
    ]);
  });
});
