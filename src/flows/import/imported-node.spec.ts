import { configOf, drafted, exportedNode, mention } from '../../../test/support/exports.js';
import type { Json } from '../engine/json.js';

describe('the import of a node (contract section 8)', () => {
  it('reads the start: form, state, memory', () => {
    const { kind, config, warnings } = configOf('startAgentflow', {
      startInputType: 'formInput',
      formTitle: 'Ask',
      formDescription: '',
      formInputTypes: [{ type: 'string', label: 'Name', name: 'name' }],
      startEphemeralMemory: true,
      startState: [
        { key: '__proto__', value: 'x' },
        { key: 'query', value: '' },
        { key: '', value: '' },
      ],
    });
    expect(kind).toBe('start');
    expect(JSON.parse(JSON.stringify(config))).toEqual({
      inputType: 'form',
      form: {
        title: 'Ask',
        description: '',
        inputs: [{ type: 'string', label: 'Name', name: 'name' }],
      },
      state: JSON.parse('{"__proto__":"x","query":""}') as object,
      ephemeralMemory: true,
    });
    expect(warnings.join()).toContain('stored for each chat here');
    expect(configOf('startAgentflow', { startInputType: 'chatInput', startState: '' }).config).toEqual({
      inputType: 'chat',
    });
  });

  it('reads a model with its messages, memory, structured output and updates', () => {
    const { kind, config, warnings } = configOf('llmAgentflow', {
      llmModel: 'chatOpenAI',
      llmModelConfig: {
        modelName: 'm',
        temperature: '0.5',
        maxTokens: '',
        basepath: 'https://models.test/v1',
        topP: 1,
      },
      llmMessages: [
        { role: 'system', content: `<p>For ${mention('$flow.sessionId')}</p>` },
        { role: 'user', content: '' },
      ],
      llmEnableMemory: true,
      llmMemoryType: 'windowSize',
      llmMemoryWindowSize: '3',
      llmUserMessage: mention('llm\\_1.output.a'),
      llmStructuredOutput: [{ key: 'sql', type: 'string', enumValues: '', jsonSchema: '', description: 'd' }],
      llmUpdateState: [{ key: 'query', value: mention('output.sql') }],
    });
    expect(kind).toBe('llm');
    expect(config).toEqual({
      model: { provider: 'openai', name: 'm', baseUrl: 'https://models.test/v1', temperature: 0.5 },
      messages: [
        { role: 'system', content: 'For\n\n{{$flow.sessionId}}' },
        { role: 'user', content: '{{question}}' },
      ],
      memory: { kind: 'window', size: 3 },
      userMessage: '{{llm_1.output.a}}',
      structuredOutput: [{ key: 'sql', type: 'string', description: 'd' }],
      updateState: { query: '{{output.sql}}' },
    });
    expect(warnings.join()).toContain("the model's topP");
    expect(warnings.join()).toContain('model.credentialId of a_0');
  });

  it('leaves out a model that it does not know, and says so', () => {
    const { config, warnings } = configOf('llmAgentflow', { llmModel: 'awsChatBedrock', llmMessages: '' });
    expect(config).toEqual({ messages: [], memory: { kind: 'none' } });
    expect(warnings).toHaveLength(1);
    expect(
      configOf('llmAgentflow', {
        llmModel: 'chatOllama',
        llmModelConfig: { modelName: 'm', baseUrl: 'http://localhost:11434' },
      }).config,
    ).toMatchObject({ model: { provider: 'ollama', baseUrl: 'http://localhost:11434/v1' } });
  });

  it('reads the models behind a proxy that speaks the common protocol', () => {
    const llmModelConfig = { modelName: 'm', basePath: 'http://127.0.0.1:4000' };
    const { config } = configOf('llmAgentflow', { llmModel: 'chatLitellm', llmModelConfig });
    const baseUrl = llmModelConfig.basePath;
    expect(config['model']).toEqual({ provider: 'openai-compatible', name: 'm', baseUrl });
  });

  it('reads calls of other services: an own member for each value', () => {
    const { config, warnings } = configOf('httpAgentflow', {
      method: 'POST',
      url: '<p>https://example.com/{{ $vars.path }}</p>',
      headers: [{ key: 'X-A', value: mention('question') }],
      queryParams: '',
      bodyType: 'json',
      body: '<p>{"q": "{{ question }}",</p><p>"html": "&lt;p&gt;x&lt;/p&gt;", "empty": ""}</p>',
      responseType: '',
    });
    expect(config).toEqual({
      method: 'POST',
      url: 'https://example.com/{{$vars.path}}',
      headers: [{ key: 'X-A', value: '{{question}}' }],
      body: { q: '{{question}}', html: '<p>x</p>', empty: '' },
      bodyType: 'json',
    });
    expect(warnings).toEqual(['The export does not contain the values of variables. Set vars for path.']);
    const url = 'https://example.com';
    const unquoted = configOf('httpAgentflow', { method: 'POST', url, body: '{"q": {{ question }}}' });
    expect(unquoted.config['body']).toBe('{"q": {{question}}}');
    expect(unquoted.warnings.join()).toContain('values are inserted as text');
  });

  it('sends no more than the other service did, and says so where a body is no JSON', () => {
    const body = '{ a: 1, }';
    const call = { url: 'https://example.com', bodyType: 'json', body };
    const empty = [{ key: 'a', value: '' }, { key: 'b' }, { key: 'c', value: '1' }];
    expect(configOf('httpAgentflow', { ...call, method: 'GET', headers: empty, queryParams: empty })).toEqual(
      {
        kind: 'http',
        config: {
          ...{ method: 'GET', url: call.url, bodyType: 'json' },
          ...{ headers: [{ key: 'c', value: '1' }], query: [{ key: 'c', value: '1' }] },
        },
        warnings: [],
      },
    );
    const posted = configOf('httpAgentflow', { ...call, method: 'POST' });
    expect([posted.config['body'], posted.warnings]).toEqual([
      body,
      [expect.stringContaining('its body is not valid JSON and is sent as it is written')],
    ]);
    expect(configOf('httpAgentflow', { ...call, method: 'POST', bodyType: 'raw' }).warnings).toEqual([]);
  });

  it('carries tools over, and keeps those that have no counterpart with their settings', () => {
    const get = {
      requestsGetUrl: '<p>https://api.example.com/events</p>',
      requestsGetName: 'get events',
      requestsGetDescription: 'Finds events',
      requestsGetQueryParamsSchema:
        '{ "id": { "type": "string", "in": "path" }, "limit": { "type": "number", "in": "query" } }',
    };
    const post = {
      requestsPostUrl: 'https://api.example.com/events',
      requestsPostBodySchema: '{ "name": { "type": "string", "required": true } }',
      requestsPostHeaders: '{ "x-a": "b" }',
    };
    const tool = (agentSelectedTool: string, agentSelectedToolConfig: Json, asks: Json = '') => ({
      agentSelectedTool,
      agentSelectedToolConfig,
      agentSelectedToolRequiresHumanInput: asks,
    });
    const { definition, warnings } = drafted(
      [
        exportedNode('a', 'agentAgentflow', {
          agentTools: [
            tool('requestsGet', get),
            tool('requestsPost', post, true),
            tool('currentDateTime', ''),
            tool('customMCP', {
              mcpServerConfig: '{"url":"https://mcp.example.com"}',
              mcpActions: '["add"]',
            }),
            tool('gmail', { to: 'x' }),
          ],
          agentKnowledgeDocumentStores: [{ documentStore: 'd' }],
        }),
        exportedNode('t', 'toolAgentflow', { toolAgentflowSelectedTool: 'slackMCP', toolInputArgs: [] }),
        exportedNode('p', 'toolAgentflow', {
          toolAgentflowSelectedTool: 'webScraperTool',
          toolInputArgs: [{ inputArgName: 'url', inputArgValue: mention('question') }],
        }),
        exportedNode('c', 'conditionAgentAgentflow', {
          conditionAgentInstructions: '<p>Choose</p>',
          conditionAgentInput: mention('question'),
          conditionAgentScenarios: [{ scenario: 'One' }, { scenario: 'Two' }],
        }),
      ],
      [],
    );
    const nodes = definition['nodes'] as { kind: string; config: { tools: object[] } }[];
    expect(nodes[0]!.config.tools).toEqual([
      {
        tool: 'http',
        name: 'get_events',
        description: 'Finds events',
        method: 'GET',
        url: 'https://api.example.com/events/{{$args.id}}',
        query: { limit: '{{$args.limit}}' },
        parameters: { type: 'object', properties: { id: { type: 'string' }, limit: { type: 'number' } } },
      },
      {
        tool: 'http',
        method: 'POST',
        url: 'https://api.example.com/events',
        headers: { 'x-a': 'b' },
        body: { name: '{{$args.name}}' },
        bodyType: 'json',
        parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        requiresApproval: true,
      },
      { tool: 'date-time' },
      { tool: 'mcp', url: 'https://mcp.example.com', allow: ['add'] },
      { tool: 'missing', original: 'gmail', settings: { to: 'x' } },
      {
        tool: 'missing',
        original: 'agentKnowledgeDocumentStores',
        settings: { agentKnowledgeDocumentStores: [{ documentStore: 'd' }] },
      },
    ]);
    expect(nodes.slice(1)).toMatchObject([
      { kind: 'missing', config: { original: 'toolAgentflow' } },
      { kind: 'tool', config: { tool: 'web-page', arguments: { url: '{{question}}' } } },
      {
        kind: 'condition-agent',
        config: { instructions: 'Choose', input: '{{question}}', scenarios: ['One', 'Two'] },
      },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(['tool_missing', 'tool_missing', 'node_missing']);
  });

  it('reads lists and objects in the arguments of a tool, which are written as texts', () => {
    const { config } = configOf('toolAgentflow', {
      toolAgentflowSelectedTool: 'currentDateTime',
      toolInputArgs: [
        { inputArgName: 'list', inputArgValue: `<p>["a", "{{ question }}"]</p>` },
        { inputArgName: 'object', inputArgValue: '{"a": [1]}' },
        { inputArgName: 'reference', inputArgValue: mention('question') },
        { inputArgName: 'number', inputArgValue: '<p>5</p>' },
        { inputArgName: 'unclosed', inputArgValue: '<p>[1</p>' },
      ],
    });
    expect(config['arguments']).toEqual({
      list: ['a', '{{question}}'],
      object: { a: [1] },
      reference: '{{question}}',
      number: '5',
      unclosed: '[1',
    });
  });

  it('reads iterations and loops', () => {
    expect(configOf('iterationAgentflow', { iterationInput: mention('x') }).config).toEqual({
      items: '{{x}}',
    });
    const { definition } = drafted([
      exportedNode('agent_0', 'directReplyAgentflow', {}),
      exportedNode('agent_0-1', 'directReplyAgentflow', {}),
      exportedNode('loop_0', 'loopAgentflow', {
        loopBackToNode: 'agent_0-1-Say it',
        maxLoopCount: '3',
        fallbackMessage: '<p>Enough</p>',
      }),
    ]);
    expect((definition['nodes'] as object[])[2]).toMatchObject({
      kind: 'loop',
      config: { backTo: 'agent_0-1', max: 3, fallbackMessage: 'Enough' },
    });
  });
});
