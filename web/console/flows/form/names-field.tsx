import { type ComponentType, useState } from 'react';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import { CloseIcon, PlusIcon } from '../../parts/icons.js';
import { newValue } from '../editor/new-value.js';
import { isMembers, type Members } from '../operations/definition.js';
import { useFormScope } from './form-scope.js';
import { Below, type FieldProps, RawField } from './plain-fields.js';
import { TemplateField } from './template-field.js';

/** An object with names of its own: a row for each name and its value. */
export function NamesField({ path, label, schema, value, isRequired, hint, ValueOf }: NamesProps) {
  const { set, faultAt, root } = useFormScope();
  const members: Members = isMembers(value) ? value : {};
  const names = Object.keys(members);
  const { additionalProperties: more, propertyNames } = schema;
  const item = typeof more === 'object' && Object.keys(more).length > 0 ? more : undefined;
  const choices = propertyNames?.enum?.filter((name) => typeof name === 'string');
  const next = choices ? choices.find((name) => !names.includes(name)) : freeName(names);
  const rename = (from: string, to: string) =>
    set(
      path,
      Object.fromEntries(
        Object.entries(members).map(([name, member]) => [name === from ? to : name, member]),
      ),
    );
  const remove = (name: string) => set(names.length === 1 && !isRequired ? path : [...path, name], undefined);
  return (
    <fieldset className="form-group">
      <legend>{label}</legend>
      <Below hint={hint} fault={faultAt(path)} />
      {names.map((name, index) => {
        const given = { path: [...path, name], label: `Value of ${name}`, value: members[name] };
        return (
          <div className="form-item form-name" role="group" aria-label={name} key={index}>
            <NameField name={name} taken={names} choices={choices} onRename={(to) => rename(name, to)} />
            {item ? (
              <ValueOf {...given} schema={item} />
            ) : typeof given.value === 'string' ? (
              <TemplateField
                label={given.label}
                value={given.value}
                hint={undefined}
                fault={faultAt(given.path)}
                onChange={(text) => set(given.path, text)}
              />
            ) : (
              <RawField {...given} schema={schema} isRequired hint={undefined} />
            )}
            <span className="form-remove">
              <Button
                look="quiet"
                small
                label={`Remove ${name}`}
                icon={<CloseIcon />}
                onPress={() => remove(name)}
              />
            </span>
          </div>
        );
      })}
      {next !== undefined && (
        <span>
          <Button
            small
            icon={<PlusIcon />}
            onPress={() => set([...path, next], item ? newValue(item, root) : '')}
          >
            {`Add to ${label.toLowerCase()}`}
          </Button>
        </span>
      )}
    </fieldset>
  );
}

interface NamesProps extends FieldProps {
  /** Draws the value of a name whose schema is known. */
  ValueOf: ComponentType<Pick<FieldProps, 'path' | 'label' | 'value' | 'schema'>>;
}

function NameField({
  name,
  taken,
  choices,
  onRename,
}: {
  name: string;
  taken: readonly string[];
  /** The names that are allowed; undefined for any. */
  choices: readonly string[] | undefined;
  onRename: (to: string) => void;
}) {
  const [draft, setDraft] = useState<string>();
  const text = draft ?? name;
  const isTaken = text !== name && taken.includes(text);
  if (choices)
    return (
      <Select
        label="Name"
        value={name}
        options={[...new Set([name, ...choices])]
          .filter((one) => one === name || !taken.includes(one))
          .map((one) => ({ value: one, name: one }))}
        onChange={(to) => {
          if (to !== name) onRename(to);
        }}
      />
    );
  return (
    <Field
      label="Name"
      value={text}
      fault={isTaken ? 'is there already' : text === '' ? 'must not be empty' : ''}
      onChange={setDraft}
      onBlur={() => {
        if (draft !== undefined && draft !== name && draft !== '' && !isTaken) onRename(draft);
        setDraft(undefined);
      }}
    />
  );
}

function freeName(names: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'name' : `name${number}`;
    if (!names.includes(name)) return name;
  }
}
