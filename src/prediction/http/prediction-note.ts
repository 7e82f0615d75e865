import { predictionAnswer, predictionEvent, startedRun } from '../../api/predictions.js';
import {
  eventsOf,
  fields,
  files,
  idempotency,
  json,
  type RouteNote,
  runErrors,
} from '../../api/route-note.js';
import { predictionSchema } from '../call/prediction-body.js';

const STREAM = `Each event is an \`id:\` line, one \`data:\` line with \`{"event", "data"}\` (\`PredictionEvent\`) and a blank line; a comment \`:heartbeat\` comes every 15 s. In order:

1. \`agentFlowEvent\` "INPROGRESS"
2. for each node \`nextAgentFlow\` \`{ nodeId, nodeLabel, status }\` when it begins and when it ends; between them \`token\` "text", whose pieces joined are the answer; where they apply \`thinking\`, \`calledTools\`, \`usedTools\`, \`sourceDocuments\`, \`usageMetadata\`, \`progress\`, and from the first node on \`agentFlowExecutedData\` \`[{ nodeId, nodeLabel, status, previousNodeIds }]\`, the nodes so far
3. \`agentFlowExecutedData\`, with what each node took and gave only where the flow has \`exposeTrace\`, and \`action\` (where a human is asked)
4. \`agentFlowEvent\` "FINISHED" ("STOPPED" where a human is asked)
5. \`metadata\` \`{ chatId, chatMessageId, question, sessionId, executionId, usage, followUpPrompts?, action?, warnings? }\`
6. \`end\` "[DONE]"; the stream closes.

A run that fails or is stopped ends with \`agentFlowEvent\` "ERROR", \`error\` "a sentence" and \`end\` "[DONE]" instead of 3 to 6. A stored answer is streamed as INPROGRESS, one \`token\` and 3 to 6.`;

export const predictionNote: RouteNote = {
  summary: 'Run a flow',
  description: `Posts a message to a flow. With \`streaming\` a flow that ends in a streamable node answers as Server-Sent Events, any other as JSON: read the content type. Every check is answered with its status before a stream opens.\n\nWith \`Prefer: respond-async\` it is answered 202 as soon as the run is durable and charged: \`Location\` is the address of its state, and with \`callbackUrl\` its end is posted there, signed as Standard Webhooks defines. Such a run waits for its chat without a time limit, and continues in another process when its own ends.\n\nA call that was interrupted, or whose caller left, may be sent again under its \`Idempotency-Key\`: its run resumes where it stopped, and its effects are not repeated.\n\n${STREAM}`,
  headers: [...idempotency.headers, 'X-Share-Link', 'Prefer'],
  errors: runErrors,
  body: {
    json: predictionSchema,
    multipart: {
      type: 'object',
      properties: {
        ...fields(
          ['question', 'chatId', 'leadEmail'],
          ['overrideConfig', 'uploads', 'form', 'history', 'humanInput'],
        ),
        streaming: { enum: ['true', 'false'] },
        ...files('files', 'Attached to the message.'),
      },
    },
    members: {
      question: 'The message. Required unless `form` or `humanInput` is given.',
      chatId: 'Continues a conversation. Without it the call has no history.',
      overrideConfig:
        '`vars`: values of flow variables. `sessionId`, `startState`, and what the flow allows.',
      uploads:
        '`{ data, type, name, mime }`; `data` is a data URI or an https address. `{ type: "stored-file", name, messageId? }` is a file that was attached to the chat before; a `capture` node records one `messageId` once, also where the file was attached anew.',
      humanInput:
        '`{ type: "proceed" | "reject", startNodeId, feedback? }`: answers the question at which a run of this chat stopped; `startNodeId` is the `data.nodeId` of its `action`, `feedback` has at most 65,536 characters.',
      streaming: 'Asks for Server-Sent Events.',
      callbackUrl:
        'With `Prefer: respond-async`: where the end is posted. Needs the flow’s key, or a host of its `callbackHosts`.',
    },
    examples: {
      message: { question: 'Hello', chatId: 'my-first-inspection' },
      streaming: { question: 'Hello', chatId: 'my-first-inspection', streaming: true },
      variables: { question: 'Hello', overrideConfig: { vars: { tone: 'friendly' } } },
    },
  },
  answers: {
    200: {
      description: 'The answer.',
      content: { ...json(predictionAnswer), ...eventsOf(predictionEvent) },
    },
    202: {
      description: 'Accepted: `Location` says where to ask.',
      headers: ['Location', 'Preference-Applied'],
      content: json(startedRun),
    },
  },
};
