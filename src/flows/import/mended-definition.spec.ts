import { SERVICE_KINDS as kinds } from '../../../test/fixtures/flows/service-kinds.js';
import {
  exportedEdge as edge,
  imported,
  nodeByItsId as node,
  exportedReply as reply,
  exportedStart as start,
} from '../../../test/support/imported.js';
import { atOnce } from '../../common/pausing.js';
import { importFlow } from './import-flow.js';

describe('an export that could not run as it is', () => {
  it('keeps a node that was not told enough as a placeholder, with its settings and branches', () => {
    const { nodes, edges, warnings } = imported(
      [start, node('httpAgentflow_0', { url: '', method: 'GET' }), node('conditionAgentflow_0'), reply(0)],
      [
        edge('startAgentflow_0', 'httpAgentflow_0'),
        edge('httpAgentflow_0', 'conditionAgentflow_0'),
        edge('conditionAgentflow_0', 'directReplyAgentflow_0', '1'),
      ],
    );
    expect(nodes[1]).toMatchObject({
      kind: 'missing',
      config: { original: 'httpAgentflow', settings: { url: '', method: 'GET' } },
    });
    expect(nodes[2]).toMatchObject({ kind: 'missing', config: { branches: ['1'] } });
    expect(edges).toHaveLength(3);
    expect(warnings).toContainEqual({
      code: 'node_missing',
      message: expect.stringMatching(/"httpAgentflow" \(httpAgentflow_0\): .* cannot run as it is \(url /),
      path: 'nodes[1]',
    });
  });

  it('loses edges that could lead nowhere, and says which and why', () => {
    const inner = reply(1, { parentNode: 'iterationAgentflow_0' });
    const { edges, warnings } = imported(
      [start, reply(0), node('iterationAgentflow_0', { iterationInput: '[]' }), inner, reply(2)],
      [
        edge('startAgentflow_0', 'directReplyAgentflow_0'),
        edge('directReplyAgentflow_0', 'gone'),
        edge('directReplyAgentflow_0', 'startAgentflow_0'),
        edge('directReplyAgentflow_0', 'directReplyAgentflow_1'),
        edge('directReplyAgentflow_0', 'directReplyAgentflow_2'),
        edge('directReplyAgentflow_2', 'directReplyAgentflow_0'),
        edge('directReplyAgentflow_2', 'directReplyAgentflow_2', '1'),
      ],
    );
    expect(edges).toEqual([
      { from: 'startAgentflow_0', to: 'directReplyAgentflow_0' },
      { from: 'directReplyAgentflow_0', to: 'directReplyAgentflow_2' },
    ]);
    const left = warnings.filter(({ code }) => code === 'edge_left_out');
    expect(left.map(({ path }) => path).sort()).toEqual([1, 2, 3, 5, 6].map((index) => `edges[${index}]`));
    expect(left[0]).toMatchObject({
      message: 'The edge from "directReplyAgentflow_0" to "gone" was left out: there is no node "gone".',
    });
  });

  it('takes a node out of a parent that is none, and keeps what has no body or no place to go back to', () => {
    const { nodes, warnings } = imported([
      start,
      reply(0, { parentNode: 'gone' }),
      reply(1, { parentNode: '' }),
      node('iterationAgentflow_0', { iterationInput: '' }),
      node('loopAgentflow_0', { loopBackToNode: 'gone-Gone', maxLoopCount: '' }),
      node('startAgentflow_1'),
    ]);
    expect(nodes.map(({ kind, parentNode }) => [kind, parentNode])).toEqual([
      ['start', undefined],
      ['reply', undefined],
      ['reply', undefined],
      ['missing', undefined],
      ['missing', undefined],
      ['missing', undefined],
    ]);
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([
      ['node_missing', 'nodes[5]'],
      ['parent_left_out', 'nodes[1]'],
      ['node_missing', 'nodes[3]'],
      ['node_missing', 'nodes[4]'],
    ]);
  });

  it('asks the models that the importer chose, by their class or all others', () => {
    const llm = (number: number, llmModel: string, llmModelConfig: object) =>
      node(`llmAgentflow_${number}`, { llmModel, llmModelConfig, llmMessages: '' });
    const own = { provider: 'openai-compatible', name: 'own', baseUrl: 'http://localhost:1/v1' };
    const nodes = [
      start,
      llm(0, 'chatOpenAI', { modelName: 'a', temperature: '0.5', topP: 1 }),
      llm(1, 'awsChatBedrock', { temperature: 9 }),
      llm(2, 'chatMistralAI', { modelName: 'c', temperature: 9, basepath: 'no address' }),
    ];
    const models = { '*': own, chatOpenAI: { provider: 'openai', name: 'other', credentialId: 'k' } };
    const made = imported(nodes, [], { models });
    expect(made.nodes.slice(1).map(({ config }) => config)).toMatchObject([
      { model: { provider: 'openai', name: 'other', credentialId: 'k', temperature: 0.5 } },
      { model: own },
      { model: own },
    ]);
    expect(made.warnings.find(({ code }) => code === 'credentials_missing')?.message).toContain(
      'of llmAgentflow_1, llmAgentflow_2.',
    );
    const without = imported(nodes);
    expect(without.nodes.slice(1).map(({ config }) => (config as { model?: object }).model)).toEqual([
      { provider: 'openai', name: 'a', temperature: 0.5 },
      undefined,
      { provider: 'mistral', name: 'c' },
    ]);
    for (const wrong of ['x', { chatOpenAI: 'x' }, { '*': { provider: 'nobody', name: 'm' } }, { '*': {} }])
      expect(atOnce(importFlow({ nodes, models: wrong }, kinds))).toHaveProperty('faults');
  });

  it('keeps a tool that could not be called as one that is missing, and the agent with its other tools', () => {
    const request = (name: string, url: string) => ({
      agentSelectedTool: 'requestsGet',
      agentSelectedToolConfig: { requestsGetName: name, requestsGetUrl: url },
    });
    const tools = [request('one', 'https://a.test'), request('one', 'https://b.test'), request('two', 'c')];
    const { nodes, warnings } = imported([start, node('agentAgentflow_0', { agentTools: tools })]);
    expect(nodes[1]).toMatchObject({
      kind: 'agent',
      config: {
        tools: [
          { tool: 'http', name: 'one', url: 'https://a.test' },
          { tool: 'missing', original: 'one', settings: { url: 'https://b.test' } },
          { tool: 'http', name: 'two' },
        ],
      },
    });
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([['tool_missing', 'nodes[1]']]);
  });

  it('says which tool a node was, which flow it ran, and which code comes from elsewhere', () => {
    const other = {
      executeFlowSelectedFlow: 'other-flow',
      executeFlowInput: '',
      executeFlowOverrideConfig: '{"vars": {"town": "{{ $flow.state.town }}"}, "sessionId": "x"}',
    };
    const { nodes, warnings } = imported([
      start,
      node('executeFlowAgentflow_0', other),
      node('toolAgentflow_0', { selectedTool: 'slackMCP' }),
      node('customFunctionAgentflow_0', { customFunctionJavascriptFunction: "return require ('pg')" }),
      node('executeFlowAgentflow_1', { executeFlowSelectedFlow: '', executeFlowOverrideConfig: 'x' }),
    ]);
    expect(nodes.slice(1).map(({ kind }) => kind)).toEqual([
      'execute-flow',
      'missing',
      'function',
      'missing',
    ]);
    expect(nodes[1]?.config).toEqual({
      flowId: 'other-flow',
      question: '{{question}}',
      vars: { town: '{{$flow.state.town}}' },
    });
    const clauses = warnings.map(({ path, message }) => `${path} ${message}`);
    expect(clauses).toEqual([
      expect.stringMatching(/^nodes\[1\] .*: it overrode sessionId of the other flow/),
      expect.stringMatching(
        /^nodes\[2\] .*: "toolAgentflow" with the tool "slackMCP" has no counterpart here/,
      ),
      expect.stringMatching(
        /^nodes\[3\] .*: its code uses require, which is not available to functions here/,
      ),
      expect.stringMatching(/^nodes\[4\] .*: it overrode executeFlowOverrideConfig of the other flow/),
      expect.stringMatching(/^nodes\[4\] .*: "executeFlowAgentflow" cannot run as it is \(flowId /),
    ]);
  });

  it('names the settings that nobody read', () => {
    const { warnings } = imported([
      node('startAgentflow_0', {
        startInputType: 'chatInput',
        startNewThing: 'x',
        startOther: '',
        startNo: false,
      }),
    ]);
    expect(warnings).toEqual([
      {
        code: 'not_carried_over',
        message: '"startAgentflow" (startAgentflow_0): its startNewThing had no counterpart here.',
        path: 'nodes[0]',
      },
    ]);
  });
});
