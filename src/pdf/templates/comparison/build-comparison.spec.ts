import { photographs, reportInput } from '../../../../test/support/report-input.js';
import type { ReportInput } from '../../../inspection/report/report-input.js';
import { buildComparison } from './build-comparison.js';
import { changedLists } from './changed-lists.js';

const later = '019b8cd0-10aa-7c44-8a01-77d0c95e12f3';
const year = 365 * 86_400_000;

function compare(before: Partial<ReportInput>, after: Partial<ReportInput>, now = 0) {
  const first = reportInput({ ...before, meta: { reportType: 'checkin', ...(before.meta as object) } });
  const second = reportInput({
    reportId: later,
    now: first.now + year,
    ...after,
    meta: { reportType: 'checkout', ...(after.meta as object) },
  });
  return buildComparison({ now, before: first, after: second });
}

const shots = (...areas: string[]) => photographs(areas.map((areaName) => ({ areaName })));

describe('a comparison', () => {
  it('has each area once, with what either report says of it', () => {
    const { report } = compare(
      { photographs: shots('bedroom-1', 'Kitchen', 'Kitchen', 'Electric meter', 'Garage') },
      { photographs: shots('Bedroom 1', 'Loft', 'Kitchen', 'Gas Meter', 'Garage', 'Drive') },
    );
    const areas = report.rooms.map(({ heading, before, after }) => [
      heading,
      before?.photographs.map(({ number }) => number),
      after?.photographs.map(({ number }) => number),
    ]);
    expect(areas).toEqual([
      ['Bedroom 1', [2], [2]],
      ['Kitchen', [3, 4], [4]],
      ['Loft', undefined, [3]],
    ]);
    expect(report.metersAndKeys.map(({ heading }) => heading)).toEqual(['Electricity Meter', 'Gas Meter']);
    expect(report.externalAreas?.rooms.map(({ heading, before }) => [heading, before !== null])).toEqual([
      ['Garage', true],
      ['Drive', false],
    ]);
  });

  it('meets an area that one report filed as a room and the other outside', () => {
    const inside = photographs([{ areaName: 'Garage', areaType: 'room' }]);
    const { report } = compare({ photographs: inside }, { photographs: shots('Garage') });
    expect(report.rooms).toMatchObject([{ before: { photographs: [{}] }, after: { photographs: [{}] } }]);
    expect(report.externalAreas).toBeNull();
  });

  it('pairs photographs by how they look and else by position, and puts those without a counterpart last', () => {
    const looking = (...looks: (string | undefined)[]) =>
      photographs(
        looks.map((look, index) => ({
          ...{ areaName: 'Hall', id: `${index} ${look}` },
          ...(look === undefined ? {} : { look }),
        })),
      );
    const pairs = (before: ReturnType<typeof looking>, after: ReturnType<typeof looking>) =>
      compare({ photographs: before }, { photographs: after }).report.rooms[0]!.pairs.map((pair) => [
        pair.before?.number,
        pair.after?.number,
      ]);
    const [one, other] = ['07070f0cbc98940d', '0e4e5e5c4e4e5e0e'];
    expect(pairs(looking(undefined, undefined), looking(undefined))).toEqual([[1, 1], [2, undefined]]); // prettier-ignore
    expect(pairs(looking(one, other), looking(other))).toEqual([[2, 1], [1, undefined]]); // prettier-ignore
  });

  it('lists photographs without a counterpart, also where both reports number them alike', () => {
    const { report } = compare(
      { photographs: shots('Kitchen', 'Smoke alarm landing') },
      { photographs: shots('Hall', 'CO alarm kitchen') },
    );
    const lists = changedLists(report).map(({ title, lines }) => [title, lines.map(([, ...texts]) => texts)]);
    expect(lists.at(-1)).toEqual(['Photographs without counterpart', [['Photograph 1', 'Photograph 1']]]);
  });

  it('keeps the remarks of both reports, each with its own', () => {
    const meta = (text: string) => ({ areaComments: { Kitchen: [text], patio: [`${text} outside`] } });
    const areas = shots('Kitchen', 'Patio');
    const { report } = compare(
      { photographs: areas, meta: meta('old') },
      { photographs: areas, meta: meta('new') },
    );
    expect(report.rooms[0]).toMatchObject({
      before: { comments: [{ text: 'old' }] },
      after: { comments: [{ text: 'new' }] },
    });
    expect(report.externalAreas?.comments).toMatchObject({
      before: [{ text: 'old outside' }],
      after: [{ text: 'new outside' }],
    });
    expect(report.sides.before.remarks).toBe(2);
  });

  it('calls its sides by the types of the reports, and by their order where both are of one type', () => {
    const names = (before: string, after: string) => {
      const { report } = compare({ meta: { reportType: before } }, { meta: { reportType: after } });
      return [report.cover.title, report.sides.before.name.label, report.sides.after.name.label];
    };
    expect(names('checkin', 'checkout')).toEqual([
      'Comparison of Check-In and Check-Out',
      'Check-in',
      'Check-out',
    ]);
    expect(names('checkin', 'interim')).toEqual([
      'Comparison of Check-In and Interim',
      'Check-in',
      'Interim',
    ]);
    expect(names('checkin', 'other')).toEqual([
      'Comparison of Check-In and Inspection',
      'Check-in',
      'Inspection',
    ]);
    expect(names('interim', 'interim')).toEqual([
      'Comparison of Two Interim Inspection Reports',
      'First interim',
      'Second interim',
    ]);
    expect(names('', 'other')).toEqual([
      'Comparison of Two Inspection Reports',
      'First inspection',
      'Second inspection',
    ]);
  });

  it('says at which inspection a thing was found', () => {
    const when = (before: string, after: string) => {
      const { sides } = compare({ meta: { reportType: before } }, { meta: { reportType: after } }).report;
      return [sides.before.name.when, sides.after.name.when];
    };
    expect(when('checkin', 'interim')).toEqual(['at check-in', 'at the interim inspection']);
    expect(when('interim', 'interim')).toEqual([
      'at the first interim inspection',
      'at the second interim inspection',
    ]);
  });

  it('says the address once where both reports have it, and warns where they differ', () => {
    const addresses = (before?: string, after?: string) => {
      const { report, warnings } = compare({ meta: { address: before } }, { meta: { address: after } });
      return [report.cover.address, warnings.length];
    };
    expect(addresses('1 High Street, Ely', '1 high street  Ely')).toEqual(['1 high street  Ely', 0]);
    expect(addresses('1 High Street', undefined)).toEqual(['1 High Street', 0]);
    expect(addresses('1 High Street', '2 High Street')).toEqual([undefined, 1]);
  });

  it('is printed as asked, with a warning, when the earlier report is the later one', () => {
    expect(compare({}, { now: 1 }).warnings).toEqual([expect.objectContaining({ code: 'sides_reversed' })]);
  });

  it('depends on its own instant for the file name only', () => {
    const meta = { propertyNo: '7', postcode: 'N1' };
    const [one, other] = [0, year].map((now) => compare({ meta }, {}, now).report);
    expect(one!.fileName).toBe('19700101 7 N1.pdf');
    expect({ ...one, fileName: '' }).toEqual({ ...other, fileName: '' });
  });
});
