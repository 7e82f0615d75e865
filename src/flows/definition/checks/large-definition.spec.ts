import { z } from 'zod';
import { compileGraph, runsAfter } from '../../engine/flow-graph.js';
import type { NodeKind } from '../../engine/node-kind.js';
import { checkingDefinition } from './check-definition.js';

const start = { id: 'start', kind: 'start' };
const last = { id: 'last', kind: 'step' };
const first = { from: 'start', to: 'last' };

describe('a definition of a thousand nodes', () => {
  it('has each config read once, however many edges leave its node, with a pause at each', () => {
    let read = 0;
    const config = z.object({}).check(() => void read++);
    const kinds = new Map(
      ['start', 'step', 'fork'].map((kind) => [
        kind,
        { kind, config, branches: () => (kind === 'fork' ? ['0', '1'] : []) } as unknown as NodeKind,
      ]),
    );
    const forks = Array.from({ length: 998 }, (_, index) => ({ id: `f${index}`, kind: 'fork' }));
    const edges = Array.from({ length: 9_999 }, (_, index) => ({
      from: `f${index % 998}`,
      to: 'last',
      on: `${index % 2}`,
    }));
    const checking = checkingDefinition(
      { name: 'Wide', nodes: [start, last, ...forks], edges: [first, ...edges] },
      kinds,
    );
    let pauses = 0;
    let step = checking.next();
    for (; !step.done; step = checking.next()) pauses++;
    expect(step.value).toHaveProperty('definition');
    expect(read).toBe(1_000);
    expect(pauses).toBeGreaterThan(1_000);
  });

  it('has each edge looked at once, however many loops go back', () => {
    const loops = Array.from({ length: 998 }, (_, index) => ({ id: `l${index}`, kind: 'loop' }));
    const chain = loops.map(({ id }, index) => ({ from: index === 0 ? 'last' : `l${index - 1}`, to: id }));
    const { byId } = compileGraph({ nodes: [start, last, ...loops], edges: [first, ...chain] });
    let looks = 0;
    for (const node of byId.values()) {
      const { outgoing } = node;
      Object.defineProperty(node, 'outgoing', { get: () => (looks++, outgoing) });
    }
    const comesAfter = runsAfter({ byId });
    for (const { id } of loops) {
      expect(comesAfter(byId.get(id)!, byId.get('last')!)).toBe(true);
      expect(comesAfter(byId.get('last')!, byId.get(id)!)).toBe(false);
    }
    expect(looks).toBe(1_000);
  });
});
