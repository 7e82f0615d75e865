import { useState } from 'react';
import { Button } from '../../parts/actions/button.js';
import { Checkbox } from '../../parts/entry/checkbox.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import { StopIcon } from '../../parts/icons.js';
import { emptyForm, type FormField, formInWords, formToSend } from './form-fields.js';
import type { TryInput } from './try-runner.js';

/** The form of a flow that starts with one instead of a message. */
export function TryForm({
  fields,
  isRunning,
  onSend,
  onStop,
}: {
  fields: readonly FormField[];
  isRunning: boolean;
  onSend: (input: TryInput) => void;
  onStop: () => void;
}) {
  const [values, setValues] = useState(() => emptyForm(fields));
  return (
    <form
      className="try-composer try-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning)
          onSend({ text: formInWords(fields, values), attached: [], form: formToSend(fields, values) });
      }}
    >
      {fields.map((field) => (
        <FormFieldView
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <div className="try-write">
        {isRunning ? (
          <Button icon={<StopIcon />} onPress={onStop}>
            Stop
          </Button>
        ) : (
          <Button look="primary" type="submit">
            Start
          </Button>
        )}
      </div>
    </form>
  );
}

function FormFieldView({
  field: { label, type, options },
  value,
  onChange,
}: {
  field: FormField;
  value: string | number | boolean;
  onChange: (value: string | boolean) => void;
}) {
  if (type === 'boolean')
    return (
      <Checkbox isSelected={value === true} onChange={onChange}>
        {label}
      </Checkbox>
    );
  if (type === 'options') {
    const named = options.map((option) => ({ value: option, name: option }));
    return <Select label={label} options={named} value={String(value)} onChange={onChange} />;
  }
  return (
    <Field
      label={label}
      value={String(value)}
      onChange={onChange}
      inputMode={type === 'number' ? 'decimal' : 'text'}
    />
  );
}
