import { aligned, frameAt } from './aligning.js';
import { itemsOf, linesOf, type Shown } from './canvas-elements.js';
import { canvasOf } from './canvas-model.js';
import { droppedInto } from './dropping.js';
import { found } from './find-nodes.js';
import { marksOf } from './marks.js';
import { placed } from './placing.js';

const definition = {
  nodes: [
    { id: 'start', kind: 'start', position: { x: 0, y: 0 } },
    { id: 'each', kind: 'iteration', label: 'Each', position: { x: 300, y: 0 } },
    {
      id: 'say',
      kind: 'reply',
      parentNode: 'each',
      config: { message: 'Good day' },
      position: { x: 20, y: 60 },
    },
  ],
  edges: [{ from: 'start', to: 'each' }],
  notes: [{ text: 'Remember the day', position: { x: 5, y: 5 } }],
};

const shownOf = (value: typeof definition, more: Partial<Shown> = {}): Shown => {
  const model = canvasOf(value);
  return {
    ...{ model, boxes: placed(model), marks: marksOf([], []), states: undefined },
    ...{ selection: new Set<string>(), dragged: new Map(), ...more },
  };
};

describe('the items of the canvas', () => {
  it('stay the same objects unless they look different, also after the text was read again', () => {
    const first = itemsOf(shownOf(definition), []);
    const changed = structuredClone(definition);
    changed.nodes[2]!.position = { x: 25, y: 60 };
    const dragged = itemsOf(shownOf(definition, { dragged: new Map([['start', { x: 9, y: 9 }]]) }), first);
    expect(dragged.map((item, index) => item === first[index])).toEqual([false, true, true, true]);
    expect(dragged[0]!.data).toBe(first[0]!.data);
    const selected = itemsOf(shownOf(changed, { selection: new Set(['note:0']) }), first);
    // The iteration grows with its body.
    expect(selected.map((item, index) => item === first[index])).toEqual([true, false, false, false]);
    const lines = linesOf(shownOf(definition), []);
    expect(linesOf(shownOf(changed), lines)[0]).toBe(lines[0]);
  });

  it('bear their faults', () => {
    const fault = (path: string) => ({ path, message: 'is wrong' });
    const marks = marksOf([fault('nodes.2.config.message'), fault('nodes.2'), fault('edges.0.to')], []);
    const shown = shownOf(definition, { marks });
    expect(itemsOf(shown, [])[2]!.data).toMatchObject({ fault: 'config.message is wrong\nis wrong' });
    expect(linesOf(shown, [])[0]!.data).toMatchObject({ fault: 'to is wrong' });
  });

  it('are found by what they say, and aligned across bodies', () => {
    expect(found(definition, 'DAY').map(({ id }) => id)).toEqual(['say', 'note:0']);
    const { model, boxes } = shownOf(definition);
    expect(frameAt({ x: 310, y: 10 }, model, boxes)).toBe('each');
    expect(frameAt({ x: 10, y: 10 }, model, boxes)).toBeUndefined();
    expect([...aligned(['start', 'say'], 'left', model, boxes)]).toEqual([
      ['start', { x: 0, y: 0 }],
      ['say', { x: -300, y: 60 }],
    ]);
  });

  it('are put into the iteration on which they are dropped, unless they have edges', () => {
    const free = { id: 'free', kind: 'reply', position: { x: 310, y: 70 } };
    const flow = { ...definition, nodes: [...definition.nodes, free] };
    const { model, boxes } = shownOf(flow);
    const into = droppedInto(flow, 'free', { model, boxes });
    expect(canvasOf(into).nodes.at(-1)).toMatchObject({ parentNode: 'each', position: { x: 10, y: 70 } });
    const edges = [{ from: 'start', to: 'free' }];
    expect(droppedInto({ ...flow, edges }, 'free', { model, boxes })).toEqual({ ...flow, edges });
  });
});
