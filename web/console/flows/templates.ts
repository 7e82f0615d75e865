import type { FlowEdge, FlowNode } from '../../../src/api/flows.js';
import { formatted } from './flow-text.js';

/** A small flow to start from. */
export interface Template {
  name: string;
  about: string;
  /** The kinds of its nodes, for its picture. */
  kinds: readonly string[];
  text: string;
}

const start = { id: 'start', kind: 'start' };

const template = (
  name: string,
  about: string,
  nodes: readonly FlowNode[],
  edges: readonly FlowEdge[],
): Template => ({
  name,
  about,
  kinds: nodes.map(({ kind }) => kind),
  text: formatted({ name: 'New flow', nodes, edges }),
});

export const templates: readonly Template[] = [
  template(
    'Reply',
    'Replies with a fixed text. Needs no model.',
    [
      start,
      { id: 'reply', kind: 'reply', label: 'Answer', config: { message: 'Hello! You said: {{question}}' } },
    ],
    [{ from: 'start', to: 'reply' }],
  ),
  template(
    'Chat with a model',
    'A language model answers and remembers the chat.',
    [
      start,
      {
        id: 'llm',
        kind: 'llm',
        label: 'Answer',
        config: { messages: [{ role: 'system', content: 'You answer briefly and kindly.' }] },
      },
    ],
    [{ from: 'start', to: 'llm' }],
  ),
  template(
    'Two ways',
    'A condition chooses between two answers.',
    [
      start,
      {
        id: 'condition',
        kind: 'condition',
        label: 'A greeting?',
        config: {
          conditions: [{ type: 'string', value1: '{{question}}', operation: 'contains', value2: 'hello' }],
        },
      },
      { id: 'greeting', kind: 'reply', label: 'Greet', config: { message: 'Hello to you!' } },
      { id: 'other', kind: 'reply', label: 'Ask', config: { message: 'You said: {{question}}' } },
    ],
    [
      { from: 'start', to: 'condition' },
      { from: 'condition', to: 'greeting', on: '0' },
      { from: 'condition', to: 'other', on: 'else' },
    ],
  ),
  template(
    'Ask a service',
    'Calls another service over HTTP and replies with its answer.',
    [
      start,
      { id: 'http', kind: 'http', label: 'Ask', config: { method: 'GET', url: 'https://example.com/' } },
      { id: 'reply', kind: 'reply', label: 'Answer', config: { message: '{{http.output.status}}' } },
    ],
    [
      { from: 'start', to: 'http' },
      { from: 'http', to: 'reply' },
    ],
  ),
];
