import type { Fact } from '../../../../src/api/inspections.js';

const NAMES = { observation: 'Observation', reading: 'Reading', keys: 'Keys', alarm: 'Alarm' };

/** Formats a fact on one line: `Reading: 00123 m³, serial G4`. */
export function factInWords({ kind, fact }: Fact): string {
  const member = (name: string, before = '') => (fact[name] === undefined ? [] : [`${before}${fact[name]}`]);
  const words = {
    observation: () => [
      ...member('item'),
      ...member('condition'),
      ...member('cleanliness'),
      ...member('description'),
    ],
    reading: () => [[...member('value'), ...member('unit')].join(' '), ...member('serial', 'serial ')],
    keys: () => [...member('kind'), ...member('count', '× ')],
    alarm: () => [
      ...member('kind'),
      ...member('place'),
      ...(fact['tested'] === undefined ? [] : [fact['tested'] === true ? 'tested' : 'not tested']),
      ...member('expires', 'expires '),
    ],
  };
  return `${NAMES[kind]}: ${words[kind]().join(', ')}`;
}
