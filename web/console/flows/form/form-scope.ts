import { createContext, useContext } from 'react';
import type { Schema } from '../editor/json-schema.js';

export interface PickOption {
  value: string;
  name: string;
}

/** The things that all fields of a form share. Paths lead from the value that the form edits. */
export interface FormScope {
  root: Schema;
  /** Returns whether the items of a list are the branches of a node. */
  areBranches: (path: readonly string[]) => boolean;
  /** Returns the fault of exactly this value; empty for none. */
  faultAt: (path: readonly string[]) => string;
  /** Sets a value; `undefined` removes it. */
  set: (path: readonly string[], value: unknown) => void;
  /** Swaps an item of a list with the next one. */
  swap: (path: readonly string[], index: number) => void;
  /** Ends an undoable step, such as the letters typed into a field. */
  done: () => void;
  /** The names that templates can use; empty where texts are no templates. */
  names: readonly { name: string; info: string }[];
  /** Returns the known values of a member that names a record, such as `credentialId`; undefined for any other. */
  pick: (path: readonly string[]) => readonly PickOption[] | undefined;
  /** Stores a credential, and sets the member to its id. */
  addCredential: (path: readonly string[]) => void;
}

export const FormScopeContext = createContext<FormScope | undefined>(undefined);

export function useFormScope(): FormScope {
  const scope = useContext(FormScopeContext);
  if (!scope) throw new Error('A field stands outside of its form.');
  return scope;
}
