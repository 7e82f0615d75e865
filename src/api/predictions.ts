import { z } from 'zod';
import { sourceDocument } from './documents.js';
import { NODE_STATUSES } from './execution-terms.js';
import { approvalAction, tokens } from './executions.js';
import { problem } from './problem.js';
import { renderedReport, renderProgress } from './reports.js';
import { anyJson, event } from './shapes.js';
import { warning } from './warnings.js';

/** The `metadata` event at the end of a stream. */
const streamMetadata = z.strictObject({
  question: z.string(),
  chatId: z.string(),
  chatMessageId: z.string(),
  sessionId: z.string(),
  executionId: z.string(),
  action: approvalAction.exactOptional(),
  followUpPrompts: z.string().exactOptional().describe('JSON text of an array.'),
  usage: z.strictObject({ credits: z.int(), ...tokens.partial().shape }),
  warnings: z.array(warning).exactOptional(),
});
export type StreamMetadata = z.infer<typeof streamMetadata>;

const nodeName = { nodeId: z.string(), nodeLabel: z.string() };

/** A node that begins or ends. */
const nodeStep = z.strictObject({ ...nodeName, status: z.enum(Object.values(NODE_STATUSES)) });
export type NodeStep = z.infer<typeof nodeStep>;

/** A node that has run or runs. */
const executedNode = nodeStep.extend({
  previousNodeIds: z.array(z.string()),
  data: z
    .strictObject({
      ...{ id: z.string(), name: z.string().describe('Its kind.') },
      ...{ input: z.unknown(), output: z.unknown() },
      ...{ error: z.string().optional(), durationMs: z.number().optional() },
    })
    .exactOptional()
    .describe('In the last list of a flow with `exposeTrace`.'),
});
export type ExecutedNode = z.infer<typeof executedNode>;

export const predictionAnswer = z
  .strictObject({
    text: z.string(),
    json: z.unknown().exactOptional(),
    ...streamMetadata.shape,
    agentFlowExecutedData: z.array(executedNode).exactOptional(),
  })
  .meta({ id: 'PredictionAnswer' });
/** The JSON form of an answer (contract section 3). */
export type PredictionAnswer = z.infer<typeof predictionAnswer>;

/** The answer to a request to cancel the runs of a chat. */
export const cancelledRuns = z
  .strictObject({ status: z.literal(200), message: z.string() })
  .meta({ id: 'CancelledRuns' });
export type CancelledRuns = z.infer<typeof cancelledRuns>;

/** The answer 202 to a caller that does not wait for the run. */
export const startedRun = z
  .strictObject({ executionId: z.string(), status: z.literal('running') })
  .meta({ id: 'AcceptedRun' });

export const asyncRun = z
  .strictObject({
    status: z.enum(['running', 'waiting', 'succeeded', 'failed', 'aborted']),
    answer: predictionAnswer.exactOptional(),
    error: problem.exactOptional(),
  })
  .meta({ id: 'AsyncRun' });

const toolCall = z.strictObject({
  tool: z.string(),
  toolInput: anyJson,
  toolOutput: z.string().describe('Empty while the call runs.'),
  error: z.string().exactOptional(),
});
/** A tool call of an agent in the form of Flowise's clients. */
export type StreamedCall = z.infer<typeof toolCall>;

const sentence = z.string().describe('A sentence.');
const end = event('end', z.literal('[DONE]'));

/** One `data:` line of the stream of a run. */
export const predictionEvent = z
  .union([
    event('agentFlowEvent', z.enum(['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR'])),
    event('nextAgentFlow', nodeStep),
    event('token', z.string().describe('The next piece of `text`.')),
    event('thinking', z.string()),
    event('calledTools', z.array(toolCall)),
    event('usedTools', z.array(toolCall)),
    event('sourceDocuments', z.array(sourceDocument)),
    event('usageMetadata', tokens),
    event('progress', z.strictObject({ ...nodeName, progress: anyJson })),
    event('agentFlowExecutedData', z.array(executedNode)),
    event('action', approvalAction),
    event(
      'metadata',
      streamMetadata.extend({
        text: z.string().exactOptional().describe('The whole answer, if the tokens are no longer stored.'),
      }),
    ),
    event('error', sentence),
    end,
  ])
  .meta({ id: 'PredictionEvent' });
export type PredictionEvent = z.infer<typeof predictionEvent>;

/** One `data:` line of the stream of a render. */
export const renderEvent = z
  .union([event('progress', renderProgress), event('result', renderedReport), event('error', sentence), end])
  .meta({ id: 'RenderEvent' });
export type RenderEvent = z.infer<typeof renderEvent>;
