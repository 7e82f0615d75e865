import { openBranchWarnings } from '../editor/open-branches.js';
import { framesFor, putInto } from './bodies.js';
import { branchesOf, withoutBranch, withSwappedBranches } from './branches.js';
import { copyNodes, duplicateNodes, pasteNodes } from './clip.js';
import { edgesIn, idOf, type Members, nodeOf, nodesIn, positionOf } from './definition.js';
import { connect, connectionFault, disconnect, reconnect } from './edit-edges.js';
import { addNode, moveNodes, removeNodes, renameNode, setAt, setConfig, swapAt } from './edit-nodes.js';
import { renamedInText } from './references.js';

const flow = (): Members => ({
  name: 'Sorts',
  overrides: ['ask.message', 'asking.message'],
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'if', kind: 'condition', config: { conditions: [{}, {}, {}] } },
    { id: 'ask', kind: 'reply', config: { message: '{{start}} {{ask.output.text}}' } },
    { id: 'each', kind: 'iteration', config: { items: '{{ask}}' } },
    { id: 'inner', kind: 'reply', parentNode: 'each', position: { x: 1, y: 2, z: 3 } },
    { id: 'again', kind: 'loop', config: { backTo: 'ask' } },
    { id: 'code', kind: 'function', config: { code: '`{{ask}}`', inputs: { a: '{{ask[0]}}' } } },
  ],
  edges: [
    { from: 'start', to: 'if' },
    { from: 'if', to: 'ask', on: '0' },
    { from: 'if', to: 'each', on: '1' },
    { from: 'if', to: 'again', on: '2' },
    { from: 'if', to: 'code', on: 'else' },
    { from: 'ask', to: 'code' },
  ],
});

const edges = (definition: Members) =>
  edgesIn(definition).map((edge) => Object.values(edge as Record<string, string>).join(' '));

describe('operations on a definition', () => {
  it('rename a node in its edges, templates, overrides, loops and bodies', () => {
    const renamed = renameNode(flow(), 'ask', 'answer');
    expect(edges(renamed)).toEqual([
      ...['start if', 'if answer 0', 'if each 1', 'if again 2', 'if code else', 'answer code'],
    ]);
    expect(renamed['overrides']).toEqual(['answer.message', 'asking.message']);
    expect(nodesIn(renamed).slice(2)).toMatchObject([
      { id: 'answer', config: { message: '{{start}} {{answer.output.text}}' } },
      { config: { items: '{{answer}}' } },
      { id: 'inner' },
      { config: { backTo: 'answer' } },
      { config: { code: '`{{ask}}`', inputs: { a: '{{answer[0]}}' } } },
    ]);
    expect(nodeOf(renameNode(flow(), 'each', 'all'), 'inner')).toMatchObject({ parentNode: 'all' });
    const same = flow();
    expect(renameNode(same, 'ask', 'each')).toBe(same);
  });

  it('rename references as templates read them', () => {
    const names = new Map([['a_b', 'c']]);
    const renamed = (text: string) => renamedInText(text, names);
    expect(renamed('{{a_b}} {{ a_b.output }} {{a\\_b[1]}}')).toBe('{{c}} {{ c.output }} {{c[1]}}');
    expect(renamed('{{a_bc}} {{$vars.a_b}} a_b {{"a_b":1}} {{a_b')).toBe(
      '{{a_bc}} {{$vars.a_b}} a_b {{"a_b":1}} {{a_b',
    );
    expect(renamed('{{{a_b}} {{ {{a_b}}')).toBe('{{{c}} {{ {{c}}');
  });

  it('remove nodes with their bodies, edges and overrides', () => {
    const left = removeNodes(flow(), ['each', 'ask']);
    expect(nodesIn(left).map(idOf)).toEqual(['start', 'if', 'again', 'code']);
    expect(edges(left)).toEqual(['start if', 'if again 2', 'if code else']);
    expect(left['overrides']).toEqual(['asking.message']);
  });

  it('connect only what can be connected', () => {
    const fault = (from: string, to: string, on?: string) => connectionFault(flow(), { from, to, on });
    expect(fault('ask', 'again')).toBeUndefined();
    expect(fault('if', 'again')).toMatch(/branch: 0, 1, 2, else/);
    expect(fault('if', 'ask', '0')).toMatch(/already/);
    expect([
      fault('ask', 'ask'),
      fault('ask', 'start'),
      fault('ask', 'inner'),
      fault('ask', 'gone'),
    ]).not.toContain(undefined);
    const more = connect(flow(), { from: 'if', to: 'code', on: '0' });
    expect(edges(more).at(-1)).toBe('if code 0');
    const led = reconnect(flow(), 3, { from: 'if', to: 'code', on: '2' });
    expect(edges(led)[3]).toBe('if code 2');
    expect(edges(reconnect(flow(), 3, { from: 'ask', to: 'again' }))[3]).toBe('ask again');
    expect(reconnect(led, 3, { from: 'if', to: 'ask', on: '0' })).toBe(led);
    expect(edges(disconnect(more, new Set([6])))).toEqual(edges(flow()));
  });

  it('renumber the branches of a condition whose list changes', () => {
    expect(branchesOf(nodeOf(flow(), 'if'))).toEqual(['0', '1', '2', 'else']);
    expect(edges(withoutBranch(flow(), 'if', 1)).slice(1, 4)).toEqual([
      'if ask 0',
      'if again 1',
      'if code else',
    ]);
    expect(edges(withSwappedBranches(flow(), 'if', 0, 2)).slice(1, 4)).toEqual([
      ...['if ask 2', 'if each 1', 'if again 0'],
    ]);
  });

  it('move, add, duplicate and set, and leave everything unknown', () => {
    const moved = moveNodes(flow(), new Map([['inner', { x: 7.4, y: 8 }]]));
    expect(nodeOf(moved, 'inner')).toEqual({
      ...{ id: 'inner', kind: 'reply', parentNode: 'each', position: { x: 7, y: 8, z: 3 } },
    });
    const { definition: added, id } = addNode(flow(), { kind: 'code', position: { x: 0, y: 0 } });
    expect([id, nodeOf(added, id)]).toEqual(['code-2', { id, kind: 'code', position: { x: 0, y: 0 } }]);
    const { definition: twice, ids } = duplicateNodes(flow(), ['each', 'start']);
    expect(ids).toEqual(['each-2', 'inner-2']);
    expect(nodeOf(twice, 'inner-2')).toMatchObject({ parentNode: 'each-2', position: { x: 1, y: 2, z: 3 } });
    const set = setConfig(flow(), 'if', ['conditions', '1', 'value1'], 'x');
    expect(nodeOf(set, 'if')).toMatchObject({ config: { conditions: [{}, { value1: 'x' }, {}] } });
    expect(nodeOf(setConfig(flow(), 'if', ['conditions', '1'], undefined), 'if')).toMatchObject({
      config: { conditions: [{}, {}] },
    });
  });

  it('paste nodes around a place, those of an iteration beside where they were copied', () => {
    const at = (x: number, y: number) => ({ position: { x, y } });
    const before: Members = {
      nodes: [
        { id: 'each', kind: 'iteration', ...at(2_000, 900) },
        { id: 'inner', kind: 'reply', parentNode: 'each', ...at(30, 40) },
        { id: 'a', kind: 'reply', ...at(100, 0) },
        { id: 'b', kind: 'reply', ...at(300, 80) },
      ],
    };
    const pasted = (ids: string[], into = before) => {
      const { definition } = pasteNodes(into, copyNodes(before, ids), { x: 700, y: 500 });
      const added = nodesIn(definition).slice(nodesIn(into).length);
      return added.map((one) => [
        idOf(one),
        (one as Members)['parentNode'],
        ...Object.values(positionOf(one)!),
      ]);
    };
    expect(pasted(['inner', 'a', 'b'])).toEqual([
      ['inner-2', 'each', 62, 72],
      ['a-2', undefined, 600, 460],
      ['b-2', undefined, 800, 540],
    ]);
    expect(pasted(['each'])).toEqual([
      ['each-2', undefined, 700, 500],
      ['inner-2', 'each-2', 30, 40],
    ]);
    expect(pasted(['inner'], {})).toEqual([['inner', undefined, 700, 500]]);
  });

  it('set and swap what lies beside the nodes, and leave the rest as it is', () => {
    const before = flow();
    const after = setAt(before, ['vars', '__proto__', 'value'], 5) as Members;
    expect(JSON.stringify(after['vars'])).toBe('{"__proto__":{"value":5}}');
    expect(after['nodes']).toBe(before['nodes']);
    expect(swapAt(before, ['overrides'], 0)['overrides']).toEqual(['asking.message', 'ask.message']);
    expect(swapAt(before, ['overrides'], 1)).toBe(before);
    expect(swapAt(before, ['chat', 'starterPrompts'], 0)).toBe(before);
  });

  it('put a node into an iteration and out of it, at the same place', () => {
    const placedFlow: Members = {
      nodes: [
        { id: 'each', kind: 'iteration', position: { x: 100, y: 50 } },
        { id: 'say', kind: 'reply', config: {}, position: { x: 130, y: 90 } },
        { id: 'free', kind: 'reply' },
      ],
    };
    const inside = putInto(placedFlow, 'say', 'each');
    expect(JSON.stringify(nodeOf(inside, 'say'))).toBe(
      '{"id":"say","kind":"reply","config":{},"parentNode":"each","position":{"x":30,"y":40}}',
    );
    expect(nodeOf(putInto(inside, 'say', undefined), 'say')).toEqual(nodeOf(placedFlow, 'say'));
    expect(nodeOf(putInto(placedFlow, 'free', 'each'), 'free')).toEqual({
      ...{ id: 'free', kind: 'reply', parentNode: 'each' },
    });
    expect(framesFor(inside, 'say').map(idOf)).toEqual(['each']);
    expect(framesFor(inside, 'each')).toEqual([]);
  });

  it('name the branches that lead nowhere', () => {
    const open = disconnect(flow(), new Set([2, 4]));
    expect(openBranchWarnings(open)).toEqual([
      {
        path: 'nodes.1',
        message: 'no edge leaves its branches "1", "else": a run that takes one of them ends here.',
      },
    ]);
    expect(openBranchWarnings(flow())).toEqual([]);
  });
});
