import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { AppConfig } from '../../common/app-config.js';
import { holdBody } from '../../common/bodies/body-budget.js';
import { isMultipart } from '../../common/bodies/body-checks.js';
import { type IncomingFile, readMultipartBody } from '../../common/bodies/multipart-body.js';
import { readJsonBody } from '../../common/bodies/request-body.js';
import { linkOrigin } from '../../common/http/own-origin.js';
import { InvalidRequest } from '../../common/service-error.js';
import { utf8OfFile } from '../../common/texts/text-encoding.js';
import { isTextType } from '../../common/texts/text-type.js';
import type { Warning } from '../../common/warnings.js';
import {
  type ApiCall,
  apiCallOf,
  findApiCall,
  noteFlow,
  noteRequestTexts,
} from '../../executions/api-call.js';
import type { Flow } from '../../flows/definition/flow.js';
import { NodeKindRegistry } from '../../flows/definition/node-kind-registry.js';
import { pickOverrides } from '../../flows/definition/node-overrides.js';
import type { NodeKinds, Upload } from '../../flows/engine/node-kind.js';
import { overrideFault } from '../../flows/engine/node-plan.js';
import type { AnswerForm } from '../call/answer-form.js';
import { type PredictionBody, checkPrediction } from '../call/prediction-body.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { ChatUploads } from '../clients/chat-uploads.js';
import { predictionForm } from '../stream/prediction-form.js';

/** Rights of the caller established by the checks before the body. */
export interface Granted {
  flow: Flow;
  apiKeyId?: string;
  /** True if the caller holds the flow's key or is an admin, and may know which node failed and why. */
  seesFailures: boolean;
}

/** A checked body and the form of its answer. */
export interface ReadCall {
  body: PredictionBody;
  form: AnswerForm;
  warnings?: readonly Warning[];
}

/** Makes a call from a request: reads and checks the body, and loads everything that it only names. */
@Injectable()
export class PredictionReader {
  constructor(
    private readonly config: AppConfig,
    private readonly uploads: ChatUploads,
    private readonly kinds: NodeKindRegistry,
  ) {}

  async read(request: Request, granted: Granted): Promise<PredictionCall> {
    noteAccess(apiCallOf(request), granted);
    const { value, files } = await readSent(request, this.config);
    const body = checkPrediction(value, files);
    return this.callOf(request, granted, { body, form: predictionForm });
  }

  /** Makes a call from a body that was read elsewhere. */
  async callOf(
    request: Request,
    granted: Granted,
    { body, form, warnings = [] }: ReadCall,
  ): Promise<PredictionCall> {
    const { flow, apiKeyId, seesFailures } = granted;
    const apiCall = apiCallOf(request);
    const chatId = body.chatId ?? randomUUID();
    apiCall.chatId = chatId;
    apiCall.question = body.question;
    if (body.otherOverrides.size > 0) requireFitting(body, flow, this.kinds.all);
    if (!this.config.fetchAllowHttp) requireHttps(body.uploads);
    const uploads = await this.uploads.fill({ flowId: flow.id, chatId }, body.uploads, (bytes) =>
      holdBody(request, bytes),
    );
    return {
      apiCall,
      flow,
      body: { ...body, uploads },
      chatId,
      sessionId: body.sessionId ?? chatId,
      form,
      streamed: body.streaming && (form.streamsAlways || flow.streamable),
      warnings,
      seesFailures,
      apiKeyId,
      publicUrl: linkOrigin(request, this.config),
    };
  }
}

/** Throws 400 when a value that the flow lets callers override does not fit its node. */
function requireFitting(
  { otherOverrides }: PredictionBody,
  { definition, graph }: Flow,
  kinds: NodeKinds,
): void {
  const faults = [...pickOverrides(definition, otherOverrides).nodeOverrides].flatMap(([nodeId, values]) => {
    const node = graph.byId.get(nodeId);
    const fault = node && overrideFault(node, kinds, values);
    return fault === undefined ? [] : [{ path: 'overrideConfig', message: `node "${nodeId}": ${fault}` }];
  });
  if (faults.length > 0) throw new InvalidRequest(faults.slice(0, 100));
}

/** Throws 400 for each upload whose address may not be fetched because it is not https (contract section 3, rule 8). */
function requireHttps(uploads: readonly Upload[]): void {
  const faults = uploads.flatMap(({ url }, index) =>
    url !== undefined && new URL(url).protocol !== 'https:'
      ? [{ path: `uploads.${index}`, message: 'the address must begin with https://' }]
      : [],
  );
  if (faults.length > 0) throw new InvalidRequest(faults.slice(0, 100));
}

function noteAccess(apiCall: ApiCall, { flow, apiKeyId }: Granted): void {
  noteFlow(apiCall, flow);
  if (apiKeyId !== undefined) apiCall.caller = { ...apiCall.caller, apiKeyId };
}

/** Members that are JSON text in a multipart body. */
const JSON_FIELDS: ReadonlySet<string> = new Set([
  'overrideConfig',
  'uploads',
  'form',
  'history',
  'humanInput',
]);

/** The body of a prediction as it was sent, and the files of a multipart one. */
interface SentBody {
  value: unknown;
  files: readonly Upload[];
}

/** Reads the body of a prediction, JSON or multipart, after the guards have passed (contract section 3). */
export async function readSent(request: Request, config: AppConfig): Promise<SentBody> {
  if (isMultipart(request)) return readForm(request, config);
  const value = (await readJsonBody(request, config.maxJsonBytes, { takesForms: true })) ?? {};
  note(request, value);
  return { value, files: [] };
}

async function readForm(request: Request, config: AppConfig): Promise<SentBody> {
  const limits = {
    bytes: config.maxMultipartBytes,
    fileBytes: config.maxMultipartBytes,
    fieldBytes: config.maxJsonBytes,
    json: JSON_FIELDS,
  };
  const { fields, files } = await readMultipartBody(request, limits, (file) => readFile(request, file));
  files.forEach(({ bytes }, index) => {
    if (bytes?.length === 0)
      throw new InvalidRequest([{ path: `files.${index}`, message: 'the file has no bytes' }]);
  });
  const value = Object.fromEntries(fields);
  note(request, value);
  return { value, files };
}

/** Notes the texts for the record of a refused call. */
function note(request: Request, body: unknown): void {
  const call = findApiCall(request);
  if (call) noteRequestTexts(call, body);
}

async function readFile(request: Request, file: IncomingFile): Promise<Upload> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.stream as AsyncIterable<Buffer>) {
    holdBody(request, chunk.length);
    chunks.push(chunk);
  }
  const { mime } = file;
  const sent = Buffer.concat(chunks);
  const bytes = isTextType(mime) ? utf8OfFile(sent, file.charset()) : sent;
  return { type: mime.startsWith('audio/') ? 'audio' : 'file', name: file.name || 'file', mime, bytes };
}
