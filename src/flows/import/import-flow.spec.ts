import { importFlow, type ImportedFlow } from './import-flow.js';

const node = (id: string, name: string, inputs: object = {}, more: object = {}) => ({
  id,
  type: 'agentFlow',
  position: { x: 1, y: 2, z: 3 },
  data: { name, label: `Label of ${id}`, inputs },
  ...more,
});

const imported = (nodes: object[], edges: object[] = [], more: object = {}): ImportedFlow => {
  const answer = importFlow({ nodes, edges, ...more });
  if ('faults' in answer) throw new Error(JSON.stringify(answer.faults));
  return answer;
};

const configOf = (name: string, inputs: object) => {
  const { definition, warnings } = imported([node('a_0', name, inputs)]);
  const [{ kind, config }] = definition['nodes'] as [{ kind: string; config: Record<string, unknown> }];
  return { kind, config, warnings: warnings.map(({ message }) => message) };
};

const mention = (name: string) =>
  `<p><span class="variable" data-type="mention" data-id="${name}">{{ ${name} }}</span> </p>`;

describe('the import of an AgentFlow V2 export (contract section 8)', () => {
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
    expect(warnings.join()).toContain('kept per chat here');
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
      messages: [{ role: 'system', content: 'For\n\n{{$flow.sessionId}}' }],
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
    expect(warnings).toEqual(['Variables are never in an export: set vars for path.']);
    const unquoted = configOf('httpAgentflow', { url: 'https://example.com', body: '{"q": {{ question }}}' });
    expect(unquoted.config['body']).toBe('{"q": {{question}}}');
    expect(unquoted.warnings.join()).toContain('inserted into it as text');
  });

  it('names branches after the handles, the last one "else", and drops notes', () => {
    const conditions = [
      {
        type: 'number',
        value1: mention('runtime_messages_length'),
        operation: 'smallerEqual',
        value2: '<p>11</p>',
      },
    ];
    const { definition } = imported(
      [
        node('n', 'stickyNoteAgentflow', {}, { type: 'stickyNote' }),
        node('startAgentflow_0', 'startAgentflow'),
        node('c', 'conditionAgentflow', { conditions }),
        node('r', 'directReplyAgentflow', { directReplyMessage: mention('$flow.chatflowid') }),
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

  it('gives kinds that may be missing their names, and their faults the place in the export', () => {
    const { definition, locate } = imported([
      node('n', 'stickyNoteAgentflow'),
      node('a', 'agentAgentflow', { agentTools: '', agentUserMessage: '<p>x</p>' }),
      node('f', 'customFunctionAgentflow', {
        customFunctionJavascriptFunction: 'return "<p>"',
        customFunctionInputVariables: [{ variableName: 'x', variableValue: mention('question') }],
      }),
      node('z', 'unheardOf'),
    ]);
    expect(definition['nodes']).toMatchObject([
      { kind: 'agent', config: { agentUserMessage: 'x' } },
      { kind: 'function', config: { code: 'return "<p>"', inputs: { x: '{{question}}' } } },
      { kind: 'unheardOf', config: {} },
    ]);
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
      const answer = importFlow(body);
      expect([body, 'faults' in answer && answer.faults.length > 0]).toEqual([body, true]);
    }
    expect(importFlow({ nodes: [{ id: 'a' }] })).toEqual({
      faults: [expect.objectContaining({ path: 'nodes.0.data' })],
    });
  });
});
