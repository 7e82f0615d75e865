import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Layout } from './layout.js';
import type { NodeStates } from './picture.js';

/** The least zoom at which labels are readable. */
const READABLE = 0.5;
const LONGEST_WAIT_MS = 600;
const ALL = { padding: 0.08, maxZoom: 1 };

/**
 * Chooses the initial view: everything or, if that is too small to read, the path of the run or, if that is too small as
 * well, the failed or last node. Scrolls to a node that is selected elsewhere.
 */
export function useView(
  layout: Layout,
  selected: string | undefined,
  states: NodeStates | undefined,
): { fit: () => void; begin: () => void; isSet: boolean } {
  const flow = useReactFlow();
  const store = useStoreApi();
  const [isSet, setSet] = useState(false);
  const current = useRef({ selected, states });
  current.current = { selected, states };

  const show = useCallback(
    (ids: readonly string[]) =>
      flow.fitView({ ...ALL, minZoom: READABLE, maxZoom: 0.9, nodes: ids.map((id) => ({ id })) }),
    [flow],
  );
  const fit = useCallback(() => void flow.fitView(ALL), [flow]);
  const begin = useCallback(() => {
    const { width, height } = store.getState();
    const space = { width: width * 0.84, height: height * 0.84 };
    const reads = (ids: readonly string[]) => {
      const bounds = flow.getNodesBounds([...ids]);
      return bounds.width * READABLE < space.width && bounds.height * READABLE < space.height;
    };
    const telling = tellingNodes(layout, current.current, reads);
    void (telling === undefined ? flow.fitView(ALL) : show(telling)).then(() => setSet(true));
  }, [flow, store, layout, show]);

  // The picture stays hidden until its first view is set, but not for long.
  useEffect(() => {
    const timer = setTimeout(() => setSet(true), LONGEST_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(begin, [begin]);
  useEffect(() => {
    if (selected === undefined) return;
    const node = flow.getInternalNode(selected);
    if (!node) return;
    const { width, height } = store.getState();
    const zoom = flow.getZoom();
    const { x, y } = flow.getViewport();
    const box = layout.boxes.get(selected);
    const left = node.internals.positionAbsolute.x * zoom + x;
    const top = node.internals.positionAbsolute.y * zoom + y;
    const inView =
      zoom >= READABLE &&
      left >= 0 &&
      top >= 0 &&
      left + (box?.width ?? 0) * zoom <= width &&
      top + (box?.height ?? 0) * zoom <= height;
    if (!inView && width > 0) void show([selected]);
  }, [flow, store, layout, selected, show]);
  return { fit, begin, isSet };
}

/** Returns the nodes of the first view if all would be too small to read; undefined for all. */
function tellingNodes(
  { boxes }: Layout,
  { selected, states }: { selected: string | undefined; states: NodeStates | undefined },
  reads: (ids: readonly string[]) => boolean,
): readonly string[] | undefined {
  const ids = [...boxes.keys()];
  if (reads(ids)) return undefined;
  const path = ids.filter((id) => states?.has(id));
  if (path.length > 0 && reads(path)) return path;
  const failed = ids.find((id) => states?.get(id)?.status === 'failed');
  const one = selected !== undefined && boxes.has(selected) ? selected : (failed ?? path.at(-1) ?? ids[0]);
  return one === undefined ? undefined : [one];
}
