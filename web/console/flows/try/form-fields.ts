import type { FlowView } from '../../../../src/api/flows.js';

export interface FormField {
  name: string;
  label: string;
  type: 'text' | 'number' | 'boolean' | 'options';
  options: readonly string[];
}

export type FormValues = Record<string, string | number | boolean>;

type Members = Record<string, unknown>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the fields of a flow that starts with a form; undefined when it starts with a message. */
export function formFieldsOf({ nodes }: Pick<FlowView, 'nodes'>): readonly FormField[] | undefined {
  const start = nodes.find(({ kind }) => kind === 'start')?.config;
  if (start?.['inputType'] !== 'form') return undefined;
  const form = membersOf(start['form']);
  const fields = listOf(form['inputs'] ?? form['fields'])
    .map(membersOf)
    .flatMap(fieldOf);
  return fields.length > 0 ? fields : undefined;
}

function fieldOf({ name, label, type, addOptions, options }: Members): FormField[] {
  if (typeof name !== 'string' || name === '') return [];
  const given = listOf(addOptions ?? options)
    .map((option) => textOf(typeof option === 'string' ? option : membersOf(option)['option']))
    .filter((option) => option !== '');
  const kind = given.length > 0 ? 'options' : type === 'number' || type === 'boolean' ? type : 'text';
  return [{ name, label: textOf(label) || name, type: kind, options: given }];
}

/** Returns the initial value of every field. */
export const emptyForm = (fields: readonly FormField[]): FormValues =>
  Object.fromEntries(
    fields.map(({ name, type, options }) => [name, type === 'boolean' ? false : (options[0] ?? '')]),
  );

/** Formats the submitted values for the chat, one per line. */
export const formInWords = (fields: readonly FormField[], values: FormValues): string =>
  fields.map(({ name, label }) => `${label}: ${String(values[name] ?? '')}`).join('\n');

/** Converts the values for sending: numbers become numbers. */
export const formToSend = (fields: readonly FormField[], values: FormValues): FormValues =>
  Object.fromEntries(
    fields.map(({ name, type }) => {
      const value = values[name] ?? '';
      return [name, type === 'number' && value !== '' ? Number(value) : value];
    }),
  );
