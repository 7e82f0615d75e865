import type { CredentialKind } from '../../api/credential-terms.js';
import type { Json } from '../engine/json.js';
import type { StoresHere } from '../tools/document-store-ids.js';
import type { WarnOf } from './import-warnings.js';
import type { ImportedReferences } from './texts/imported-references.js';

/** The context that the converters of one node share: its inputs, and where they report losses. */
export interface Imported {
  inputs: Record<string, Json>;
  references: ImportedReferences;
  warn: WarnOf;
  /** Of all nodes of the export. */
  ids: readonly string[];
  /** Settings that the importer chose, by the class of model in the export; `*` for all others. */
  models: ReadonlyMap<string, Record<string, Json>>;
  /** Id of the credential that the node itself has, outside of its model's settings. */
  credential: string | undefined;
  brought: BroughtAlong;
}

/** A tool that was kept beside the flows that use it. */
export interface BroughtTool {
  name: string;
  description: string | undefined;
  /** JSON Schema of its arguments. */
  parameters: Json;
  code: string;
}

/**
 * The things that flows of another service name by their ids, and that no export holds: brought along by whoever moves the
 * whole of it (contract section 9, "Moving house").
 */
export interface BroughtAlong {
  credentials: ReadonlyMap<string, CredentialKind>;
  tools: ReadonlyMap<string, BroughtTool>;
  stores?: StoresHere;
  /** Names of `$vars` that have a value. */
  variableNames?: { has(name: string): boolean };
}

export const NOTHING_BROUGHT: BroughtAlong = { credentials: new Map(), tools: new Map() };
