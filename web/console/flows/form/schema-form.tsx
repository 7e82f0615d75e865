import { type ReactNode, type RefObject, useState } from 'react';
import type { Fault } from '../../api/api-error.js';
import type { Schema } from '../editor/json-schema.js';
import { type FormScope, FormScopeContext } from './form-scope.js';
import { NewCredential } from './new-credential.js';
import './schema-form.css';
import { MemberFields, ValueField } from './value-field.js';

interface SchemaFormProps extends Pick<FormScope, 'root' | 'names' | 'pick' | 'set' | 'swap' | 'done'> {
  /** The schema of the value. */
  schema: Schema;
  value: unknown;
  /** The name of the value, unless it is an object whose members are known. */
  label: string;
  /** Members that are edited elsewhere. */
  without?: readonly string[];
  faults: readonly Fault[];
  /** The path of the value, with which the paths of its faults begin; empty for the whole. */
  prefix?: string;
  areBranches?: FormScope['areBranches'];
  form?: RefObject<HTMLDivElement | null>;
  /** Stands above the fields. */
  children?: ReactNode;
}

/** A value as a form, made from its JSON Schema. */
export function SchemaForm({
  schema,
  value,
  label,
  without = [],
  faults,
  prefix = '',
  areBranches = () => false,
  form,
  children,
  ...rest
}: SchemaFormProps) {
  const [credentialFor, setCredentialFor] = useState<readonly string[]>();
  const faultAt = (path: readonly string[]) => {
    const whole = [...(prefix === '' ? [] : [prefix]), ...path].join('.');
    return faults
      .filter((fault) => fault.path === whole)
      .map(({ message }) => message)
      .join('; ');
  };
  const scope: FormScope = { ...rest, faultAt, areBranches, addCredential: setCredentialFor };
  return (
    <FormScopeContext value={scope}>
      <div className="schema-form" ref={form}>
        {children}
        {schema.properties ? (
          <MemberFields path={[]} schema={schema} value={value} without={without} />
        ) : (
          <ValueField path={[]} label={label} schema={schema} value={value} isRequired />
        )}
      </div>
      {credentialFor && (
        <NewCredential
          onClose={() => setCredentialFor(undefined)}
          onStored={(credentialId) => scope.set(credentialFor, credentialId)}
        />
      )}
    </FormScopeContext>
  );
}
