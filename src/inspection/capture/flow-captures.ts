import { z } from 'zod';
import type { CaptureAnswer } from '../../api/inspections.js';
import type { Clock } from '../../common/clock.js';
import { parseJson } from '../../common/json/json-text.js';
import { InvalidRequest } from '../../common/service-error.js';
import { UNKNOWN_TYPE } from '../../common/texts/text-type.js';
import type { EffectJournal } from '../../executions/calls/effect-journal.js';
import type { Json } from '../../flows/engine/json.js';
import type { NodeEffects } from '../../flows/engine/node-effects.js';
import type { NodeContext, RunInput, Upload } from '../../flows/engine/node-kind.js';
import type { SessionAccess } from '../access/session-access.js';
import { requireFits } from '../details/details-rows.js';
import { readDetailsSetting, detailsSetting, fillDeep } from '../details/details-setting.js';
import { factSettings, filledFacts } from '../facts/fact-settings.js';
import type { FactFields } from '../facts/read-facts.js';
import { isUnanswered, sessionIn, sessionSetting } from '../flow-settings.js';
import { sniffPicture } from '../pictures/picture-format.js';
import { type CaptureBody, readCaptureBody, withReadableDetails } from './capture-body.js';
import type { PhotographContent, SentPhotograph } from './capture-command.js';
import type { CaptureService } from './capture.service.js';

const text = z.union([z.string(), z.number()]).nullish();

/** The members of a capture in a flow, of its node and of its tool. */
export const captureSettings = {
  area: text.describe('The area that the photographs show; absent: the current one.'),
  areaType: z.string().nullish().describe('room, external or service.'),
  remark: text.describe('A comment on the area.'),
  captureTs: text.describe('When the photographs were taken.'),
  messageId: text.describe(
    'Recognises a message that arrives twice, so that its photographs are recorded once.',
  ),
  skippedAreas: text.describe('Areas that are not outstanding, as in the report’s meta.'),
  photographs: z
    .union([z.string(), z.array(z.json())])
    .nullish()
    .describe('A list of photographs, or a template that gives one; absent: the pictures of the message.'),
  ...factSettings,
  details: detailsSetting.nullish(),
  sessionId: sessionSetting,
};

export type CaptureSettings = z.infer<z.ZodObject<typeof captureSettings>>;

/** The settings after reading; `photographs` are those that they name, undefined for those of the message. */
export interface CaptureRequest {
  texts: Record<string, string>;
  body: CaptureBody;
  photographs: readonly SentPhotograph[] | undefined;
}

type Surroundings = Pick<NodeContext<unknown>, 'run' | 'signal'>;

/** Records the body from `bodyOf`, or returns the answer of an earlier attempt. A bad photograph never fails the call. */
export type RecordInRun = (
  bodyOf: (runId: string) => CaptureBody,
  surroundings: Surroundings,
  effects: NodeEffects,
) => Promise<CaptureAnswer>;

/** Returns the captures of flows' runs: journaled effects under the run's fence. */
export const captureInRun =
  (captures: CaptureService, clock: Clock, journal: EffectJournal, access: SessionAccess): RecordInRun =>
  (bodyOf, { run, signal }, effects) => {
    const receivedAt = clock.now();
    return effects.inside('capture', async (place) => {
      const body = await withReadableDetails(bodyOf(place.runId), (id) => access.mayReadReportInRun(run, id));
      const command = {
        ...body,
        executionId: run.executionId,
        flowId: run.flowId,
        receivedAt,
        signal,
        ...(run.caller === undefined ? {} : { who: run.caller }),
        neverRefuse: true,
      };
      return captures.capture(command, journal.hooks(place, 'capture'));
    });
  };

/**
 * Reads settings with filled texts; `value` fills `photographs`, `details` and the facts. Facts that the settings leave open
 * come from `given`, which has no templates. Throws 400 for faults.
 */
export async function readCaptureSettings(
  settings: CaptureSettings,
  { run, value }: Pick<NodeContext<unknown>, 'run' | 'value'>,
  given: FactFields = {},
): Promise<CaptureRequest> {
  const texts = givenTexts(settings);
  const items = await listOf(settings.photographs, value);
  const facts = await filledFacts(settings, { fill: (each) => fillDeep(each, value), parse: fromText });
  const fields = {
    ...texts,
    ...given,
    ...facts,
    sessionId: sessionIn(settings.sessionId, run.chatId),
    photographs: items ?? [],
  };
  const read = readCaptureBody(fields, [], { mayBeEmpty: true });
  const details = await readDetailsSetting(settings.details, value);
  if (details) requireFits(details);
  const body = details
    ? { ...read, details, warnings: [...(read.warnings ?? []), ...details.warnings] }
    : read;
  return { texts, body, photographs: items && body.photographs };
}

/** Returns why settings cannot be recorded, for the flow's owner or its model. Throws an error that has another cause. */
export function whyNotRecorded(error: unknown): string {
  if (!(error instanceof InvalidRequest)) throw error;
  return `Nothing was recorded: ${error.summary}.`;
}

/** Returns the pictures of the message. */
export const picturesOf = ({ uploads }: RunInput): SentPhotograph[] => uploads.flatMap(sentPhotograph);

/** Returns the filled texts; a text whose reference has no value counts as absent. */
function givenTexts({
  area,
  areaType,
  remark,
  captureTs,
  messageId,
  skippedAreas,
}: CaptureSettings): Record<string, string> {
  const texts = Object.entries({ area, areaType, remark, captureTs, messageId, skippedAreas }).map(
    ([name, value]): [string, string] => [name, String(value ?? '').trim()],
  );
  return Object.fromEntries(texts.filter(([, value]) => value !== '' && !isUnanswered(value)));
}

type Fill = NodeContext<unknown>['value'];

/** Returns the photographs that the flow names; undefined for those of the message. */
async function listOf(photographs: CaptureSettings['photographs'], fill: Fill): Promise<Json[] | undefined> {
  if (photographs === undefined || photographs === null || photographs === '') return undefined;
  const filled = await fillDeep(photographs, fill);
  const value = typeof filled === 'string' ? fromText(filled) : filled;
  if (value === null || value === '') return [];
  return Array.isArray(value) ? value : [value];
}

/** Parses a JSON text; any other text is the address or data of one photograph. */
function fromText(filled: string): Json {
  const trimmed = filled.trim();
  if (isUnanswered(trimmed)) return [];
  if (!/^[[{"]/.test(trimmed)) return trimmed;
  return parseJson(trimmed) as Json;
}

/**
 * Returns an upload as a photograph. A stored file that is sent again after a lost answer or a failed run counts as the
 * same photograph, like one that is stored again under the same `messageId`.
 */
function sentPhotograph(upload: Upload): SentPhotograph[] {
  const content = contentOf(upload);
  if (content === undefined) return [];
  const { name, stored, messageId = stored } = upload;
  return [{ content, ...(name === '' ? {} : { name }), ...(messageId === undefined ? {} : { messageId }) }];
}

/** Recognises pictures by their bytes, regardless of the given type, and addresses by the given type, if any. */
function contentOf({ type, mime, bytes, url }: Upload): PhotographContent | undefined {
  if (type === 'audio' || type === 'file:full' || type === 'file:rag') return undefined;
  const saysPicture = mime.toLowerCase().startsWith('image/');
  if (bytes !== undefined)
    return saysPicture || sniffPicture(bytes) !== undefined ? { kind: 'bytes', bytes } : undefined;
  const mayBePicture = saysPicture || mime === '' || mime === UNKNOWN_TYPE;
  return url !== undefined && mayBePicture ? { kind: 'url', url } : undefined;
}
