/** start → llm: a flow that calls a model, with the memory of chats by default. */
export const askingFlow = (id, model, { memory, ...extra } = {}) => ({
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
        ...(memory ? { memory } : {}),
      },
    },
  ],
  edges: [{ from: 'start', to: 'llm' }],
  ...extra,
});
