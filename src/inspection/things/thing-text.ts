import type { DetailValue } from '../details/read-details.js';
import { META_MEMBERS, type MetaName } from '../report/meta-members.js';

/** Returns a detail as one line with its label: `Address: 1 Test Street`. */
export function detailText(name: string, value: DetailValue): string {
  const label = Object.hasOwn(META_MEMBERS, name) ? META_MEMBERS[name as MetaName].label : name;
  return `${label}: ${valueText(value)}`;
}

function valueText(value: DetailValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(valueText).join('; ');
  return Object.entries(value as Readonly<Record<string, DetailValue>>)
    .map(([name, each]) => `${name} ${valueText(each)}`)
    .join(', ');
}
