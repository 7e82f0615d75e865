import { z } from 'zod';
import type { CaptureAnswer } from '../../api/inspections.js';
import type { Json } from '../../flows/engine/json.js';
import {
  callOnce,
  isGiven,
  oneTool,
  openParameters,
  ToolFailed,
  type ToolPlace,
  type ToolResult,
  toolSettings,
  type ToolType,
  type ToolUser,
} from '../../flows/tools/tool.js';
import { FACT_ARGUMENTS } from '../facts/fact-settings.js';
import { FACT_MEMBERS } from '../facts/fact.js';
import type { FactFields } from '../facts/read-facts.js';
import { inWords } from './capture-calls.js';
import type { SentPhotograph } from './capture-command.js';
import {
  type CaptureRequest,
  captureSettings,
  type CaptureSettings,
  picturesOf,
  readCaptureSettings,
  whyNotRecorded,
  type RecordInRun,
} from './flow-captures.js';

const settings = z
  .object({ tool: z.literal('capture'), ...toolSettings, ...captureSettings })
  .describe(
    'Records pictures, an area, a remark or observations in the chat’s inspection, as the node capture does.',
  );

type CaptureToolSettings = z.infer<typeof settings>;

/** The arguments of the model, for members that the settings leave open. */
const ARGUMENTS = {
  area: {
    type: 'string',
    description: 'The area that the pictures show or the remark is about; the current one when left out.',
  },
  areaType: { type: 'string', enum: ['room', 'external', 'service'] },
  remark: { type: 'string', description: 'A comment on the area, printed as it is. It closes the area.' },
  ...FACT_ARGUMENTS,
  photographs: {
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    description:
      'Which pictures of the message, by number from 1 in their order; [] for none, all that are not recorded yet when left out.',
  },
} as const;

const ABOUT =
  'Records the pictures of the message, remarks and observations in the inspection of this chat, area by area. What is recorded stays recorded.';

/** A picture of the message and the number by which a model calls it. */
type NumberedPicture = { number: number; sent: SentPhotograph };

/**
 * The tool `capture` (contract section 9): the node for a model, which chooses the area, the remark and the pictures of
 * the message that the settings leave open. A picture of the message is recorded once, even if several calls name it.
 */
export const captureTool = (record: RecordInRun): ToolType<CaptureToolSettings> => ({
  tool: 'capture',
  settings,
  open(written, user) {
    const { name = 'capture', description = ABOUT } = written;
    return oneTool(
      {
        ...{ name, description, parameters: openParameters(ARGUMENTS, written) },
        call: (args, place) => callCapture(record, written, args, place),
      },
      user,
    );
  },
});

async function callCapture(
  record: RecordInRun,
  written: CaptureToolSettings,
  args: Record<string, Json>,
  place: ToolPlace,
): Promise<ToolResult> {
  const { user } = place;
  const request = await requestOf(written, args, user);
  const pictures = request.photographs
    ? request.photographs.map((sent, index) => ({ number: index + 1, sent }))
    : chosen(picturesOf(user.run), args['photographs']);
  const { area, remark, details, facts } = request.body;
  if (pictures.length === 0 && [area, remark, details, facts].every((each) => each === undefined))
    throw new ToolFailed(
      'There is nothing to record: name pictures of the message, an area, a remark or observations.',
    );
  const result = await callOnce('capture', place, true, async () => {
    const bodyOf = (runId: string) => ({ ...request.body, photographs: keyed(pictures, request, runId) });
    const answer = await record(bodyOf, user, place.effects.within('recorded'));
    return { text: inSummary(answer, pictures), output: answer as unknown as Json };
  });
  user.warn(...(result.output as unknown as CaptureAnswer).warnings);
  return result;
}

/** Merges the settings with the model's arguments, which are never filled as templates. */
async function requestOf(
  { photographs, details, observations, reading, keys, alarm, ...written }: CaptureToolSettings,
  { area, areaType, remark, ...args }: Record<string, Json>,
  user: ToolUser,
): Promise<CaptureRequest> {
  const filled = Object.entries(await user.filled(written)).filter(([, value]) => isGiven(value));
  const raw = { photographs, details, observations, reading, keys, alarm };
  const merged = { area, areaType, remark, ...Object.fromEntries(filled), ...raw } as CaptureSettings;
  const given = Object.fromEntries(FACT_MEMBERS.map((name) => [name, args[name]])) as FactFields;
  try {
    return await readCaptureSettings(merged, user, given);
  } catch (error) {
    throw new ToolFailed(whyNotRecorded(error), error);
  }
}

/** Returns the pictures with the wanted numbers. Throws for a number without a picture. */
function chosen(pictures: readonly SentPhotograph[], wanted: Json | undefined): NumberedPicture[] {
  const numbered = pictures.map((sent, index) => ({ number: index + 1, sent }));
  if (!Array.isArray(wanted)) return numbered;
  const unknown = wanted
    .filter((number) => typeof number === 'number')
    .find((number) => !numbered[number - 1]);
  if (unknown !== undefined)
    throw new ToolFailed(
      `There is no picture ${unknown}: the message has ${pictures.length}. Nothing was recorded.`,
    );
  return numbered.filter(({ number }) => wanted.includes(number));
}

/** Adds the run id and the picture number as the deduplication key across calls and resumes. */
const keyed = (pictures: readonly NumberedPicture[], { texts, photographs }: CaptureRequest, runId: string) =>
  pictures.map(({ number, sent }) =>
    photographs || sent.messageId !== undefined
      ? sent
      : { ...sent, messageId: `${texts['messageId'] ?? runId}/${number}` },
  );

const MOST_WARNINGS = 5;

/** Summarises the outcome, the warnings and the outstanding areas in a few lines. */
function inSummary(answer: CaptureAnswer, pictures: readonly NumberedPicture[]): string {
  const { session, warnings } = answer;
  const rejected = answer.rejected.map((each) => ({
    ...each,
    index: (pictures[each.index]?.number ?? each.index + 1) - 1,
  }));
  return [
    `${inWords({ ...answer, rejected })}.`,
    ...warnings.slice(0, MOST_WARNINGS).map(({ message }) => message),
    ...(session.outstandingAreas.length > 0 ? [`Outstanding: ${session.outstandingAreas.join(', ')}.`] : []),
  ].join('\n');
}
