/** start → llm: a flow that asks the fake model. */
export const askingFlow = (id, model, extra = {}) => ({
  id,
  name: id,
  nodes: [
    { id: 'start', kind: 'start', config: {} },
    {
      id: 'llm',
      kind: 'llm',
      config: {
        model: { provider: 'openai-compatible', name: 'fake', baseUrl: model.url },
        messages: [{ role: 'system', content: 'Answer briefly.' }],
      },
    },
  ],
  edges: [{ from: 'start', to: 'llm' }],
  ...extra,
});
