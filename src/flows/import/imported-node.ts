import type { CredentialKind } from '../../api/credential-terms.js';
import type { Json } from '../engine/json.js';
import type { StoresHere } from '../tools/document-store-ids.js';
import type { EarlierAnswers } from './earlier-answers.js';
import type { WarnOf } from './import-warnings.js';
import type { ImportedReferences } from './texts/imported-references.js';

/** The context of the converters of a node: its inputs, and a function that reports losses. */
export interface Imported {
  inputs: Record<string, Json>;
  references: ImportedReferences;
  warn: WarnOf;
  /** The ids of all nodes of the export. */
  ids: readonly string[];
  /** Returns the answers that the run has before it reaches the node. */
  earlier: () => EarlierAnswers;
  /** Chosen model settings by the class of model in the export; `*` for all others. */
  models: ReadonlyMap<string, Record<string, Json>>;
  /** The credential of the node itself, not of its model. */
  credential: string | undefined;
  dependencies: ImportedDependencies;
}

/** A tool that is stored beside the flows that use it. */
export interface KnownTool {
  name: string;
  description: string | undefined;
  /** JSON Schema of its arguments. */
  parameters: Json;
  code: string;
}

/**
 * Objects that flows of another service name by id and that no export contains. A migration of the whole service supplies
 * them (contract section 9, "Moving house").
 */
export interface ImportedDependencies {
  credentials: ReadonlyMap<string, CredentialKind>;
  tools: ReadonlyMap<string, KnownTool>;
  stores?: StoresHere;
  /** Names of `$vars` that have a value. */
  variableNames?: { has(name: string): boolean };
}

export const NO_DEPENDENCIES: ImportedDependencies = { credentials: new Map(), tools: new Map() };
