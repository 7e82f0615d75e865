import { exportedNode } from '../../../test/support/exports.js';
import { atOnce } from '../../common/pausing.js';
import type { Json } from '../engine/json.js';
import { convertExport } from './convert-export.js';
import type { ImportedDependencies } from './imported-node.js';

const DEPENDENCIES: ImportedDependencies = {
  credentials: new Map([
    ['of a provider', 'api-key'],
    ['a header', 'header'],
  ]),
  tools: new Map([
    [
      'tool 1',
      {
        name: 'km check',
        description: 'Says',
        parameters: { type: 'object', properties: {} },
        code: 'return 1',
      },
    ],
    ['tool 2', { name: 'b', description: undefined, parameters: {}, code: "require('fs')" }],
  ]),
};

const drafted = (name: string, inputs: Record<string, Json>, credential?: string) => {
  const node = exportedNode('a_0', name, inputs);
  const given = { nodes: [{ ...node, data: { ...node.data, credential } }], edges: [] };
  return atOnce(convertExport(given as never, {}, { has: () => true }, DEPENDENCIES));
};

const config = (name: string, inputs: Record<string, Json>, credential?: string) =>
  drafted(name, inputs, credential).nodes[0]!.config;

const custom = (settings: Record<string, Json>) => {
  const row = { agentSelectedTool: 'customTool', agentSelectedToolConfig: settings };
  return (config('agentAgentflow', { agentTools: [row] })['tools'] as Json[])[0];
};

describe('a flow that comes with what it names', () => {
  it('asks its model with its credential, where that is a key', () => {
    const model = (settings: Record<string, Json>) =>
      config('llmAgentflow', { llmModel: 'chatOpenAI', llmModelConfig: { modelName: 'm', ...settings } })[
        'model'
      ];
    const asked = { provider: 'openai', name: 'm' };
    expect(model({ credential: 'of a provider' })).toEqual({ ...asked, credentialId: 'of a provider' });
    expect(model({ credential: 'x', FLOWISE_CREDENTIAL_ID: 'of a provider' })).toEqual({
      ...asked,
      credentialId: 'of a provider',
    });
    for (const credential of ['a header', 'elsewhere', '']) expect(model({ credential })).toEqual(asked);
  });

  it('sends requests with their credential, wherever the node names it', () => {
    const url = 'https://x.test';
    expect(config('httpAgentflow', { url }, 'a header')['credentialId']).toBe('a header');
    expect(config('httpAgentflow', { url, FLOWISE_CREDENTIAL_ID: 'a header' })['credentialId']).toBe(
      'a header',
    );
    const { nodes, warnings } = drafted('httpAgentflow', { url }, 'elsewhere');
    expect(nodes[0]!.config).not.toHaveProperty('credentialId');
    expect(warnings.list()).toMatchObject([
      { code: 'not_carried_over', message: expect.stringContaining('its credential was left out') },
    ]);
    expect(drafted('httpAgentflow', { url }, 'a header').warnings.list()).toEqual([]);
  });

  it('has its custom tools as functions', () => {
    expect(custom({ selectedTool: 'tool 1' })).toEqual({
      tool: 'function',
      name: 'km_check',
      description: 'Says',
      parameters: { type: 'object', properties: {} },
      code: 'return 1',
    });
    expect(
      custom({ selectedTool: 'gone', customToolName: 'own copy', customToolFunc: 'return 2' }),
    ).toMatchObject({
      tool: 'function',
      name: 'own_copy',
      code: 'return 2',
    });
    for (const settings of [{ selectedTool: 'tool 2' }, { selectedTool: 'gone' }])
      expect(custom(settings)).toEqual({ tool: 'missing', original: 'customTool', settings });
  });

  it('loses nothing with the settings of beginnings that it does not have', () => {
    const inputs = { startInputType: 'chatInput', webhookMethod: 'POST', scheduleType: 'cron' };
    const given = { nodes: [exportedNode('start_0', 'startAgentflow', inputs)], edges: [] };
    const draft = (more: object) =>
      atOnce(convertExport({ ...given, ...more } as never, {}, { has: () => true }));
    expect(draft({}).warnings.list()).toEqual([]);
    const scheduled = {
      nodes: [exportedNode('start_0', 'startAgentflow', { ...inputs, startInputType: 'scheduleInput' })],
    };
    expect(
      draft(scheduled)
        .warnings.list()
        .map(({ code }) => code),
    ).toEqual(['input_type_changed', 'not_carried_over']);
  });
});
