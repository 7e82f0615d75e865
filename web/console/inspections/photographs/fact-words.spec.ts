import type { Fact } from '../../../../src/api/inspections.js';
import { factInWords } from './fact-words.js';

const words = (kind: Fact['kind'], fact: Fact['fact']) =>
  factInWords({
    ...{ id: 'i', kind, area: 'Hall', areaType: 'room', fact, photographs: [] },
    ...{ recordedAt: '', withdrawnAt: null, pending: true, reportId: null, corrections: [] },
  });

describe('a fact in words', () => {
  it.each([
    [
      'observation',
      { item: 'Hob', condition: 'poor', description: 'one ring cracked' },
      'Observation: Hob, poor, one ring cracked',
    ],
    ['reading', { value: '00123', unit: 'm³', serial: 'G4' }, 'Reading: 00123 m³, serial G4'],
    ['reading', { value: 0 }, 'Reading: 0'],
    ['keys', { kind: 'Front door', count: 2 }, 'Keys: Front door, × 2'],
    [
      'alarm',
      { kind: 'Smoke', place: 'Landing', tested: false, expires: 2031 },
      'Alarm: Smoke, Landing, not tested, expires 2031',
    ],
  ] as const)('lists only the recorded members of %s %j', (kind, fact, line) =>
    expect(words(kind, fact)).toBe(line),
  );
});
