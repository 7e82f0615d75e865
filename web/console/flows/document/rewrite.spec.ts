import fc from 'fast-check';
import { canvasOf } from '../canvas/canvas-model.js';
import { placed } from '../canvas/placing.js';
import { clipIn, copyNodes, pasteNodes, textOfClip } from '../operations/clip.js';
import { edgesIn, idOf, type Members, nodesIn } from '../operations/definition.js';
import { connect, disconnect } from '../operations/edit-edges.js';
import {
  addNode,
  moveNodes,
  removeNodes,
  renameNode,
  setConfig,
  setNodeMember,
} from '../operations/edit-nodes.js';
import { addNote, removeNotes } from '../operations/notes.js';
import { applied } from './change.js';
import { FlowDocument } from './flow-document.js';
import { rewrite } from './rewrite.js';

const parsed = (text: string) => JSON.parse(text) as Members;

/** Applies an operation to a text. */
const rewritten = (text: string, operation: (definition: Members) => Members): string => {
  const before = parsed(text);
  return applied(text, rewrite(text, before, operation(before)));
};

describe('the text after an operation', () => {
  const text = `{
  "name": "As written",   "price": 1.50,
  "unknown": [1,2,  3],
  "nodes": [
    { "id": "start", "kind": "start" },
    {
      "id": "say", "kind": "reply",
      "config": { "later": true, "message": "{{start}}" }
    }
  ],
  "edges": []
}
`;

  it('is the same wherever nothing changed', () => {
    expect(rewritten(text, (flow) => flow)).toBe(text);
    expect(rewritten(text, (flow) => setConfig(flow, 'say', ['message'], 'Hi'))).toBe(
      text.replace('"{{start}}"', '"Hi"'),
    );
    expect(rewritten(text, (flow) => setConfig(flow, 'say', ['later'], undefined))).toBe(
      text.replace('"later": true, ', ''),
    );
    expect(rewritten(text, (flow) => setNodeMember(flow, 'say', 'label', 'Say'))).toBe(
      text
        .replace('"kind": "reply",', '"kind": "reply",\n      "label": "Say",')
        .replace(',\n      "label"', ', "label"'),
    );
    expect(rewritten(text, (flow) => connect(flow, { from: 'start', to: 'say' }))).toBe(
      text.replace('"edges": []', '"edges": [\n    {\n      "from": "start",\n      "to": "say"\n    }\n  ]'),
    );
    expect(rewritten(text, (flow) => removeNodes(flow, ['start']))).toBe(
      text.replace('{ "id": "start", "kind": "start" },\n    ', ''),
    );
    expect(rewritten(text, (flow) => removeNodes(flow, ['start', 'say']))).toContain('"nodes": [],');
  });

  it('of one line stays on one line', () => {
    const line = '{"nodes":[{"id":"a","kind":"start"}],"edges":[]}';
    expect(
      rewritten(line, (flow) => addNode(flow, { kind: 'reply', position: { x: 1, y: 2 } }).definition),
    ).toBe(
      '{"nodes":[{"id":"a","kind":"start"}, {"id":"reply","kind":"reply","position":{"x":1,"y":2}}],"edges":[]}',
    );
  });

  const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'x-1', '0', 'new');
  const value = fc.jsonValue({ maxDepth: 2 });
  const node = fc.record(
    {
      id: fc.oneof({ weight: 9, arbitrary: name }, value),
      kind: fc.constantFrom('start', 'reply', 'condition', 'loop', 'iteration'),
      config: fc.oneof(
        fc.record({ message: fc.constantFrom('{{a}}', '{{ b.output[0] }} {{c}}', '{{{a}}'), backTo: name }),
        fc.dictionary(name, value, { maxKeys: 3 }),
        value,
      ),
      parentNode: name,
      position: fc.oneof(fc.record({ x: fc.integer(), y: fc.integer(), z: value }), value),
      own: value,
    },
    { requiredKeys: ['id'] },
  );
  const edge = fc.record(
    { from: name, to: name, on: fc.constantFrom('0', '1', 'else'), own: value },
    { requiredKeys: ['from'] },
  );
  const definition = fc.record(
    {
      before: value,
      nodes: fc.oneof(
        { weight: 9, arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: node }, value), { maxLength: 6 }) },
        value,
      ),
      between: value,
      edges: fc.oneof(
        { weight: 9, arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: edge }, value), { maxLength: 6 }) },
        value,
      ),
      notes: fc.array(value, { maxLength: 2 }),
      overrides: fc.array(fc.oneof(fc.constantFrom('a.message', 'b.x', 'ab.c'), value), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  const point = fc.record({ x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }) });
  const path = fc.array(fc.constantFrom('message', 'list', '0', '__proto__'), { minLength: 1, maxLength: 3 });
  type Operation = (definition: Members) => Members;
  const operation: fc.Arbitrary<Operation> = fc.oneof(
    fc.tuple(point, fc.option(name, { nil: undefined })).map<Operation>(
      ([position, parentNode]) =>
        (flow) =>
          addNode(flow, { kind: 'reply', position, parentNode }).definition,
    ),
    fc.tuple(name, name).map<Operation>(
      ([from, to]) =>
        (flow) =>
          connect(flow, { from, to }),
    ),
    fc.nat(4).map<Operation>((index) => (flow) => disconnect(flow, new Set([index, index + 2]))),
    fc.tuple(name, point).map<Operation>(
      ([id, to]) =>
        (flow) =>
          moveNodes(flow, new Map([[id, to]])),
    ),
    fc.tuple(name, name).map<Operation>(
      ([from, to]) =>
        (flow) =>
          renameNode(flow, from, to),
    ),
    fc.array(name, { maxLength: 2 }).map<Operation>((ids) => (flow) => removeNodes(flow, ids)),
    fc
      .array(name, { maxLength: 2 })
      .map<Operation>((ids) => (flow) => pasteNodes(flow, copyNodes(flow, ids), { x: 8, y: 8 }).definition),
    fc.tuple(name, path, fc.option(value, { nil: undefined })).map<Operation>(
      ([id, at, to]) =>
        (flow) =>
          setConfig(flow, id, at, to),
    ),
    fc.tuple(name, fc.constantFrom('x', undefined)).map<Operation>(
      ([id, label]) =>
        (flow) =>
          setNodeMember(flow, id, 'label', label),
    ),
    point.map<Operation>((at) => (flow) => addNote(flow, 'A note', at)),
    fc.constant<Operation>((flow) => removeNotes(flow, new Set([0]))),
  );

  it('is the same once the canvas has drawn it, with the order of all members', () => {
    fc.assert(
      fc.property(definition, fc.constantFrom(undefined, 1, 2, '\t'), (flow, spaces) => {
        const { text: begin } = new FlowDocument(JSON.stringify(flow, null, spaces));
        const read = parsed(begin);
        placed(canvasOf(read));
        expect(rewrite(begin, read, read)).toEqual([]);
        expect(JSON.stringify(read, null, spaces)).toBe(begin);
      }),
      { numRuns: 300 },
    );
  });

  it('is the text of its result, with the order of all members, and is undone to the letter', () => {
    fc.assert(
      fc.property(
        definition,
        fc.array(operation, { maxLength: 6 }),
        fc.constantFrom(undefined, 1, 2, '\t'),
        (flow, operations, spaces) => {
          const begin = JSON.stringify(flow, null, spaces);
          const document = new FlowDocument(begin);
          for (const operate of operations) {
            const before = parsed(document.text);
            const after = operate(before);
            document.edit(rewrite(document.text, before, after));
            expect(JSON.stringify(JSON.parse(document.text))).toBe(JSON.stringify(after));
          }
          const end = document.text;
          while (document.canUndo) document.undo();
          expect(document.text).toBe(begin);
          while (document.canRedo) document.redo();
          expect(document.text).toBe(end);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('stores no copy of a node whose clip goes through the clipboard', () => {
    const flow = parsed(text);
    const clip = clipIn(textOfClip(copyNodes(flow, ['say'])))!;
    const { definition: pasted, ids } = pasteNodes(flow, clip, { x: 0, y: 0 });
    expect(ids).toEqual(['say-2']);
    expect(nodesIn(pasted).map(idOf)).toEqual(['start', 'say', 'say-2']);
    expect(edgesIn(pasted)).toEqual([]);
  });
});
