import type { PredictionAnswer, StreamMetadata } from '../../api/predictions.js';
import { eventFrame } from '../../common/http/stream-writer.js';
import type { NodeRun, RunEvent } from '../../flows/engine/run-event.js';
import type { AnswerForm, StreamForm, WireEvent } from '../call/answer-form.js';

/** Status of a node run in Flowise's words. */
export const nodeStatus: Readonly<Record<NodeRun['status'], string>> = {
  running: 'INPROGRESS',
  succeeded: 'FINISHED',
  failed: 'ERROR',
  stopped: 'TERMINATED',
  waiting: 'STOPPED',
};

/** Returns the wire event of a run event; undefined for events that clients do not see. */
export function wireEventOf(event: RunEvent): WireEvent | undefined {
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
  status: nodeStatus[status],
});

export const beginning: WireEvent = { event: 'agentFlowEvent', data: 'INPROGRESS' };

const close: WireEvent = { event: 'end', data: '[DONE]' };

/** Returns the end of a successful stream (contract section 3). */
export function goodEnding(metadata: StreamMetadata, trace: unknown): WireEvent[] {
  return [
    ...(trace === undefined ? [] : [{ event: 'agentFlowExecutedData', data: trace }]),
    { event: 'agentFlowEvent', data: metadata.action === undefined ? 'FINISHED' : 'STOPPED' },
    ...(metadata.action === undefined ? [] : [{ event: 'action', data: metadata.action }]),
    { event: 'metadata', data: metadata },
    close,
  ];
}

/** Returns the end of a failed or cancelled stream. The widget shows the sentence, so it must be a string. */
export const badEnding = (sentence: string): WireEvent[] => [
  { event: 'agentFlowEvent', data: 'ERROR' },
  { event: 'error', data: sentence },
  close,
];

/** Returns the `metadata` event of a stream that has already sent its text. */
function metadataOf(answer: PredictionAnswer): StreamMetadata {
  const {
    text: _text,
    json: _json,
    warnings: _warnings,
    agentFlowExecutedData: _trace,
    ...metadata
  } = answer;
  return metadata;
}

const stream: StreamForm = {
  resumes: true,
  frame: ({ event, data }) => eventFrame(event, data),
  closing: (ending) =>
    'answer' in ending
      ? goodEnding(metadataOf(ending.answer), ending.answer.agentFlowExecutedData)
      : badEnding(ending.error.message),
};

/** The JSON and events of predictions (contract section 3). */
export const predictionForm: AnswerForm = {
  route: '',
  async: true,
  streamsAlways: false,
  body: (answer) => answer,
  stream: () => stream,
};
