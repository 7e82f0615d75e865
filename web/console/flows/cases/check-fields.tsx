import { CHECK_KINDS, type CheckKind } from '../../../../src/api/case-terms.js';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import { PlusIcon, TrashIcon } from '../../parts/icons.js';
import { type CheckDraft, emptyCheck } from './check-draft.js';

const NAMES: Readonly<Record<CheckKind, string>> = {
  contains: 'contains a text',
  equals: 'is a text',
  regex: 'matches a pattern',
  json: 'has a value in its JSON',
  schema: 'fits a JSON Schema',
  max: 'costs no more',
  judge: 'satisfies a model',
};

const KINDS = CHECK_KINDS.map((value) => ({ value, name: NAMES[value] }));

/** The checks of a case, all of which must pass. `faults` are by the ids of the checks. */
export function CheckFields({
  checks,
  faults,
  onChange,
}: {
  checks: readonly CheckDraft[];
  faults: ReadonlyMap<number, string>;
  onChange: (checks: CheckDraft[]) => void;
}) {
  const change = (changed: CheckDraft) =>
    onChange(checks.map((check) => (check.id === changed.id ? changed : check)));
  return (
    <fieldset className="cases-fields">
      <legend className="field-label">The answer</legend>
      {checks.map((check) => (
        <div key={check.id} className="cases-field" role="group" aria-label={`Check: ${NAMES[check.kind]}`}>
          <div className="cases-field-head">
            <Select
              label="Check"
              showLabel={false}
              options={KINDS}
              value={check.kind}
              onChange={(kind) => change({ ...check, kind })}
            />
            <Button
              small
              look="quiet"
              icon={<TrashIcon />}
              label="Remove the check"
              onPress={() => onChange(checks.filter(({ id }) => id !== check.id))}
            />
          </div>
          <Values check={check} fault={faults.get(check.id) ?? ''} onChange={change} />
        </div>
      ))}
      <Button small icon={<PlusIcon />} onPress={() => onChange([...checks, emptyCheck()])}>
        Add a check
      </Button>
    </fieldset>
  );
}

interface ValuesProps {
  check: CheckDraft;
  fault: string;
  onChange: (changed: CheckDraft) => void;
}

function Values({ check, fault, onChange }: ValuesProps) {
  const { kind, text, path, json } = check;
  const setJson = (value: string) => onChange({ ...check, json: value });
  switch (kind) {
    case 'json':
      return (
        <>
          <Field
            label="Path"
            value={path}
            onChange={(value) => onChange({ ...check, path: value })}
            hint="Such as items.0.name; empty for the whole value."
          />
          <Field label="Value, as JSON" value={json} onChange={setJson} fault={fault} spellCheck="false" />
        </>
      );
    case 'schema':
      return (
        <Field
          label="JSON Schema"
          rows={6}
          value={json}
          onChange={setJson}
          fault={fault}
          spellCheck="false"
        />
      );
    case 'max':
      return <Limits check={check} fault={fault} onChange={onChange} />;
    default:
      return (
        <Field
          label={kind === 'judge' ? 'What a good answer does' : kind === 'regex' ? 'Pattern' : 'Text'}
          rows={kind === 'regex' ? 1 : 2}
          value={text}
          onChange={(value) => onChange({ ...check, text: value })}
          fault={fault}
        />
      );
  }
}

const LIMITS = [
  ['tokens', 'Tokens'],
  ['credits', 'Credits'],
  ['ms', 'Milliseconds'],
] as const;

const Limits = ({ check, fault, onChange }: ValuesProps) => (
  <div className="cases-limits">
    {LIMITS.map(([name, label], index) => (
      <Field
        key={name}
        label={label}
        inputMode="numeric"
        value={check[name]}
        onChange={(value) => onChange({ ...check, [name]: value })}
        fault={index === 0 ? fault : ''}
      />
    ))}
  </div>
);
