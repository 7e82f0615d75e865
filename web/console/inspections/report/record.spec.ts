import { EMPTY_DRAFT } from './draft.js';
import { changeOf, clearedOf, draftOf, withoutRecorded } from './record.js';

const details = {
  address: '14 Acacia Avenue',
  reportType: 'checkout',
  guided: true,
  geo: { latitude: 51.5, longitude: -0.1 },
  keyDetails: { numberOfKeys: 2, takenFrom: 'Agent' },
  tenancy: { start: '2025-11-03' },
  present: ['Jo', 'Ann'],
  documents: [{ kind: 'EPC', date: '2026-01-02' }],
  previousReport: '0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e40',
  skippedAreas: 'keys|gas-meter',
  areaComments: { Hall: ['Worn', 'Dusty'] },
};

describe('the record of an inspection in the form', () => {
  it('fills in the form, which then yields the same record', () => {
    const draft = { ...EMPTY_DRAFT, ...draftOf(details) };
    expect(draft).toMatchObject({
      reportType: 'checkout',
      geo: '51.5, -0.1',
      'keyDetails.numberOfKeys': '2',
      'tenancy.start': '2025-11-03',
      present: 'Jo\nAnn',
      documents: 'EPC\t2026-01-02\t',
      skipped: ['keys', 'gas-meter'],
      comments: [
        { area: 'Hall', text: 'Worn' },
        { area: 'Hall', text: 'Dusty' },
      ],
    });
    expect(changeOf(draft, draft)).toMatchObject({
      ...details,
      keyDetails: { numberOfKeys: '2', takenFrom: 'Agent' },
      tenant: null,
    });
  });

  it('ticks each skipped area once, under any of its names, and keeps other items', () => {
    const skippedAreas = 'smoke alarm|Detectors|gas_meter| pool |';
    expect(draftOf({ skippedAreas }).skipped).toEqual(['detectors', 'gas-meter', 'pool']);
  });

  it('changes only edited members, and removes cleared ones', () => {
    const changes = { tenant: 'Jo', address: ' ', 'keyDetails.numberOfKeys': '' };
    const draft = { ...EMPTY_DRAFT, ...draftOf(details), ...changes };
    expect(changeOf(draft, changes)).toEqual({
      tenant: 'Jo',
      address: null,
      keyDetails: { takenFrom: 'Agent' },
    });
    expect(clearedOf(draft, changes)).toEqual(['address']);
  });

  it('does not store what belongs to one report only', () => {
    expect(withoutRecorded({ address: 'x', emailTo: 'a@b.example', completeness: 'force' })).toEqual({
      emailTo: 'a@b.example',
      completeness: 'force',
    });
  });
});
