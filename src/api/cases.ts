import { z } from 'zod';
import { CASE_CALLS, CASE_RUN_STATUSES, MOST_COMPARED } from './case-terms.js';
import { tokens } from './executions.js';
import { wantedVersion } from './flows.js';
import { MODEL_PROVIDER_IDS } from './model-provider-terms.js';
import { anyJson, timestamp } from './shapes.js';
import { warning } from './warnings.js';

const LONGEST_TEXT = 65_536;
const MOST_CHECKS = 50;

const text = z.string().min(1, 'must not be empty').max(LONGEST_TEXT);
const limit = z.number().nonnegative();

const judgeModel = z
  .strictObject({
    provider: z.enum(MODEL_PROVIDER_IDS),
    name: z.string().min(1),
    baseUrl: z.string().exactOptional(),
    credentialId: z.string().exactOptional(),
    temperature: z.number().exactOptional(),
    maxTokens: z.int().exactOptional(),
  })
  .describe('As the `model` of a node.');

const max = z
  .strictObject({
    kind: z.literal('max'),
    tokens: limit.exactOptional().describe('Input and output together; recorded answers count too.'),
    credits: limit.exactOptional(),
    ms: limit.exactOptional(),
  })
  .refine(
    ({ tokens: most, credits, ms }) => [most, credits, ms].some((value) => value !== undefined),
    'must limit tokens, credits or ms',
  );

/** One check of the answer of a case. */
export const caseCheck = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('contains'), value: text }),
    z.strictObject({ kind: z.literal('equals'), value: z.string().max(LONGEST_TEXT) }),
    z.strictObject({
      kind: z.literal('regex'),
      value: z.string().min(1, 'must not be empty').max(1_000).describe('In the syntax of RE2.'),
    }),
    z.strictObject({
      kind: z.literal('json'),
      path: z
        .string()
        .max(1_000)
        .describe('Members and indexes with dots: `items.0.name`. Empty: the whole value.'),
      equals: anyJson,
    }),
    z.strictObject({
      kind: z.literal('schema'),
      schema: z
        .record(z.string(), z.unknown())
        .describe('JSON Schema of the structured answer, or of its text as JSON.'),
    }),
    max,
    z.strictObject({
      kind: z.literal('judge'),
      rubric: text.describe('What a good answer does, in words for a model.'),
      model: judgeModel.exactOptional().describe('Default: the model of `DEFAULT_MODEL_*`.'),
    }),
  ])
  .meta({ id: 'CaseCheck' });
export type CaseCheck = z.infer<typeof caseCheck>;

const calls = z.enum(CASE_CALLS);

/** The input of a case that was not taken from an execution: members of the body of a prediction. */
const caseInput = z
  .looseObject({})
  .describe('As the body of a prediction: question, form, history, uploads, overrideConfig.');

const settings = {
  name: z.string().min(1, 'must not be empty').max(200),
  checks: z.array(caseCheck).max(MOST_CHECKS).default([]),
};

export const newCase = z
  .strictObject({
    ...settings,
    executionId: z
      .string()
      .optional()
      .describe('The execution that is copied, with the words and files of its caller.'),
    input: caseInput.optional(),
    calls: calls
      .optional()
      .describe('Default: `recorded` with an execution, `live` with an input, which has no recording.'),
  })
  .refine(
    ({ executionId, input }) => (executionId === undefined) !== (input === undefined),
    'must have either executionId or input',
  );
export type NewCase = z.infer<typeof newCase>;

export const caseSettings = z.strictObject({ ...settings, calls: calls.optional() });
export type CaseSettings = z.infer<typeof caseSettings>;

/** A case without what it recorded. */
export const flowCase = z
  .strictObject({
    id: z.string(),
    flowId: z.string(),
    name: z.string(),
    calls,
    checks: z.array(caseCheck),
    executionId: z
      .string()
      .nullable()
      .describe('The execution it was copied from, which may be deleted by now.'),
    createdAt: timestamp,
    updatedAt: timestamp,
    bytes: z.int().describe('The stored copy: recording and files.'),
    last: z
      .strictObject({
        runId: z.string(),
        passed: z.boolean(),
        at: timestamp,
      })
      .nullable()
      .describe('The latest result.'),
  })
  .meta({ id: 'Case' });
export type CaseView = z.infer<typeof flowCase>;

const file = z.strictObject({ name: z.string(), mime: z.string(), bytes: z.int().nullable() });

/** A case with what it recorded; secrets are masked and long values truncated. */
export const wholeCase = flowCase
  .extend({
    question: z.string(),
    form: z.unknown().optional(),
    history: z.int().describe('Number of messages of the chat before the question.'),
    files: z.array(file),
    before: z.string().nullable().describe('The answer of the execution.'),
    recorded: z.array(z.string()).describe('Calls with a recorded answer: node with visit, and call.'),
  })
  .meta({ id: 'WholeCase' });
export type WholeCase = z.infer<typeof wholeCase>;

export const newCaseRun = z.strictObject({
  version: wantedVersion,
  caseIds: z
    .array(z.string())
    .min(1)
    .max(MOST_COMPARED)
    .optional()
    .describe('Default: all cases of the flow.'),
  executionIds: z
    .array(z.string())
    .min(1)
    .max(MOST_COMPARED, `must have at most ${MOST_COMPARED} items`)
    .optional()
    .describe('Executions of the flow that are compared without checks: passed if the answer is the same.'),
  calls: calls.optional().describe('Default: those of each case; `recorded` for executions.'),
});
export type NewCaseRun = z.infer<typeof newCaseRun>;

const changedRequest = z.strictObject({
  node: z.string(),
  visit: z.int(),
  before: z.unknown(),
  after: z.unknown(),
});
export type ChangedRequest = z.infer<typeof changedRequest>;

const checkResult = z.strictObject({ passed: z.boolean(), detail: z.string() });
export type CheckResult = z.infer<typeof checkResult>;

const caseReport = z.strictObject({
  filename: z.string(),
  pages: z.int(),
  bytes: z.int(),
  photographs: z.int(),
  warnings: z.array(warning),
  mailed: z.boolean().describe('The flow mails the report. That of a case is not sent.'),
});
export type CaseReport = z.infer<typeof caseReport>;

/** The result of one case or execution. */
export const caseResult = z
  .strictObject({
    caseId: z.string().exactOptional(),
    executionId: z.string().exactOptional(),
    name: z.string().exactOptional(),
    passed: z.boolean(),
    code: z
      .string()
      .exactOptional()
      .describe('Why the flow failed: `not_recorded`, `flow_failed`, `stored_file_damaged` …'),
    error: z.string().exactOptional(),
    checks: z.array(checkResult),
    answer: z.string().nullable(),
    before: z.string().nullable().describe('The answer of the source execution.'),
    changed: z.boolean().describe('The answer is another than before.'),
    requests: z.array(changedRequest).describe('Recorded calls that were requested with other values.'),
    unused: z.array(z.string()).describe('Recorded calls that the flow no longer makes.'),
    reports: z
      .array(caseReport)
      .exactOptional()
      .describe(
        'With live calls, the reports that the flow made. Their files are deleted with the inspection when the case has ended, so that an address of one in `answer` leads nowhere.',
      ),
    calls,
    credits: z.int(),
    tokens: tokens.exactOptional(),
    durationMs: z.int(),
  })
  .meta({ id: 'CaseResult' });
export type CaseResult = z.infer<typeof caseResult>;

export const caseRun = z
  .strictObject({
    id: z.string(),
    flowId: z.string(),
    version: z.union([z.literal('draft'), z.int()]),
    status: z.enum(CASE_RUN_STATUSES),
    error: z.string().exactOptional(),
    total: z.int(),
    done: z.int(),
    passed: z.int(),
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
    results: z.array(caseResult).describe('In the order asked for, those that have ended.'),
  })
  .meta({ id: 'CaseRun' });
export type CaseRunView = z.infer<typeof caseRun>;
