import { createContext, type ReactNode, use, useState } from 'react';
import { RichText } from '../common/rich-text.js';
import { nameOfReference, type Schema } from './description.js';

/** The schemas that others refer to, by name. */
export const SchemasContext = createContext<Readonly<Record<string, Schema>>>({});

/** The members of a schema, expandable in depth. */
export function SchemaView({ schema }: { schema: Schema }): ReactNode {
  const schemas = use(SchemasContext);
  const whole = resolved(schema, schemas);
  const inner = innerOf(schema, schemas);
  return (
    <div className="schema">
      <p className="type">{typeOf(schema)}</p>
      {whole.description && <RichText text={whole.description} />}
      {inner && <Members schema={inner} />}
    </div>
  );
}

function Members({ schema }: { schema: Schema }): ReactNode {
  const required = new Set(schema.required);
  if (schema.properties)
    return (
      <ul className="members">
        {Object.entries(schema.properties).map(([name, member]) => (
          <Member key={name} name={name} schema={member} required={required.has(name)} />
        ))}
      </ul>
    );
  return (
    <ul className="members">
      {choicesOf(schema).map((choice, index) => (
        <Member key={index} name={`Choice ${index + 1}`} schema={choice} required={false} />
      ))}
    </ul>
  );
}

function Member({ name, schema, required }: { name: string; schema: Schema; required: boolean }): ReactNode {
  const schemas = use(SchemasContext);
  const [open, setOpen] = useState(false);
  const whole = resolved(schema, schemas);
  const inner = innerOf(schema, schemas);
  return (
    <li>
      <p>
        <code>{name}</code> <span className="type">{typeOf(schema)}</span>
        {required && <span className="required"> required</span>}
        <Limits schema={whole} />
      </p>
      {(schema.description ?? whole.description) && (
        <RichText text={(schema.description ?? whole.description)!} />
      )}
      {inner && (
        <button type="button" className="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide' : 'Show'} members of {name}
        </button>
      )}
      {inner && open && <Members schema={inner} />}
    </li>
  );
}

function Limits({ schema }: { schema: Schema }): ReactNode {
  const limits = [
    range('', schema.minimum, schema.maximum),
    range(' characters', schema.minLength, schema.maxLength),
    range(' elements', schema.minItems, schema.maxItems),
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean);
  return limits.length > 0 && <span className="limits"> {limits.join(', ')}</span>;
}

function range(unit: string, least: number | undefined, most: number | undefined): string {
  if (most !== undefined && most < Number.MAX_SAFE_INTEGER)
    return least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`;
  return least === undefined || least === Number.MIN_SAFE_INTEGER ? '' : `at least ${least}${unit}`;
}

const resolved = (schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema =>
  schema.$ref === undefined ? schema : (schemas[nameOfReference(schema.$ref)] ?? {});

/** Returns the object or choice whose members are shown below: of the schema itself, of a list's elements or of a map's values. */
function innerOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema | undefined {
  const whole = resolved(schema, schemas);
  if (whole.properties && Object.keys(whole.properties).length > 0) return whole;
  if (choicesOf(whole).some((choice) => innerOf(choice, schemas))) return whole;
  if (whole.items) return innerOf(whole.items, schemas);
  if (typeof whole.additionalProperties === 'object') return innerOf(whole.additionalProperties, schemas);
  return undefined;
}

const choicesOf = ({ oneOf, anyOf, allOf }: Schema): Schema[] => oneOf ?? anyOf ?? allOf ?? [];

/** Returns the type in a few words: `text`-like names of JSON Schema, a reference's name, the allowed values. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOfReference(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  const choices = [...new Set(choicesOf(schema).map(typeOf))];
  if (choices.length > 0) return choices.join(schema.allOf ? ' & ' : ' | ');
  const type = [schema.type ?? 'any'].flat().join(' | ');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}
