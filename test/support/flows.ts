/** Definitions of flows for tests, each complete in itself. */

/** start → a reply that echoes the question. */
export const echoFlow = (more: object = {}) => ({
  name: 'Echo',
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', label: 'Say it again', config: { message: 'You said: {{question}}' } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
  ...more,
});

/** start → a reply with the given template. */
export const replyFlow = (message: string, more: object = {}) => ({
  ...echoFlow(),
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', config: { message } },
  ],
  ...more,
});

/** start → llm, with a model at this base URL. */
export const chatFlow = (baseUrl: string, more: object = {}, config: object = {}) => ({
  name: 'Chat',
  nodes: [
    { id: 'start', kind: 'start' },
    {
      id: 'llm',
      kind: 'llm',
      label: 'Think',
      config: { model: { provider: 'openai-compatible', name: 'fake', baseUrl }, ...config },
    },
  ],
  edges: [{ from: 'start', to: 'llm' }],
  ...more,
});
