import { SERVICE_KINDS as kinds } from '../../../test/fixtures/flows/service-kinds.js';
import { computedMs } from '../../../test/support/computed.js';
import {
  exportedEdge as edge,
  imported,
  nodeByItsId as node,
  exportedReply as reply,
  exportedStart as start,
} from '../../../test/support/imported.js';
import { atOnce } from '../../common/pausing.js';
import { checkDefinition } from '../definition/checks/check-definition.js';
import { importFlow } from './import-flow.js';

describe('a strange export', () => {
  it('is taken whatever stands where lists and objects are meant', () => {
    const odd: unknown[] = ['', null, 0, 'x', [], {}, [1, null, 'x', []], { a: [{}] }, true, '<p>'];
    const names = [
      ...['startAgentflow', 'llmAgentflow', 'agentAgentflow', 'toolAgentflow', 'retrieverAgentflow'],
      ...['conditionAgentflow', 'conditionAgentAgentflow', 'iterationAgentflow', 'loopAgentflow'],
      ...['humanInputAgentflow', 'httpAgentflow', 'customFunctionAgentflow', 'executeFlowAgentflow'],
      ...['directReplyAgentflow', 'stickyNoteAgentflow', 'constructor', '__proto__', ''],
    ];
    const inputs = [
      ...['startInputType', 'formInputTypes', 'startState', 'llmModel', 'llmModelConfig', 'llmMessages'],
      ...[
        'llmMemoryType',
        'llmStructuredOutput',
        'llmUpdateState',
        'agentModel',
        'agentTools',
        'agentMessages',
      ],
      ...[
        'toolAgentflowSelectedTool',
        'toolInputArgs',
        'conditions',
        'conditionAgentScenarios',
        'method',
        'url',
      ],
      ...['iterationInput', 'loopBackToNode', 'maxLoopCount', 'humanInputDescription', 'headers', 'body'],
      ...['customFunctionJavascriptFunction', 'customFunctionInputVariables', 'executeFlowSelectedFlow'],
    ];
    for (const value of odd) {
      const given = Object.fromEntries(inputs.map((name) => [name, value]));
      const nodes = names.map((name, index) => ({
        ...{ id: `n_${index}`, type: value, parentNode: value, position: value },
        data: { name, label: value, version: value, inputs: index % 2 === 0 ? given : value },
      }));
      imported([start, ...nodes], value === '' || value === null ? (value as never) : []);
      imported([start, node('n_x', value as object)]);
    }
  });

  it('is told apart from what is no export, with its faults', () => {
    const chatflow = [{ id: 'chatOpenAI_0', type: 'customNode', data: { name: 'chatOpenAI', inputs: {} } }];
    expect(atOnce(importFlow({ nodes: chatflow, edges: [] }, kinds))).toEqual({
      faults: [{ path: 'nodes', message: expect.stringContaining('AgentFlow V2') }],
    });
    const twice = atOnce(importFlow({ nodes: [start, start] }, kinds));
    expect('locate' in twice && checkDefinition(twice.definition, kinds)).toHaveProperty('faults');
  });

  it('is read in bounded time, whatever its size and its shape', async () => {
    const loops = Array.from({ length: 999 }, (_, index) =>
      node(`loopAgentflow_${index}`, { loopBackToNode: `loopAgentflow_${index - 1}-Loop` }),
    );
    const chain = loops.map(({ id }, index) => edge(id, `loopAgentflow_${(index + 1) % 999}`));
    const all = Array.from({ length: 10_000 }, (_, index) =>
      edge(`loopAgentflow_${index % 999}`, `loopAgentflow_${(index * 7) % 999}`, String(index % 5)),
    );
    for (const edges of [chain, all])
      expect(await computedMs(() => imported([start, ...loops], edges), 5_000)).toBeLessThan(5_000);
    const tools = Array.from({ length: 1_000 }, (_, index) => ({
      agentSelectedTool: `tool${index}`,
      agentSelectedToolConfig: { apiKey: 'x'.repeat(1_000), description: '<p>{{'.repeat(20) },
    }));
    const agent = node('agentAgentflow_0', { agentTools: tools, agentMessages: '' });
    expect(await computedMs(() => imported([start, agent]), 5_000)).toBeLessThan(5_000);
    const long = reply(0);
    long.data.inputs = {
      directReplyMessage: `<p>${'{{question}} <b>x</b> '.repeat(15_000)}${'x'.repeat(9_000_000)}</p>`,
    };
    expect(await computedMs(() => imported([start, long]), 5_000)).toBeLessThan(5_000);
  });
});
