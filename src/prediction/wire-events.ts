import type { Json } from '../flows/engine/json.js';
import type { NodeRun, RunEvent } from '../flows/engine/run-event.js';

/** One event as clients read it, with Flowise's names. */
export interface WireEvent {
  event: string;
  data: unknown;
}

/** What `metadata` carries at the end of a stream. */
export interface StreamMetadata {
  chatId: string;
  chatMessageId: string;
  question: string;
  sessionId: string;
  executionId: string;
  usage: object;
  followUpPrompts?: string;
  action?: Json;
}

/** How a node run stands, in Flowise's words. */
export const nodeStatus: Readonly<Record<NodeRun['status'], string>> = {
  running: 'INPROGRESS',
  succeeded: 'FINISHED',
  failed: 'ERROR',
  stopped: 'TERMINATED',
  waiting: 'STOPPED',
};

/** What of a run event goes on the wire while the run goes on; `undefined` for what clients do not see. */
export function wireEventOf(event: RunEvent): WireEvent | undefined {
  switch (event.type) {
    case 'token':
      return { event: 'token', data: event.text };
    case 'node-started':
    case 'node-ended':
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
      // No event of Flowise's: its clients pass over it.
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

/** The end of a stream that went well (contract section 3). */
export function goodEnding(metadata: StreamMetadata, trace: unknown): WireEvent[] {
  return [
    ...(trace === undefined ? [] : [{ event: 'agentFlowExecutedData', data: trace }]),
    ...(metadata.action === undefined ? [] : [{ event: 'action', data: metadata.action }]),
    { event: 'agentFlowEvent', data: metadata.action === undefined ? 'FINISHED' : 'STOPPED' },
    { event: 'metadata', data: metadata },
    close,
  ];
}

/** The end of a stream whose run failed or was stopped. The widget shows the sentence, so it must be a string. */
export const badEnding = (sentence: string): WireEvent[] => [
  { event: 'agentFlowEvent', data: 'ERROR' },
  { event: 'error', data: sentence },
  close,
];
