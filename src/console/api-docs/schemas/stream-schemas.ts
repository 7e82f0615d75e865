import { ref, type JsonSchema } from '../../../api/route-note.js';

const text = { type: 'string' };

const event = (name: string, data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['event', 'data'],
  properties: { event: { const: name }, data },
});

const object = (required: Readonly<Record<string, JsonSchema>>, others: object = {}): JsonSchema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...others },
});

/** The schema of one `data:` line of a stream. */
export const streamSchemas: Readonly<Record<string, JsonSchema>> = {
  PredictionEvent: {
    anyOf: [
      event('agentFlowEvent', { enum: ['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR'] }),
      event(
        'nextAgentFlow',
        object({
          nodeId: text,
          nodeLabel: text,
          status: { enum: ['INPROGRESS', 'FINISHED', 'ERROR', 'TERMINATED', 'STOPPED'] },
        }),
      ),
      event('token', { ...text, description: 'The next piece of `text`.' }),
      event('thinking', text),
      event('calledTools', {}),
      event('usedTools', {}),
      event('sourceDocuments', {}),
      event('usageMetadata', { type: 'object' }),
      event('progress', object({ nodeId: text, nodeLabel: text, progress: {} })),
      event('agentFlowExecutedData', {}),
      event('action', {}),
      event(
        'metadata',
        object(
          {
            chatId: text,
            chatMessageId: text,
            question: text,
            sessionId: text,
            executionId: text,
            usage: { type: 'object' },
          },
          { followUpPrompts: { ...text, description: 'JSON text of an array.' }, action: {} },
        ),
      ),
      event('error', { ...text, description: 'A sentence.' }),
      event('end', { const: '[DONE]' }),
    ],
  },
  RenderEvent: {
    anyOf: [
      event('progress', ref('RenderProgress')),
      event('result', ref('RenderedReport')),
      event('error', { ...text, description: 'A sentence.' }),
      event('end', { const: '[DONE]' }),
    ],
  },
};
