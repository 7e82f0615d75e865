import { z } from 'zod';
import type { Warning } from '../../common/warnings.js';
import { checked } from '../../common/valid-body.decorator.js';
import { type Fault, InvalidRequest } from '../../common/service-error.js';
import { tidySpaces } from '../areas/area-heading.js';
import type { CaptureCommand, PhotographContent, SentPhotograph } from './capture-command.js';

/** The parts of a command that the body says; the rest is known from the call. */
export type CaptureBody = Pick<
  CaptureCommand,
  | 'sessionId'
  | 'area'
  | 'areaType'
  | 'captureTs'
  | 'remark'
  | 'messageId'
  | 'photographs'
  | 'skippedAreas'
  | 'warnings'
>;

const LONGEST_AREA = 200;

/** Control characters; U+FFFD stands where one that cannot be stored was. */
const controls = /[\u0000-\u001f\u007f-\u009f\ufffd]/;

/** 1 to 256 characters without control characters (contract section 1). */
const sessionId = z
  .string()
  .min(1, 'must not be empty')
  .max(256, 'must have at most 256 characters')
  .refine((text) => !controls.test(text), 'must not contain control characters');

const messageId = z
  .union([z.string().max(1000, 'must have at most 1000 characters'), z.number()])
  .transform(String);

/** What a call may hold; a fault of one photograph is found when that photograph is read. */
export const captureSchema = z.object({
  sessionId: sessionId.nullish(),
  chatId: sessionId.nullish(),
  area: z.string().nullish(),
  areaType: z.enum(['room', 'external', 'service'], 'must be room, external or service').nullish(),
  captureTs: z.unknown().optional(),
  remark: z.string().nullish(),
  messageId: messageId.nullish(),
  skippedAreas: z.string().nullish(),
  photographs: z.array(z.unknown()).nullish(),
  photos: z.array(z.unknown()).nullish(),
  uploads: z.array(z.unknown()).nullish(),
});

/**
 * Reads the fields of a capture call; `files` are those of a multipart body, whose details stand in
 * `photographsMeta` (objects in the files' order). Throws 400 for faults of the call; a fault of one photograph stays
 * with that photograph.
 */
export function readCaptureBody(
  fields: unknown,
  files: readonly PhotographContent[] = [],
  { mayBeEmpty = false } = {},
): CaptureBody {
  const body = checked(captureSchema, fields ?? {});
  const warnings: Warning[] = [];
  const meta = own(fields, 'photographsMeta');
  const sent = [
    ...files.map((content, index) =>
      describe(content, Array.isArray(meta) ? (meta[index] as unknown) : undefined),
    ),
    ...(body.photographs ?? body.photos ?? body.uploads ?? []).map(readItem),
  ];
  if (meta !== undefined && !Array.isArray(meta)) warnings.push(META_IGNORED);
  const given: CaptureBody = {
    sessionId: requireSession(body.sessionId ?? body.chatId),
    ...optional('area', readArea(body.area, warnings)),
    ...optional('areaType', body.areaType ?? undefined),
    ...optional('captureTs', body.captureTs),
    ...optional('remark', body.remark?.trim() || undefined),
    ...optional('messageId', body.messageId || undefined),
    ...optional('skippedAreas', body.skippedAreas || undefined),
    photographs: sent,
    warnings,
  };
  if (!mayBeEmpty && sent.length === 0 && given.remark === undefined && given.area === undefined)
    throw nothingToRecord();
  return given;
}

const META_IGNORED: Warning = {
  code: 'photographs_meta_ignored',
  message: 'photographsMeta is not an array; it was ignored.',
  path: 'photographsMeta',
};

/** The flow that a body names, before anything else of it is looked at. */
export function flowIdOf(fields: unknown): string {
  const flowId = own(fields, 'flowId');
  if (typeof flowId === 'string' && flowId !== '') return flowId;
  throw new InvalidRequest([{ path: 'flowId', message: 'is required: the id of the flow that inspects' }]);
}

function readArea(area: string | null | undefined, warnings: Warning[]): string | undefined {
  const name = tidySpaces(area ?? '');
  if (name === '' || !/[\p{L}\p{N}\p{S}]/u.test(name)) return undefined;
  if (name.length <= LONGEST_AREA) return name;
  const message = `The name of the area was cut to ${LONGEST_AREA} characters.`;
  warnings.push({ code: 'area_cut', message, path: 'area' });
  return name.slice(0, LONGEST_AREA).toWellFormed().trim();
}

function requireSession(sessionId: string | null | undefined): string {
  if (sessionId) return sessionId;
  throw new InvalidRequest([
    { path: 'sessionId', message: 'is required: the inspection session, or chatId' },
  ]);
}

const nothingToRecord = (): InvalidRequest => {
  const faults: Fault[] = [
    { path: 'photographs', message: 'send at least one of photographs, remark and area' },
  ];
  return new InvalidRequest(faults, 'There is nothing to record. Send photographs, a remark or an area.');
};

/** One item of `photographs`: an object with `data` or `url`, or the data itself. */
function readItem(item: unknown): SentPhotograph {
  if (typeof item === 'string') return { content: contentOf(item) };
  const data = own(item, 'data');
  const url = own(item, 'url');
  if (typeof data === 'string' && data !== '') return describe(contentOf(data), item);
  if (typeof url === 'string' && url !== '') return describe({ kind: 'url', url }, item);
  const message = 'This photograph has neither data nor url. Send one of them, as a string.';
  return describe({ kind: 'fault', code: 'undecodable', message }, item);
}

const contentOf = (text: string): PhotographContent =>
  /^https?:\/\//i.test(text) ? { kind: 'url', url: text } : { kind: 'base64', data: text };

function describe(content: PhotographContent, details: unknown): SentPhotograph {
  const id = own(details, 'messageId');
  return {
    content,
    ...optional('name', textOf(own(details, 'name'))),
    ...optional('caption', textOf(own(details, 'caption'))),
    ...optional('captureTs', own(details, 'captureTs') ?? undefined),
    ...optional('messageId', typeof id === 'number' ? String(id) : textOf(id)),
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** A member of the object's own; a body may name members `constructor` or `__proto__`. */
function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

const optional = <Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [K in Name]?: Value } => (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value };
