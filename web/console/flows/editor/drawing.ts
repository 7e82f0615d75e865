import type { Drawing } from '../../graph/picture.js';

type Members = Record<string, unknown>;

/** Returns the drawable part of a definition that may be incomplete; undefined without a list of nodes. */
export function drawingOf(value: unknown): Drawing | undefined {
  if (!isObject(value) || !Array.isArray(value['nodes'])) return undefined;
  const edges: unknown = value['edges'];
  return {
    nodes: value['nodes'].flatMap(nodeIn),
    edges: Array.isArray(edges) ? edges.flatMap(edgeIn) : [],
  };
}

/** Returns the first drawing if both look the same, to avoid a new layout for a change of text. */
export const sameDrawing = (one: Drawing | undefined, other: Drawing): Drawing =>
  one && JSON.stringify(one) === JSON.stringify(other) ? one : other;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function nodeIn(value: unknown): Drawing['nodes'][number][] {
  if (!isObject(value)) return [];
  const { id, kind, label, parentNode, config } = value;
  if (typeof id !== 'string' || id === '') return [];
  return [
    {
      id,
      kind: typeof kind === 'string' ? kind : '',
      ...(typeof label === 'string' ? { label } : {}),
      ...(typeof parentNode === 'string' ? { parentNode } : {}),
      ...(kind === 'loop' && isObject(config) && backToIn(config)),
    },
  ];
}

function edgeIn(value: unknown): { from: string; to: string; on?: string }[] {
  if (!isObject(value)) return [];
  const { from, to, on } = value;
  if (typeof from !== 'string' || typeof to !== 'string') return [];
  return [{ from, to, ...(typeof on === 'string' ? { on } : {}) }];
}

const backToIn = ({ backTo }: Members) => (typeof backTo === 'string' ? { config: { backTo } } : {});
