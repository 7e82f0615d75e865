import type { Warning } from '../../../common/warnings.js';

/** Reports a warning, which is built only when it is listed. */
export type WarnHere = (make: () => Warning) => void;

/** Returns the label and id of a node for messages. */
export const nodeTitle = ({ id, label }: { id: string; label?: string | undefined }): string =>
  label === undefined || label === id ? `"${id}"` : `"${label}" (${id})`;

/** Returns the path of a member as warnings write it: `nodes[3].config.message`. */
export const memberPath = (path: string, name: string | number): string =>
  typeof name === 'number' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
