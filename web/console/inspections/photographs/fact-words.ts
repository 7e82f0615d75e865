import { ACTIONS, type FactMemberName, RESPONSIBILITIES } from '../../../../src/api/inspection-terms.js';
import type { Fact } from '../../../../src/api/inspections.js';
import { factMemberText } from '../../../common/fact-members.js';

const NAMES = { observation: 'Observation', reading: 'Reading', keys: 'Keys', alarm: 'Alarm' };

/** Formats a fact on one line: `Reading: 00123 m³, serial G4`. */
export function factInWords({ kind, fact }: Fact): string {
  const member = (name: FactMemberName, before = '', after = '') =>
    fact[name] === undefined ? [] : [`${before}${factMemberText(fact[name])}${after}`];
  const words = {
    observation: () => [
      ...member('item'),
      ...member('condition'),
      ...member('cleanliness'),
      ...(fact.asBefore === true ? ['as at check-in'] : []),
      ...member('description'),
      ...member('quantity', '× '),
      ...[...member('make'), ...member('model'), ...member('serial', 'serial '), ...member('age', 'age ')],
      ...member('details').map((lines) => lines.replaceAll('\n', ', ')),
      ...worded(RESPONSIBILITIES, fact.responsibility),
      ...worded(ACTIONS, fact.action),
      ...member('note'),
    ],
    reading: () => [
      [...member('value'), ...member('unit')].join(' '),
      ...member('serial', 'serial '),
      ...[...member('location'), ...member('supplier'), ...member('register', 'register ')],
    ],
    keys: () => [...member('kind'), ...member('count', '× '), ...member('returned', '', ' returned')],
    alarm: () => [
      ...member('kind'),
      ...member('place'),
      ...(fact.tested === undefined ? [] : [fact.tested === true ? 'tested' : 'not tested']),
      ...member('result'),
      ...member('expires', 'expires '),
    ],
  };
  return `${NAMES[kind]}: ${words[kind]().join(', ')}`;
}

const worded = (labels: Readonly<Record<string, string>>, word: unknown): string[] =>
  typeof word === 'string' ? [labels[word] ?? word] : [];
