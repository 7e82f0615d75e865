import { useId, useState } from 'react';
import { Button } from '../../parts/actions/button.js';
import { Checkbox } from '../../parts/entry/checkbox.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import type { Schema } from '../editor/json-schema.js';
import { useFormScope } from './form-scope.js';

export interface FieldProps {
  path: readonly string[];
  label: string;
  schema: Schema;
  value: unknown;
  isRequired: boolean;
  hint: string | undefined;
}

const NONE = '';

/** A choice of constants. An optional one can be left open. */
export function ChoiceField({ path, label, schema, value, isRequired, hint }: FieldProps) {
  const { set, faultAt } = useFormScope();
  const values = schema.enum ?? [schema.const];
  const texts = values.map((one) => JSON.stringify(one));
  const chosen = value === undefined ? NONE : JSON.stringify(value);
  const byDefault = schema.default === undefined ? 'Not set' : `Not set (${JSON.stringify(schema.default)})`;
  const options = [
    ...(isRequired && value !== undefined ? [] : [{ value: NONE, name: byDefault }]),
    ...texts.map((text, index) => ({ value: text, name: String(values[index]) })),
    ...(chosen === NONE || texts.includes(chosen) ? [] : [{ value: chosen, name: `${chosen} (unknown)` }]),
  ];
  return (
    <div className="field">
      <Select
        label={label}
        options={options}
        value={chosen}
        onChange={(next) => set(path, next === NONE ? undefined : (JSON.parse(next) as unknown))}
      />
      <Below hint={hint} fault={faultAt(path)} />
    </div>
  );
}

export function YesNoField({ path, label, schema, value, hint }: FieldProps) {
  const { set, faultAt } = useFormScope();
  return (
    <div className="field">
      <Checkbox
        isSelected={value === undefined ? schema.default === true : value === true}
        onChange={(isOn) => set(path, isOn)}
      >
        {label}
      </Checkbox>
      <Below hint={hint} fault={faultAt(path)} />
    </div>
  );
}

/** A number; what is no number stays in the field with its fault. */
export function NumberField({ path, label, schema, value, isRequired, hint }: FieldProps) {
  const { set, faultAt, done } = useFormScope();
  const stored = typeof value === 'number' ? String(value) : '';
  const [draft, setDraft] = useState<string>();
  const isWrong = draft !== undefined && draft.trim() !== '' && !isNumber(draft);
  return (
    <Field
      label={label}
      inputMode="decimal"
      value={draft ?? stored}
      hint={hint}
      fault={isWrong ? 'must be a number' : faultAt(path)}
      {...(schema.default === undefined ? {} : { placeholder: JSON.stringify(schema.default) })}
      onChange={(text) => {
        setDraft(text);
        if (text.trim() === '') set(path, isRequired ? 0 : undefined);
        else if (isNumber(text)) set(path, Number(text));
      }}
      onBlur={() => {
        if (!isWrong) setDraft(undefined);
        done();
      }}
    />
  );
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/** A text of one line that is no template. */
export function LineField({ path, label, schema, value, isRequired, hint }: FieldProps) {
  const { set, faultAt, done } = useFormScope();
  return (
    <Field
      label={label}
      value={typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)}
      hint={hint}
      fault={faultAt(path)}
      {...(typeof schema.default === 'string' ? { placeholder: schema.default } : {})}
      onChange={(text) => set(path, text === '' && !isRequired ? undefined : text)}
      onBlur={done}
    />
  );
}

/** A value as JSON, for what no other field can hold. It is stored while it is valid, and stays as it was typed. */
export function RawField({ path, label, value, hint }: FieldProps) {
  const { set, faultAt, done } = useFormScope();
  const [draft, setDraft] = useState<string>();
  const read = draft === undefined ? undefined : jsonIn(draft);
  const isBroken = draft !== undefined && !read;
  const isTyped = read && JSON.stringify(read.value) === JSON.stringify(value);
  const stored = value === undefined ? '' : JSON.stringify(value, null, 2);
  const text = draft !== undefined && (isBroken || isTyped) ? draft : stored;
  return (
    <Field
      label={`${label} (JSON)`}
      rows={Math.min(14, Math.max(2, text.split('\n').length))}
      value={text}
      hint={hint}
      fault={isBroken ? 'This is not JSON yet. The last valid value stays.' : faultAt(path)}
      onChange={(next) => {
        setDraft(next);
        const found = jsonIn(next);
        if (found) set(path, found.value);
      }}
      onBlur={done}
    />
  );
}

/** Reads JSON; nothing is no value. Returns undefined for a text that is no JSON. */
function jsonIn(text: string): { value: unknown } | undefined {
  try {
    return { value: text.trim() === '' ? undefined : (JSON.parse(text) as unknown) };
  } catch {
    return undefined;
  }
}

/** The id of a record of the service or of a node, chosen by name. */
export function PickField({ path, label, value, isRequired, hint }: FieldProps) {
  const { set, faultAt, pick, addCredential } = useFormScope();
  const known = pick(path) ?? [];
  const chosen = typeof value === 'string' ? value : NONE;
  const options = [
    ...(isRequired && chosen !== NONE ? [] : [{ value: NONE, name: 'Not set' }]),
    ...known,
    ...(chosen === NONE || known.some((one) => one.value === chosen)
      ? []
      : [{ value: chosen, name: `${chosen} (unknown)` }]),
  ];
  return (
    <div className="field">
      <Select
        label={label}
        options={options}
        value={chosen}
        onChange={(next) => set(path, next === NONE ? (isRequired ? '' : undefined) : next)}
      />
      {path.at(-1) === 'credentialId' && (
        <Button look="quiet" small onPress={() => addCredential(path)}>
          New API key…
        </Button>
      )}
      <Below hint={hint} fault={faultAt(path)} />
    </div>
  );
}

export function Below({ hint, fault }: { hint: string | undefined; fault: string }) {
  const id = useId();
  if (fault !== '')
    return (
      <p className="field-fault form-below" role="alert" id={id}>
        {fault}
      </p>
    );
  return hint === undefined ? null : <p className="field-hint form-below">{hint}</p>;
}
