import type { WarningView } from '../../../../src/api/warnings.js';
import { warningSentences } from '../../../common/warning.js';
import type { Fault } from '../../api/api-error.js';
import { jsonErrorAt } from './json-error.js';
import type { Schema } from './json-schema.js';
import { readLoosely } from './loose-json.js';
import { type Place, placeOf } from './places.js';
import { schemaFaults } from './schema-faults.js';

/** A fault or warning with its range in the text. */
export interface PlacedFault extends Fault, Place {
  isWarning?: true;
}

/** The parsed text, or its syntax error. */
export type Reading = { value: unknown } | { fault: PlacedFault };

export function readDefinition(text: string): Reading {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: syntaxFault(text, error instanceof Error ? error.message : '') };
  }
}

export function faultsOfReading(reading: Reading, schema: Schema | undefined): Fault[] {
  if ('fault' in reading) return [reading.fault];
  return schema ? schemaFaults(reading.value, schema) : [];
}

/** Locates faults in the text. Faults that have a range keep it. */
export function placed(text: string, faults: readonly Fault[]): PlacedFault[] {
  const root = readLoosely(text);
  return faults
    .map((fault) => ('from' in fault ? (fault as PlacedFault) : { ...fault, ...placeOf(root, fault.path) }))
    .sort((one, other) => one.from - other.from);
}

/** Locates warnings, whose paths look like `nodes[3].config.message`. */
export function placedWarnings(text: string, warnings: readonly WarningView[]): PlacedFault[] {
  const faults = warnings.flatMap((warning) =>
    warningSentences([warning]).map((message) => ({
      path: (warning.path ?? '').replaceAll(/\[(\d+)\]/g, '.$1'),
      message,
    })),
  );
  return placed(text, faults).map((fault) => ({ ...fault, isWarning: true }));
}

/** Builds a fault from the browser's message, which may give the position (`at position 17`, `at line 2 column 3`). */
function syntaxFault(text: string, message: string): PlacedFault {
  const at = Math.min(positionIn(text, message), text.length);
  const sentence = message
    .replace(/^JSON\.parse: |^JSON Parse error: /, '')
    .replace(/ (in JSON )?at (position|line) .*$/, '')
    .replace(/, \.{0,3}".*is not valid JSON$/s, '');
  const from = at === text.length ? Math.max(0, text.trimEnd().length - 1) : at;
  return {
    path: '',
    message: sentence === '' ? 'This is not JSON.' : `${sentence}.`,
    from,
    to: Math.min(from + 1, text.length),
  };
}

function positionIn(text: string, message: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const [, line, column] = /at line (\d+) column (\d+)/.exec(message) ?? [];
  if (line === undefined || column === undefined)
    return message.includes('end of') ? text.length : jsonErrorAt(text);
  const before = text.split('\n').slice(0, Number(line) - 1);
  return before.reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1;
}
