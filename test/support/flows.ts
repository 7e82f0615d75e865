/** Flows that the tests create; each definition is complete but for what a test adds. */

/** start → reply that says the question again. */
export const echoFlow = (more: object = {}) => ({
  name: 'Echo',
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', label: 'Say it again', config: { message: 'You said: {{question}}' } },
  ],
  edges: [{ from: 'start', to: 'reply' }],
  ...more,
});

/** start → reply with a template of the test's choice. */
export const replyFlow = (message: string, more: object = {}) => ({
  ...echoFlow(),
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'reply', kind: 'reply', config: { message } },
  ],
  ...more,
});

/** start → llm, asking the model at this base URL. */
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
