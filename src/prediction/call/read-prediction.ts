import type { Request } from 'express';
import { Buffer } from 'node:buffer';
import type { AppConfig } from '../../common/app-config.js';
import { isMultipart } from '../../common/bodies/body-checks.js';
import { holdBody } from '../../common/bodies/body-room.js';
import { type IncomingFile, readMultipartBody } from '../../common/bodies/multipart-body.js';
import { readJsonBody } from '../../common/bodies/request-body.js';
import { InvalidRequest } from '../../common/service-error.js';
import { findApiCall } from '../../executions/calls/api-call.js';
import { noteAsked } from '../../executions/log/asked-texts.js';
import type { Upload } from '../../flows/engine/node-kind.js';
import { checkPrediction, type PredictionBody } from './prediction-body.js';

/** Members that a multipart body carries as JSON text. */
const JSON_FIELDS: ReadonlySet<string> = new Set([
  'overrideConfig',
  'uploads',
  'form',
  'history',
  'humanInput',
]);

/** Reads the body of a prediction, JSON or multipart, after the guards have passed (contract section 3). */
export async function readPrediction(request: Request, config: AppConfig): Promise<PredictionBody> {
  if (isMultipart(request)) return readForm(request, config);
  const body = (await readJsonBody(request, config.maxJsonBytes)) ?? {};
  note(request, body);
  return checkPrediction(body);
}

async function readForm(request: Request, config: AppConfig): Promise<PredictionBody> {
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
  return checkPrediction(value, files);
}

/** For the record of a call whose body is refused. */
function note(request: Request, body: unknown): void {
  const call = findApiCall(request);
  if (call) noteAsked(call, body);
}

async function readFile(request: Request, file: IncomingFile): Promise<Upload> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.stream as AsyncIterable<Buffer>) {
    holdBody(request, chunk.length);
    chunks.push(chunk);
  }
  const type = file.mime.startsWith('audio/') ? 'audio' : 'file';
  return { type, name: file.name || 'file', mime: file.mime, bytes: Buffer.concat(chunks) };
}
