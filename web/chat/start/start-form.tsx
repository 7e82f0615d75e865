import { type FormEvent, useId } from 'react';
import { texts } from '../texts.js';
import type { Input } from '../turns/input.js';
import type { FormDescription, FormField } from './chat-config.js';

/** The form that some flows start with instead of a message. */
export function StartForm({ form, onSend }: { form: FormDescription; onSend: (input: Input) => void }) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const values = form.fields.map((field) => [field, valueOf(field, given)] as const);
    onSend({
      text: values.map(([{ label }, value]) => `${label}: ${inWords(value)}`).join('\n'),
      form: Object.fromEntries(values.map(([{ name }, value]) => [name, value])),
    });
  };
  return (
    <form className="start-form" onSubmit={send}>
      {form.title !== '' && <h2>{form.title}</h2>}
      {form.text !== '' && <p>{form.text}</p>}
      {form.fields.map((field) => (
        <Field key={field.name} field={field} />
      ))}
      <button type="submit" className="primary">
        {texts.start}
      </button>
    </form>
  );
}

const inWords = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? texts.yes : texts.no) : String(value);

function valueOf({ name, type }: FormField, given: FormData): unknown {
  const value = given.get(name);
  if (type === 'boolean') return value !== null;
  if (type === 'number') return value === null || value === '' ? '' : Number(value);
  return value ?? '';
}

function Field({ field: { name, label, type, options } }: { field: FormField }) {
  const id = useId();
  if (type === 'boolean')
    return (
      <label className="check">
        <input type="checkbox" name={name} /> {label}
      </label>
    );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {options.length > 0 ? (
        <select id={id} name={name}>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input id={id} name={name} type={type === 'number' ? 'number' : 'text'} step="any" />
      )}
    </div>
  );
}
