import type { Fact } from '../../api/types/inspections.js';

const NAMES = { observation: 'Observation', reading: 'Reading', keys: 'Keys', alarm: 'Alarm' };

/** Formats a fact on one line: `Reading: 00123 m³, serial G4`. */
export function factInWords({ kind, fact }: Fact): string {
  const said = (name: string, before = '') => (fact[name] === undefined ? [] : [`${before}${fact[name]}`]);
  const words = {
    observation: () => [
      ...said('item'),
      ...said('condition'),
      ...said('cleanliness'),
      ...said('description'),
    ],
    reading: () => [[...said('value'), ...said('unit')].join(' '), ...said('serial', 'serial ')],
    keys: () => [...said('kind'), ...said('count', '× ')],
    alarm: () => [
      ...said('kind'),
      ...said('place'),
      ...(fact['tested'] === undefined ? [] : [fact['tested'] === true ? 'tested' : 'not tested']),
      ...said('expires', 'expires '),
    ],
  };
  return `${NAMES[kind]}: ${words[kind]().join(', ')}`;
}
