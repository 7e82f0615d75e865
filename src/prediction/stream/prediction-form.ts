import { NODE_STATUSES } from '../../api/execution-terms.js';
import type {
  ExecutedNode,
  PredictionAnswer,
  PredictionEvent,
  StreamMetadata,
} from '../../api/predictions.js';
import { eventFrame } from '../../common/http/stream-writer.js';
import type { NodeRun, RunEvent } from '../../flows/engine/run-event.js';
import type { AnswerForm, StreamForm } from '../call/answer-form.js';

/** Returns the wire event of a run event; undefined for events that clients do not see. */
export function wireEventOf(event: RunEvent): PredictionEvent | undefined {
  switch (event.type) {
    case 'token':
      return { event: 'token', data: event.text };
    case 'node-started':
    case 'node-ended':
      // Clients draw only the nodes of the flow that they called.
      if (event.run.flowId !== undefined) return undefined;
      return { event: 'nextAgentFlow', data: nodeProgress(event.run) };
    case 'thinking':
      return { event: 'thinking', data: event.text };
    case 'called-tools':
      return { event: 'calledTools', data: event.tools };
    case 'used-tools':
      return { event: 'usedTools', data: event.tools };
    case 'source-documents':
      return { event: 'sourceDocuments', data: event.documents };
    case 'progress':
      // Not an event of Flowise's: its clients ignore it.
      return {
        event: 'progress',
        data: { nodeId: event.nodeId, nodeLabel: event.label, progress: event.progress },
      };
    case 'usage':
      return { event: 'usageMetadata', data: event.usage };
    default:
      return undefined;
  }
}

const nodeProgress = ({ nodeId, label, status }: NodeRun) => ({
  nodeId,
  nodeLabel: label,
  status: NODE_STATUSES[status],
});

export const beginning: PredictionEvent = { event: 'agentFlowEvent', data: 'INPROGRESS' };

const close: PredictionEvent = { event: 'end', data: '[DONE]' };

/** Returns the end of a successful stream (contract section 3). */
export function goodEnding(
  metadata: StreamMetadata & { text?: string },
  trace: ExecutedNode[] | undefined,
): PredictionEvent[] {
  const { action } = metadata;
  const events: PredictionEvent[] = [];
  if (trace) events.push({ event: 'agentFlowExecutedData', data: trace });
  events.push({ event: 'agentFlowEvent', data: action === undefined ? 'FINISHED' : 'STOPPED' });
  if (action) events.push({ event: 'action', data: action });
  return [...events, { event: 'metadata', data: metadata }, close];
}

/** Returns the end of a failed or cancelled stream. The widget shows the sentence, so it must be a string. */
export const badEnding = (sentence: string): PredictionEvent[] => [
  { event: 'agentFlowEvent', data: 'ERROR' },
  { event: 'error', data: sentence },
  close,
];

/** Returns the `metadata` event of a stream that has already sent its text. */
function metadataOf(answer: PredictionAnswer): StreamMetadata {
  const { text: _text, json: _json, agentFlowExecutedData: _trace, ...metadata } = answer;
  return metadata;
}

const frame = ({ event, data }: PredictionEvent): string => eventFrame(event, data);

const stream: StreamForm = {
  resumes: true,
  frame,
  closing: (ending) =>
    ('answer' in ending
      ? goodEnding(metadataOf(ending.answer), ending.answer.agentFlowExecutedData)
      : badEnding(ending.error.message)
    ).map(frame),
};

/** The JSON and events of predictions (contract section 3). */
export const predictionForm: AnswerForm = {
  route: '',
  async: true,
  streamsAlways: false,
  body: (answer) => answer,
  stream: () => stream,
};
