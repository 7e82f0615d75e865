import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { z } from 'zod';
import { wantedVersion } from '../../api/flows.js';
import { AppConfig } from '../../common/app-config.js';
import { withoutAbsent } from '../../common/bodies/absent-members.js';
import { holdBody } from '../../common/bodies/body-budget.js';
import { checked } from '../../common/bodies/valid-body.decorator.js';
import type { Warning } from '../../common/warnings.js';
import { apiCallOf, noteFlow } from '../../executions/api-call.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { Upload } from '../../flows/engine/node-kind.js';
import { RunnableVersions } from '../../flows/store/runnable-versions.js';
import { checkPrediction, type PredictionBody, predictionSchema } from '../call/prediction-body.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { type EarlierInput, RunInputs } from '../run/run-inputs.js';
import { predictionForm } from '../stream/prediction-form.js';
import { PredictionReader, readSent } from './prediction-reader.js';

/** Members of a run from the console beside those of a prediction. */
const consoleMembers = z.object({
  version: wantedVersion,
  executionId: z
    .string()
    .max(100)
    .optional()
    .describe('Takes question, files, history and form of this execution, unless the body has its own.'),
});

export const consoleRunSchema = predictionSchema.extend(consoleMembers.shape);

/** Reads the bodies of runs from the console (contract section 8). */
@Injectable()
export class ConsoleRuns {
  constructor(
    private readonly config: AppConfig,
    private readonly reader: PredictionReader,
    private readonly versions: RunnableVersions,
    private readonly inputs: RunInputs,
  ) {}

  /** Makes the call of a run. Throws 404 for a missing version, draft or execution, 400 for a draft with faults. */
  async read(request: Request, published: Flow): Promise<PredictionCall> {
    const apiCall = apiCallOf(request);
    noteFlow(apiCall, published);
    const { value, files } = await readSent(request, this.config);
    const { version, executionId } = checked(consoleMembers, withoutAbsent(value));
    const flow = await this.versions.find(published, version ?? published.version);
    noteFlow(apiCall, flow);
    const hold = async (bytes: number) => holdBody(request, bytes);
    const earlier = executionId === undefined ? undefined : await this.inputs.read(executionId, hold);
    const sent = earlier ? repeated(value, files, earlier) : checkPrediction(value, files);
    const body = { ...sent, ...(version === undefined ? {} : { version }) };
    const warnings = earlier?.uploads.flatMap(lostFile) ?? [];
    return this.reader.callOf(
      request,
      { flow, seesFailures: true },
      { body, form: predictionForm, warnings },
    );
  }
}

/** Checks a body that repeats an execution: its own members take precedence over those of the execution. */
function repeated(value: unknown, files: readonly Upload[], earlier: EarlierInput): PredictionBody {
  const own = withoutAbsent(value) as Record<string, unknown>;
  const { question, uploads, form, history } = earlier.body;
  const hasFiles = files.length > 0 || Array.isArray(own['uploads']);
  const body = checkPrediction({ question, ...own }, hasFiles ? files : uploads);
  // In a chat that the body names, the flow reads the messages of that chat itself.
  const remembered = body.chatId === undefined ? earlier.remembered : [];
  return {
    ...body,
    history: body.history.length > 0 ? body.history : [...history, ...remembered],
    ...(body.form === undefined && form !== undefined ? { form } : {}),
  };
}

/** Warns of a file that is no longer stored, and is not sent again. */
const lostFile = ({ bytes, url, name }: EarlierInput['uploads'][number], index: number): Warning[] =>
  bytes === undefined && url === undefined
    ? [
        {
          code: 'file_not_stored',
          message: `The file "${name.slice(0, 200)}" of the execution is no longer stored: the run goes without it.`,
          path: `uploads.${index}`,
        },
      ]
    : [];
