import type { Box } from '../../graph/route.js';
import { framesFor, putInto } from '../operations/bodies.js';
import { edgesIn, idOf, type Members, nodeOf, positionOf, textOf } from '../operations/definition.js';
import { frameAt, originOf } from './aligning.js';
import type { CanvasModel } from './canvas-model.js';
import { sizeOf } from './placing.js';

/**
 * Puts a node into the iteration on which it was dropped, or takes it out of one that it has left. A node with edges stays
 * where it belongs, since an edge cannot lead into an iteration.
 */
export function droppedInto(
  definition: Members,
  id: string,
  { model, boxes }: { model: CanvasModel; boxes: ReadonlyMap<string, Box> },
): Members {
  const [node, shown] = [nodeOf(definition, id), model.nodes.find((one) => one.id === id)];
  const position = positionOf(node);
  const isConnected = edgesIn(definition).some(
    (edge) => textOf(edge, 'from') === id || textOf(edge, 'to') === id,
  );
  if (!node || !shown || !position || isConnected || shown.kind === 'start') return definition;
  const origin = originOf(shown.parentNode, model, boxes);
  const { width, height } = sizeOf(shown);
  const middle = { x: position.x + origin.x + width / 2, y: position.y + origin.y + height / 2 };
  const frame = frameAt(middle, model, boxes);
  if (frame === shown.parentNode) return definition;
  const isSound = frame === undefined || framesFor(definition, id).some((one) => idOf(one) === frame);
  return isSound ? putInto(definition, id, frame) : definition;
}
