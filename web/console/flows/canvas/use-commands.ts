import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { NODE } from '../../graph/layout.js';
import type { Box } from '../../graph/route.js';
import { toast } from '../../parts/overlay/toast.js';
import type { Schema } from '../editor/json-schema.js';
import { newConfig } from '../editor/new-value.js';
import { openBranches } from '../operations/branches.js';
import { copyNodes, clipIn, duplicateNodes, pasteNodes, textOfClip } from '../operations/clip.js';
import {
  idOf,
  type Members,
  nodeOf,
  nodesIn,
  notesIn,
  type Point,
  positionOf,
} from '../operations/definition.js';
import {
  connect,
  connectionFault,
  type Connection,
  disconnect,
  reconnect,
} from '../operations/edit-edges.js';
import { addNode, moveNodes, removeNodes } from '../operations/edit-nodes.js';
import { addNote, moveNote, removeNotes, setNote } from '../operations/notes.js';
import { aligned, frameAt, originOf, type Side } from './aligning.js';
import { indexIn, NOTE, noteId } from './canvas-elements.js';
import type { CanvasModel } from './canvas-model.js';
import { droppedInto } from './dropping.js';
import { arranged, freePlace } from './placing.js';

/** Changes the definition by one undoable step. Steps of one group in a row are undone together. */
export type Operate = (operation: (definition: Members) => Members, group?: string) => boolean;

export interface CommandInput {
  definition: Members;
  model: CanvasModel;
  boxes: ReadonlyMap<string, Box>;
  selection: ReadonlySet<string>;
  select: (ids: readonly string[]) => void;
  schema: Schema | undefined;
  operate: Operate;
}

/** The end from which a new node is connected. */
export interface From {
  id: string;
  on: string | undefined;
}

export interface Commands {
  add: (kind: string, place?: { at?: Point | undefined; from?: From | undefined }) => void;
  connect: (connection: Connection) => void;
  /** Leads an edge to or from another node. */
  reconnect: (index: number, connection: Connection) => void;
  /** Moves nodes and notes. `drop` puts an unconnected node into the iteration on which it was dropped. */
  move: (positions: ReadonlyMap<string, Point>, how: { group?: string; drop?: boolean }) => void;
  remove: (ids: readonly string[]) => void;
  duplicate: () => void;
  /** Returns the selected nodes as text for the clipboard; undefined without any. */
  copy: () => string | undefined;
  /** Like `copy`, and removes what the clipboard holds: neither the start nor notes. */
  cut: () => string | undefined;
  paste: (text?: string) => void;
  arrange: () => void;
  align: (side: Side) => void;
  note: () => void;
  writeNote: (index: number, text: string) => void;
}

/** The last copied nodes, for a paste without access to the clipboard. */
let lastCopied: string | undefined;

/** Returns the operations of the canvas. They always act on its latest state. */
export function useCommands(input: CommandInput): Commands {
  const flow = useReactFlow();
  const store = useStoreApi();
  const current = useRef(input);
  current.current = input;
  return useMemo(() => {
    const chosen = () => [...current.current.selection].filter((id) => indexIn(id) === undefined);
    /** Stores the places of all nodes, so that a step moves no other node. */
    const pinned = (definition: Members): Members => {
      const { boxes } = current.current;
      const free = nodesIn(definition).filter((node) => !positionOf(node) && boxes.has(idOf(node)));
      return moveNodes(definition, new Map(free.map((node) => [idOf(node), boxes.get(idOf(node))!])));
    };
    const operate = (operation: (definition: Members) => Members, group?: string) =>
      current.current.operate((definition) => operation(pinned(definition)), group);
    const centre = (): Point => {
      const { width, height, transform } = store.getState();
      const [x, y, zoom] = transform;
      return { x: (width / 2 - x) / zoom, y: (height / 2 - y) / zoom };
    };

    const placeBehind = (id: string): Point => {
      const { model, boxes } = current.current;
      const box = boxes.get(id)!;
      const parent = model.nodes.find((node) => node.id === id)?.parentNode;
      const others = model.nodes.filter(({ parentNode }) => parentNode === parent);
      const origin = originOf(parent, model, boxes);
      const free = freePlace(
        { x: box.x + box.width + 72, y: box.y },
        NODE,
        others.map((one) => boxes.get(one.id)!),
      );
      return { x: free.x + origin.x, y: free.y + origin.y };
    };

    const add: Commands['add'] = (kind, { at, from } = {}) => {
      const { model, boxes, schema, select } = current.current;
      const [only, ...more] = chosen();
      let added = '';
      const isDone = operate((definition) => {
        const before = only !== undefined && more.length === 0 ? nodeOf(definition, only) : undefined;
        const [open] = before && !at && kind !== 'start' ? openBranches(definition, before) : [];
        const source =
          from ?? (open === undefined ? undefined : { id: only!, on: open === '' ? undefined : open });
        const place = at ?? (only !== undefined && boxes.has(only) ? placeBehind(only) : inMiddle(centre()));
        const parent = source
          ? model.nodes.find(({ id }) => id === source.id)?.parentNode
          : frameAt(place, model, boxes);
        const origin = originOf(parent, model, boxes);
        const result = addNode(definition, {
          kind,
          config: newConfig(schema, kind),
          parentNode: parent,
          position: { x: place.x - origin.x, y: place.y - origin.y },
        });
        added = result.id;
        return source
          ? connect(result.definition, { from: source.id, to: added, on: source.on })
          : result.definition;
      });
      if (isDone) select([added]);
    };

    const remove: Commands['remove'] = (ids) => {
      const of = (kind: string) =>
        new Set(ids.filter((id) => id.startsWith(`${kind}:`)).map((id) => indexIn(id)!));
      current.current.operate((definition) =>
        removeNodes(
          removeNotes(disconnect(definition, of('edge')), of('note')),
          ids.filter((id) => indexIn(id) === undefined),
        ),
      );
      current.current.select([]);
    };

    const copy = () => {
      const clip = copyNodes(current.current.definition, chosen());
      if (clip.nodes.length === 0) return undefined;
      lastCopied = textOfClip(clip);
      return lastCopied;
    };

    const cut = () => {
      const { nodes } = copyNodes(current.current.definition, chosen());
      const text = copy();
      if (text !== undefined) remove(nodes.map(idOf));
      return text;
    };

    const paste = (text = lastCopied) => {
      const clip = text === undefined ? undefined : clipIn(text);
      if (!clip || clip.nodes.length === 0) return toast('There are no nodes to paste.');
      put((definition) => pasteNodes(definition, clip, inMiddle(centre())));
    };

    const put = (copied: (definition: Members) => { definition: Members; ids: string[] }) => {
      let found: string[] = [];
      const isDone = operate((definition) => {
        const result = copied(definition);
        found = result.ids;
        return result.definition;
      });
      if (isDone) current.current.select(found);
    };

    return {
      add,
      copy,
      cut,
      paste,
      connect: (connection) => {
        let fault: string | undefined;
        operate((definition) => {
          fault = connectionFault(definition, connection);
          return fault === undefined ? connect(definition, connection) : definition;
        });
        if (fault !== undefined) toast(fault);
      },
      reconnect: (index, connection) => void operate((flow) => reconnect(flow, index, connection)),
      move: (positions, { group, drop = false }) => {
        operate((definition) => {
          let moved = moveNodes(definition, positions);
          const [only] = positions.keys();
          if (drop && only !== undefined && positions.size === 1)
            moved = droppedInto(moved, only, current.current);
          for (const [id, to] of positions) {
            const index = indexIn(id);
            if (index !== undefined) moved = moveNote(moved, index, to);
          }
          return moved;
        }, group);
      },
      remove,
      duplicate: () => put((definition) => duplicateNodes(definition, chosen())),
      arrange: () => {
        const { model } = current.current;
        current.current.operate((definition) => moveNodes(definition, arranged(model)));
        setTimeout(() => void flow.fitView({ padding: 0.1, maxZoom: 1 }));
      },
      align: (side) => {
        const { model, boxes } = current.current;
        operate((definition) => moveNodes(definition, aligned(chosen(), side, model, boxes)));
      },
      note: () => {
        const { model, boxes, select } = current.current;
        const outer = model.nodes.filter(({ parentNode }) => parentNode === undefined);
        const taken = [
          ...outer.map(({ id }) => boxes.get(id)!),
          ...model.notes.map(({ position }) => ({ ...position, ...NOTE })),
        ];
        let index = 0;
        const isDone = operate((definition) => {
          index = notesIn(definition).length;
          return addNote(definition, 'Note', freePlace(inMiddle(centre()), NOTE, taken));
        });
        if (isDone) select([noteId({ index })]);
      },
      writeNote: (index, text) =>
        void current.current.operate((definition) => setNote(definition, index, text), `note:${index}`),
    };
  }, [flow, store]);
}

const inMiddle = ({ x, y }: Point): Point => ({ x: x - NODE.width / 2, y: y - NODE.height / 2 });
