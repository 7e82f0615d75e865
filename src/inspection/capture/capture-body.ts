import { z } from 'zod';
import { withoutAbsent } from '../../common/bodies/absent-members.js';
import { checked } from '../../common/bodies/valid-body.decorator.js';
import { type Fault, InvalidRequest } from '../../common/service-error.js';
import { cutText } from '../../common/texts/cut-text.js';
import { sentIdentifier } from '../../common/texts/identifier.js';
import type { Warning } from '../../common/warnings.js';
import { tidySpaces } from '../areas/area-heading.js';
import { readSkippedAreas } from '../areas/skipped-areas.js';
import { requireFits } from '../details/details-rows.js';
import { readDetailsChange } from '../details/read-details.js';
import { type MayReadReport, withReadableReport } from '../details/readable-report.js';
import { readFacts } from '../facts/read-facts.js';
import type { CaptureCommand, PhotographContent, SentPhotograph } from './capture-command.js';

/** The parts of a command that come from the body; the others come from the call. */
export type CaptureBody = Pick<
  CaptureCommand,
  | 'sessionId'
  | 'area'
  | 'areaType'
  | 'captureTs'
  | 'remark'
  | 'messageId'
  | 'photographs'
  | 'facts'
  | 'skippedAreas'
  | 'details'
  | 'warnings'
>;

const LONGEST_AREA = 200;
/** Most characters of a sent area that are read, blanks included. */
const MOST_OF_AREA = 10_000;
/** Most characters of a file name that are stored: names count in no budget. */
const LONGEST_NAME = 1000;

const messageId = z
  .union([z.string().max(1000, 'must have at most 1000 characters'), z.number()])
  .transform(String);

/** The body of a capture. Photographs are validated one by one, when they are read. */
export const captureSchema = z.object({
  sessionId: sentIdentifier.nullish(),
  chatId: sentIdentifier.nullish(),
  area: z.string().nullish(),
  areaType: z.enum(['room', 'external', 'service'], 'must be room, external or service').nullish(),
  captureTs: z.unknown().optional(),
  remark: z.string().nullish(),
  messageId: messageId.nullish(),
  skippedAreas: z.string().nullish(),
  observations: z.unknown().optional(),
  reading: z.unknown().optional(),
  keys: z.unknown().optional(),
  alarm: z.unknown().optional(),
  details: z.unknown().optional(),
  photographs: z.array(z.unknown()).nullish(),
  photos: z.array(z.unknown()).nullish(),
  uploads: z.array(z.unknown()).nullish(),
});

/**
 * Reads the fields of a capture call; `files` are those of a multipart body, described by
 * `photographsMeta` (objects in the files' order). Throws 400 for faults of the call; a fault of one photograph rejects
 * that photograph only.
 */
export function readCaptureBody(
  fields: unknown,
  files: readonly PhotographContent[] = [],
  { mayBeEmpty = false } = {},
): CaptureBody {
  const body = checked(captureSchema, withoutAbsent(fields ?? {}));
  const warnings: Warning[] = [];
  const meta = own(fields, 'photographsMeta') ?? undefined;
  const sent = [
    ...files.map((content, index) =>
      describe(content, Array.isArray(meta) ? (meta[index] as unknown) : undefined),
    ),
    ...[body.photographs, body.photos, body.uploads].flatMap((items) => items ?? []).map(readItem),
  ];
  if (meta !== undefined && !Array.isArray(meta)) warnings.push(META_IGNORED);
  const sentFacts = readFacts(body);
  warnings.push(...(sentFacts?.warnings ?? []));
  warnings.push(...readSkippedAreas(body.skippedAreas ?? '', 'skippedAreas').warnings);
  const given: CaptureBody = {
    sessionId: requireSession(body.sessionId ?? body.chatId),
    ...optional('area', readArea(body.area, warnings)),
    ...optional('areaType', body.areaType ?? undefined),
    ...optional('captureTs', body.captureTs),
    ...optional('remark', body.remark?.trim() || undefined),
    ...optional('messageId', body.messageId || undefined),
    ...optional('skippedAreas', body.skippedAreas || undefined),
    ...optional('details', readDetails(body.details, warnings)),
    photographs: sent,
    ...optional('facts', sentFacts?.facts),
    warnings,
  };
  const { remark, area, details, facts } = given;
  const isEmpty = [remark, area, details, facts].every((each) => each === undefined);
  if (!mayBeEmpty && sent.length === 0 && isEmpty) throw nothingToRecord();
  return given;
}

const META_IGNORED: Warning = {
  code: 'photographs_meta_ignored',
  message: 'photographsMeta is not an array; it was ignored.',
  path: 'photographsMeta',
};

/** Returns true if a body has a `flowId`, valid or not. */
export const namesFlow = (fields: unknown): boolean => (own(fields, 'flowId') ?? null) !== null;

/** Reads the flow that a body names, before the rest of it is checked. */
export function flowIdOf(fields: unknown): string {
  const flowId = own(fields, 'flowId');
  if (typeof flowId === 'string' && flowId !== '') return flowId;
  throw new InvalidRequest([{ path: 'flowId', message: 'is required: the id of the flow that inspects' }]);
}

/** Reads the change in `details`. Drops invalid values with a warning. Throws 413 for more than a record can hold. */
function readDetails(sent: unknown, warnings: Warning[]): CaptureBody['details'] {
  if (sent === undefined || sent === null) return undefined;
  const change = readDetailsChange(sent);
  warnings.push(...change.warnings);
  if (typeof sent !== 'object' || Array.isArray(sent)) return undefined;
  requireFits(change);
  return change;
}

/** Drops the report of the check-in from the details if the caller may not read it. */
export async function withReadableDetails(body: CaptureBody, mayRead: MayReadReport): Promise<CaptureBody> {
  const { details } = body;
  if (!details) return body;
  const readable = await withReadableReport(details, mayRead);
  const more = readable.warnings.slice(details.warnings.length);
  return { ...body, details: readable, warnings: [...(body.warnings ?? []), ...more] };
}

function readArea(area: string | null | undefined, warnings: Warning[]): string | undefined {
  const name = tidySpaces(cutText(area ?? '', MOST_OF_AREA));
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
    {
      path: 'photographs',
      message: 'send at least one of photographs, remark, area, details and observations',
    },
  ];
  return new InvalidRequest(
    faults,
    'There is nothing to record. Send photographs, a remark, an area, details, observations, a reading, keys or an alarm.',
  );
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
    ...optional('name', textOf(own(details, 'name'))?.slice(0, LONGEST_NAME).toWellFormed()),
    ...optional('caption', textOf(own(details, 'caption'))),
    ...optional('captureTs', own(details, 'captureTs') ?? undefined),
    ...optional('messageId', typeof id === 'number' ? String(id) : textOf(id)),
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;

/** Returns an own member only: a body may have members named `constructor` or `__proto__`. */
function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

const optional = <Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [K in Name]?: Value } => (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value };
