import type { FactKind, FactWords } from '../../../inspection/facts/fact.js';
import { differenceOf } from './fact-difference.js';

const compare = (kind: FactKind, before: FactWords, after: FactWords) => {
  const name = kind === 'observation' ? { item: 'Hob' } : kind === 'reading' ? {} : { kind: 'Front door' };
  const fact = (words: FactWords) => ({ kind, words: { ...name, ...words }, photographs: [] });
  return differenceOf({ before: fact(before), after: fact(after) });
};
const words = (...parameters: Parameters<typeof compare>) => compare(...parameters)?.words ?? null;
const gravity = (...parameters: Parameters<typeof compare>) => compare(...parameters)?.gravity ?? 0;

describe('two facts about one thing', () => {
  it('do not differ in spelling, or in what only the earlier one mentions', () => {
    const before = {
      condition: 'good',
      cleanliness: 'clean',
      description: 'Oak, oiled',
      serial: 'E10 Z 004',
      quantity: 2,
    };
    for (const after of [
      before,
      { condition: 'good' },
      { description: 'oak; OILED.' },
      { serial: 'e10-z-004' },
      {},
      { make: 'Bosch', age: '3 years' },
      { cleanliness: 'clean', details: [{ label: 'Colour', value: 'white' }] },
    ])
      expect(words('observation', before, after)).toBeNull();
  });

  it('do not differ where the later one is as before, whatever its words', () => {
    expect(words('observation', { condition: 'good' }, { condition: 'poor', asBefore: true })).toBeNull();
  });

  it('differ by grades, in words for both', () => {
    expect(words('observation', { condition: 'good', cleanliness: 'clean' }, { condition: 'poor', cleanliness: 'dirty' })).toEqual(['Good → Poor', 'Clean → Dirty']); // prettier-ignore
    expect(words('observation', { condition: 'poor' }, { condition: 'good' })).toEqual(['Poor → Good']);
    expect(words('observation', {}, { condition: 'damaged' })).toEqual(['Not graded → Damaged']);
    expect(words('observation', {}, { condition: 'good' })).toBeNull();
  });

  it('differ by description, number, make, serial number and labelled values', () => {
    expect(words('observation', {}, { description: 'Burn mark.' })).toEqual(['Described differently']);
    expect(words('observation', { quantity: 6 }, { quantity: 4 })).toEqual(['Quantity 6 → 4']);
    expect(words('observation', { quantity: 6 }, { quantity: 0, condition: 'good' })).toEqual(['Not there']);
    expect(words('observation', { make: 'Bosch', serial: 'A1' }, { make: 'Beko', serial: 'B2' })).toEqual(['Serial number A1 → B2', 'Make Bosch → Beko']); // prettier-ignore
    const colour = (value: string) => ({ details: [{ label: 'Colour', value }] });
    expect(words('observation', colour('White'), colour('Cream'))).toEqual(['Colour: White → Cream']);
  });

  it('differ where the later one needs a decision', () => {
    expect(words('observation', { condition: 'fair' }, { condition: 'fair', responsibility: 'tenant' })).toEqual([]); // prettier-ignore
    expect(words('observation', {}, { action: 'clean' })).toEqual([]);
  });

  it('say which keys did not come back', () => {
    expect(words('keys', { count: 4 }, { count: 4, returned: 3 })).toEqual(['1 not returned']);
    expect(words('keys', { count: 4 }, { returned: 0 })).toEqual(['Not returned']);
    expect(words('keys', { count: '4' }, { count: '3' })).toEqual(['4 → 3']);
    expect(words('keys', { count: 4 }, { count: 3, returned: 3 })).toEqual(['4 → 3']);
    for (const after of [{ count: 4 }, { count: 4, returned: 4 }, { returned: 4 }, {}])
      expect(words('keys', { count: 4 }, after)).toBeNull();
  });

  it('say the consumption of a meter, but not of another one', () => {
    const reading = (value: string, serial = 'E10 Z') => ({ value, unit: 'kWh', serial });
    expect(words('reading', reading('4731'), reading('4945'))).toEqual(['Used 214 kWh']);
    expect(words('reading', reading('4731'), reading('12', 'G4'))).toEqual(['Serial number E10 Z → G4', 'Another meter, no consumption stated']); // prettier-ignore
    expect(words('reading', { value: 'unreadable' }, reading('12'))).toEqual(['Another reading']);
    expect(words('reading', reading('04731'), reading('4731.0'))).toBeNull();
  });

  it('are ordered by gravity', () => {
    const graded = (condition: string, cleanliness = 'clean') => ({ condition, cleanliness });
    const order = [
      gravity('keys', { count: 2 }, { count: 2, returned: 0 }),
      gravity('keys', { count: 2 }, { count: 2, returned: 1 }),
      gravity('alarm', { tested: true }, { tested: false }),
      gravity('reading', { value: 1, serial: 'A' }, { value: 2, serial: 'B' }),
      gravity('observation', graded('good'), graded('damaged')),
      gravity('observation', graded('good'), graded('poor')),
      gravity('observation', graded('good', 'professional'), graded('good', 'stained')),
      gravity('observation', graded('good'), graded('fair')),
      gravity('observation', graded('good', 'professional'), graded('good')),
      gravity('observation', {}, { description: 'A scratch.' }),
      gravity('reading', { value: 1, unit: 'kWh' }, { value: 2, unit: 'kWh' }),
      gravity('observation', graded('poor'), graded('good')),
    ];
    expect(order).toEqual([...order].sort((one, other) => other - one));
    expect(new Set(order).size).toBe(order.length);
  });
});
