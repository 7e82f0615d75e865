import { computedMs } from '../../../test/support/computed.js';
import { drafted, exportedNode, mention } from '../../../test/support/exports.js';
import { atOnce } from '../../common/pausing.js';
import { importFlow } from './import-flow.js';

describe('the import of an AgentFlow V2 export (contract section 8)', () => {
  it('names branches after the handles, the last one "else", without edges of notes', () => {
    const conditions = [
      {
        type: 'number',
        value1: mention('runtime_messages_length'),
        operation: 'smallerEqual',
        value2: '<p>11</p>',
      },
    ];
    const { definition } = drafted(
      [
        exportedNode('n', 'stickyNoteAgentflow', {}, { type: 'stickyNote' }),
        exportedNode('startAgentflow_0', 'startAgentflow'),
        exportedNode('c', 'conditionAgentflow', { conditions }),
        exportedNode('r', 'directReplyAgentflow', { directReplyMessage: mention('$flow.chatflowid') }),
      ],
      [
        { source: 'n', sourceHandle: 'n-output-0', target: 'c' },
        { source: 'startAgentflow_0', sourceHandle: 'startAgentflow_0-output-startAgentflow', target: 'c' },
        { source: 'c', sourceHandle: 'c-output-0', target: 'r' },
        { source: 'c', sourceHandle: 'c-output-1', target: 'r' },
      ],
      { name: 'Named', id: 'named' },
    );
    expect(definition).toMatchObject({ name: 'Named', id: 'named' });
    expect(definition['nodes']).toEqual([
      expect.objectContaining({
        id: 'startAgentflow_0',
        label: 'Label of startAgentflow_0',
        position: { x: 1, y: 2 },
      }),
      expect.objectContaining({
        config: {
          conditions: [
            {
              type: 'number',
              value1: '{{runtime_messages_length}}',
              operation: 'smallerEqual',
              value2: '11',
            },
          ],
        },
      }),
      expect.objectContaining({ kind: 'reply', config: { message: '{{$flow.flowId}}' } }),
    ]);
    expect(definition['edges']).toEqual([
      { from: 'startAgentflow_0', to: 'c' },
      { from: 'c', to: 'r', on: '0' },
      { from: 'c', to: 'r', on: 'else' },
    ]);
  });

  it('carries over notes with their places, except those without a text', () => {
    const note = (id: string, text: unknown, more: object = {}) =>
      exportedNode(id, 'stickyNoteAgentflow', { note: text }, { type: 'stickyNote', ...more });
    const { definition, warnings } = drafted([
      exportedNode('startAgentflow_0', 'startAgentflow'),
      exportedNode('i', 'iterationAgentflow', {}, { position: { x: 100, y: 200 } }),
      note('a', 'First\n\n<second> {{ $vars.x }}'),
      note('b', 'Within', { parentNode: 'i' }),
      note('c', 'Nowhere', { position: undefined }),
      ...['', ' ', undefined, { no: 'text' }].map((text, index) => note(`e_${index}`, text)),
    ]);
    expect(definition['notes']).toEqual([
      { text: 'First\n\n<second> {{ $vars.x }}', position: { x: 1, y: 2 } },
      { text: 'Within', position: { x: 101, y: 202 } },
      { text: 'Nowhere', position: { x: 0, y: 0 } },
    ]);
    expect(warnings).toEqual([]);
    expect(drafted([exportedNode('startAgentflow_0', 'startAgentflow')]).definition).not.toHaveProperty(
      'notes',
    );
  });

  it('warns of notes that are too long or too many', () => {
    const note = (id: string, text: string) => exportedNode(id, 'stickyNoteAgentflow', { note: text });
    const many = Array.from({ length: 1_002 }, (_, index) => note(`n_${index}`, `Note ${index}`));
    const { definition, warnings } = drafted([
      exportedNode('startAgentflow_0', 'startAgentflow'),
      note('long', `${'a'.repeat(9_999)}😀`),
      ...many,
    ]);
    const notes = definition['notes'] as { text: string }[];
    expect([notes.length, notes[0]!.text.length, notes.at(-1)!.text]).toEqual([1_000, 10_000, 'Note 998']);
    expect(notes[0]!.text.isWellFormed()).toBe(true);
    expect(warnings).toMatchObject([
      { code: 'not_carried_over', message: expect.stringContaining('(long)'), path: 'nodes[1]' },
      { code: 'not_carried_over', message: expect.stringMatching(/^3 notes/) },
    ]);
  });

  it('keeps the place of what it has no kind for, and gives faults their place in the export', () => {
    const { definition, warnings, locate } = drafted(
      [
        exportedNode('n', 'stickyNoteAgentflow'),
        exportedNode('a', 'agentAgentflow', { agentTools: '', agentUserMessage: '<p>x</p>' }),
        exportedNode('f', 'customFunctionAgentflow', {
          customFunctionJavascriptFunction: 'return "<p>"',
          customFunctionInputVariables: [{ variableName: 'x', variableValue: mention('question') }],
        }),
        exportedNode('z', 'unheardOf', { to: '<p>x</p>', key: '' }),
        exportedNode('r', 'directReplyAgentflow', { directReplyMessage: 'x' }),
      ],
      [{ source: 'z', sourceHandle: 'z-output-1', target: 'r' }],
    );
    expect(definition['nodes']).toMatchObject([
      { kind: 'agent', config: { userMessage: 'x', memory: { kind: 'none' }, tools: [] } },
      { kind: 'function', config: { code: 'return "<p>"', inputs: { x: '{{question}}' } } },
      {
        kind: 'missing',
        label: 'Label of z',
        config: { original: 'unheardOf', settings: { to: '<p>x</p>', key: '' }, branches: ['1'] },
      },
      { kind: 'reply' },
    ]);
    expect(definition['edges']).toEqual([{ from: 'z', to: 'r', on: '1' }]);
    expect(warnings).toContainEqual(
      expect.objectContaining({
        code: 'node_missing',
        path: 'nodes[3]',
        message: expect.stringContaining('(z)'),
      }),
    );
    expect(
      locate([
        { path: 'nodes.0.kind', message: 'no' },
        { path: 'name', message: 'no' },
      ]),
    ).toEqual([
      { path: 'nodes.1.kind', message: '"Label of a" (a): no' },
      { path: 'name', message: 'no' },
    ]);
  });

  it.each(['{{a}}', '<ul><li>a', '&#x26;', '<p>'])('refuses a text of 10 MB of %s at once', async (mark) => {
    const said = mark.repeat(10_000_000 / mark.length);
    const nodes = [
      exportedNode('s', 'startAgentflow'),
      exportedNode('d', 'directReplyAgentflow', { directReplyMessage: said }),
    ];
    let answer: unknown;
    expect(
      await computedMs(() => (answer = atOnce(importFlow({ nodes, edges: [] }, new Map()))), 500),
    ).toBeLessThan(500);
    expect(answer).toEqual({ faults: [{ path: 'nodes.1.data.inputs', message: expect.any(String) }] });
  });

  it('names what is no export', () => {
    for (const body of [
      null,
      [],
      'x',
      {},
      { nodes: '' },
      { nodes: [{}] },
      { export: null },
      { export: { nodes: [] } },
    ]) {
      const answer = atOnce(importFlow(body, new Map()));
      expect([body, 'faults' in answer && answer.faults.length > 0]).toEqual([body, true]);
    }
    expect(atOnce(importFlow({ nodes: [{ id: 'a' }] }, new Map()))).toEqual({
      faults: [expect.objectContaining({ path: 'nodes.0.data' })],
    });
  });
});
