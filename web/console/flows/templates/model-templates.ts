import { start, type Template, template } from './template.js';

/** Flows that ask a language model, that of `DEFAULT_MODEL_NAME` unless a node names another. */
export const modelTemplates: readonly Template[] = [
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
    'Sort by meaning',
    'A language model chooses which way a message takes.',
    [
      start,
      {
        id: 'sort',
        kind: 'condition-agent',
        label: 'What is it about?',
        config: {
          instructions: 'A tenant writes to the letting agent.',
          input: '{{question}}',
          scenarios: ['Something needs a repair', 'A question about rent'],
        },
      },
      { id: 'repair', kind: 'reply', label: 'Repair', config: { message: 'We will arrange a visit.' } },
      {
        id: 'rent',
        kind: 'reply',
        label: 'Rent',
        config: { message: 'The accounts team will write to you.' },
      },
      {
        id: 'other',
        kind: 'reply',
        label: 'Anything else',
        config: { message: 'Somebody will write to you.' },
      },
    ],
    [
      { from: 'start', to: 'sort' },
      { from: 'sort', to: 'repair', on: '0' },
      { from: 'sort', to: 'rent', on: '1' },
      { from: 'sort', to: 'other', on: 'else' },
    ],
  ),
  template(
    'Agent with tools',
    'A language model that calls tools until it can answer.',
    [
      start,
      {
        id: 'agent',
        kind: 'agent',
        label: 'Assistant',
        config: {
          messages: [{ role: 'system', content: 'Use the tools where you need today’s date or a web page.' }],
          tools: [{ tool: 'date-time' }, { tool: 'web-page' }],
        },
      },
    ],
    [{ from: 'start', to: 'agent' }],
  ),
  template(
    'Each line',
    'Splits a text into lines and answers each with a model.',
    [
      start,
      {
        id: 'lines',
        kind: 'function',
        label: 'Split',
        config: {
          inputs: { text: '{{question}}' },
          code: 'return $text.split("\\n").map((line) => line.trim()).filter(Boolean);',
        },
      },
      { id: 'each', kind: 'iteration', label: 'Each line', config: { items: '{{lines}}', concurrency: 3 } },
      {
        id: 'answer',
        kind: 'llm',
        label: 'Answer',
        parentNode: 'each',
        config: { userMessage: '{{$iteration}}', memory: { kind: 'none' }, messages: [] },
      },
    ],
    [
      { from: 'start', to: 'lines' },
      { from: 'lines', to: 'each' },
    ],
  ),
  template(
    'Try until it fits',
    'Writes a summary again until it is short enough, three times at most.',
    [
      start,
      {
        id: 'summary',
        kind: 'llm',
        label: 'Summarise',
        config: {
          messages: [{ role: 'system', content: 'Summarise the message in one short sentence.' }],
          memory: { kind: 'none' },
        },
      },
      {
        id: 'length',
        kind: 'function',
        label: 'Count',
        config: { inputs: { text: '{{summary}}' }, code: 'return $text.length;' },
      },
      {
        id: 'fits',
        kind: 'condition',
        label: 'Short enough?',
        config: {
          conditions: [{ type: 'number', value1: '{{length}}', operation: 'smallerEqual', value2: '200' }],
        },
      },
      { id: 'done', kind: 'reply', label: 'Answer', config: { message: '{{summary}}' } },
      {
        id: 'again',
        kind: 'loop',
        label: 'Again',
        config: { backTo: 'summary', max: 3, fallbackMessage: '{{summary}}' },
      },
    ],
    [
      { from: 'start', to: 'summary' },
      { from: 'summary', to: 'length' },
      { from: 'length', to: 'fits' },
      { from: 'fits', to: 'done', on: '0' },
      { from: 'fits', to: 'again', on: 'else' },
    ],
  ),
];
