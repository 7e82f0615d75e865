import { NOW, photographs, reportInput } from '../../../test/support/report-input.js';
import { areaNamed } from '../areas/classify-area.js';
import type { FactWords } from '../facts/fact.js';
import { buildReport } from '../report/build-report.js';
import type { FactInput } from '../report/report-input.js';
import { listPreviousItems, type RecordedItem } from './previous-items.js';

const observation = (areaName: string, fact: FactWords): FactInput => ({
  ...{ id: `${areaName} ${fact.item}`, kind: 'observation', areaName, areaType: areaNamed(areaName).type },
  ...{ fact, photographs: [], recordedAt: NOW },
});
const checkIn = buildReport(
  reportInput({
    photographs: photographs([{ areaName: 'Kitchen' }]),
    facts: [
      observation('Patio', { item: 'Slabs' }),
      observation('Kitchen', { item: 'Chair', condition: 'good', description: 'Oak' }),
      observation('Kitchen', { item: 'Chair', condition: 'poor', note: 'Of that day' }),
      observation('Smoke alarm landing', { item: 'Base', cleanliness: 'dusty' }),
      { ...observation('Gas Meter', {}), kind: 'reading', fact: { value: '04713' } },
    ],
  }),
).report;
const recorded = (id: string, area: string, item: string): RecordedItem => {
  const { service } = areaNamed(area);
  return { id, area, item, ...(service === undefined ? {} : { service }) };
};

describe('the items of the check-in', () => {
  it('are its observations in its order, with the area and the words to record them again', () => {
    expect(listPreviousItems(checkIn, [])).toEqual([
      {
        ...{ area: 'Smoke alarm landing', areaType: 'service', item: 'Base', text: 'dusty', factId: null },
      },
      { area: 'Kitchen', areaType: 'room', item: 'Chair', text: 'good, Oak', factId: null },
      { area: 'Kitchen', areaType: 'room', item: 'Chair', text: 'poor', factId: null },
      { area: 'Patio', areaType: 'external', item: 'Slabs', factId: null },
    ]);
  });

  it('have each one observation of the session, whatever its case, dash and width, in the same area', () => {
    const found = (...items: RecordedItem[]) => listPreviousItems(checkIn, items).map(({ factId }) => factId);
    expect(found(recorded('1', 'kitchen', 'ＣＨＡＩＲ'))).toEqual([null, '1', null, null]);
    expect(
      found(
        recorded('1', 'KITCHEN', 'Chair –'),
        recorded('2', 'Kitchen', '(chair)'),
        recorded('3', 'Kitchen', 'chair'),
        recorded('4', 'Heat alarm', 'base'),
        recorded('5', 'Hall', 'Slabs'),
      ),
    ).toEqual(['4', '1', '2', null]);
  });
});
