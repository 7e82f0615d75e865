import type { Warning } from '../../../common/warnings.js';

/** Tells a warning; it is made only where it is told. */
export type WarnHere = (make: () => Warning) => void;

/** How a person finds a node in the text and in the picture. */
export const nodeTitle = ({ id, label }: { id: string; label?: string | undefined }): string =>
  label === undefined || label === id ? `"${id}"` : `"${label}" (${id})`;

/** A member of what stands at a path, as warnings write it: `nodes[3].config.message`. */
export const memberPath = (path: string, name: string | number): string =>
  typeof name === 'number' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
