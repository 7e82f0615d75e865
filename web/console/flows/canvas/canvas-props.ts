import type { Fault } from '../../api/api-error.js';
import type { NodeStates } from '../../graph/picture.js';
import type { FlowDocument } from '../document/flow-document.js';
import type { Schema } from '../editor/json-schema.js';
import type { Members, Point } from '../operations/definition.js';
import type { From, Operate } from './use-commands.js';

export interface FlowCanvasProps {
  label: string;
  /** The last text that was valid JSON. */
  definition: Members;
  document: FlowDocument;
  /** The current text is not valid JSON, so that the canvas cannot be edited. */
  isStale: boolean;
  faults: readonly Fault[];
  warnings: readonly Fault[];
  schema: Schema | undefined;
  /** The states of a run, which highlight its path. */
  states: NodeStates | undefined;
  operate: Operate;
  /** Ids of selected nodes, notes and edges. */
  selection: readonly string[];
  onSelect: (ids: readonly string[]) => void;
  /** The item to scroll to, as a new object for each time. */
  revealed: { id: string } | undefined;
  /** Enter on a selected node. */
  onEdit: () => void;
  onSave: () => void;
}

/** The pane that is open over the canvas. */
export type OpenTool = { name: 'add'; from?: From; at?: Point } | { name: 'find' } | { name: 'connect' };
