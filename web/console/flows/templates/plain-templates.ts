import { start, type Template, template } from './template.js';

/** Flows that need no model. */
export const plainTemplates: readonly Template[] = [
  template(
    'Reply',
    'Replies with a fixed text.',
    [
      start,
      { id: 'reply', kind: 'reply', label: 'Answer', config: { message: 'Hello! You said: {{question}}' } },
    ],
    [{ from: 'start', to: 'reply' }],
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
  template(
    'Ask a person first',
    'Waits until a person approves or rejects.',
    [
      start,
      { id: 'approve', kind: 'human-input', label: 'Approve?', config: { message: 'Order {{question}}?' } },
      { id: 'ordered', kind: 'reply', label: 'Order', config: { message: 'Ordered: {{question}}' } },
      { id: 'rejected', kind: 'reply', label: 'Leave it', config: { message: 'Nothing was ordered.' } },
    ],
    [
      { from: 'start', to: 'approve' },
      { from: 'approve', to: 'ordered', on: '0' },
      { from: 'approve', to: 'rejected', on: '1' },
    ],
  ),
  template(
    'Photographs to a report',
    'Stores the photographs of a chat and makes the report at “finish”.',
    [
      start,
      {
        id: 'finished',
        kind: 'condition',
        label: 'Finish?',
        config: {
          conditions: [{ type: 'string', value1: '{{question}}', operation: 'equal', value2: 'finish' }],
        },
      },
      {
        id: 'report',
        kind: 'render',
        label: 'Make the report',
        config: { meta: { reportType: 'checkin', address: '14 Acacia Avenue, Leeds LS1 4AP' } },
      },
      {
        id: 'done',
        kind: 'reply',
        label: 'Link',
        config: { message: 'The report: {{report.output.file.url}}' },
      },
      { id: 'capture', kind: 'capture', label: 'Store', config: { area: '{{question}}' } },
      {
        id: 'stored',
        kind: 'reply',
        label: 'Confirm',
        config: { message: 'Stored under {{question}}. Send the next room, or “finish”.' },
      },
    ],
    [
      { from: 'start', to: 'finished' },
      { from: 'finished', to: 'report', on: '0' },
      { from: 'report', to: 'done' },
      { from: 'finished', to: 'capture', on: 'else' },
      { from: 'capture', to: 'stored' },
    ],
  ),
];
