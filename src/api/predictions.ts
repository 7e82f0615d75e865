import { z } from 'zod';
import { problem } from './problem.js';
import { renderedReport, renderProgress } from './reports.js';
import { event } from './shapes.js';
import { warning } from './warnings.js';

const usage = z.strictObject({
  credits: z.int(),
  inputTokens: z.int().exactOptional(),
  outputTokens: z.int().exactOptional(),
});

/** The `metadata` event at the end of a stream. */
const streamMetadata = z.strictObject({
  question: z.string(),
  chatId: z.string(),
  chatMessageId: z.string(),
  sessionId: z.string(),
  executionId: z.string(),
  action: z.unknown().exactOptional(),
  followUpPrompts: z.string().exactOptional().describe('JSON text of an array.'),
  usage,
});
export type StreamMetadata = z.infer<typeof streamMetadata>;

export const predictionAnswer = z
  .strictObject({
    text: z.string(),
    json: z.unknown().exactOptional(),
    ...streamMetadata.shape,
    warnings: z.array(warning).exactOptional(),
    agentFlowExecutedData: z.unknown().exactOptional(),
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

const nodeName = { nodeId: z.string(), nodeLabel: z.string() };
const sentence = z.string().describe('A sentence.');
const end = event('end', z.literal('[DONE]'));

/** One `data:` line of the stream of a run. */
export const predictionEvent = z
  .union([
    event('agentFlowEvent', z.enum(['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR'])),
    event(
      'nextAgentFlow',
      z.strictObject({
        ...nodeName,
        status: z.enum(['INPROGRESS', 'FINISHED', 'ERROR', 'TERMINATED', 'STOPPED']),
      }),
    ),
    event('token', z.string().describe('The next piece of `text`.')),
    event('thinking', z.string()),
    event('calledTools', z.unknown()),
    event('usedTools', z.unknown()),
    event('sourceDocuments', z.unknown()),
    event('usageMetadata', z.looseObject({})),
    event('progress', z.strictObject({ ...nodeName, progress: z.unknown() })),
    event('agentFlowExecutedData', z.unknown()),
    event('action', z.unknown()),
    event('metadata', streamMetadata),
    event('error', sentence),
    end,
  ])
  .meta({ id: 'PredictionEvent' });

/** One `data:` line of the stream of a render. */
export const renderEvent = z
  .union([event('progress', renderProgress), event('result', renderedReport), event('error', sentence), end])
  .meta({ id: 'RenderEvent' });
