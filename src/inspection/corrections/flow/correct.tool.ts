import { z } from 'zod';
import type { Json } from '../../../flows/engine/json.js';
import {
  callOnce,
  isGiven,
  oneTool,
  openParameters,
  ToolFailed,
  toolSettings,
  type ToolType,
} from '../../../flows/tools/tool.js';
import { factWords } from '../../facts/fact-changes.js';
import { correctSettings, type CorrectSettings } from './correct-settings.js';
import type { CorrectInRun, CorrectionOutcome } from './flow-corrections.js';

const settings = z
  .object({ tool: z.literal('correct'), ...toolSettings, ...correctSettings })
  .describe(
    'Corrects the description of photographs, remarks and facts of the chat’s inspection, as the node correct does.',
  );

type CorrectToolSettings = z.infer<typeof settings>;

/** The members of all kinds of facts. */
const WORDS = Object.fromEntries(
  Object.keys(factWords).map((name) => [name, { type: ['string', 'number', 'boolean'] }]),
);

/** The arguments of the model, for members that the settings leave open. */
const ARGUMENTS = {
  target: {
    type: 'string',
    description:
      'last (the newest picture), last-batch (all of the newest message), last-remark, last-reading, last-keys, last-alarm or last-observation (the newest of these), or the id of one.',
  },
  count: {
    type: 'integer',
    minimum: 1,
    maximum: 50,
    description: 'With last, the number of newest pictures; with undo, the number of newest messages.',
  },
  area: { type: 'string', description: 'The area to move them to.' },
  areaType: { type: 'string', enum: ['room', 'external', 'service'] },
  withdrawn: { type: 'boolean', description: 'true takes them out of the report, false restores them.' },
  turn: { type: 'integer', enum: [90, 180, 270], description: 'Degrees clockwise.' },
  caption: { type: 'string', description: 'Printed under the picture.' },
  text: { type: 'string', description: 'The new text of a remark.' },
  fact: {
    type: 'object',
    properties: WORDS,
    description: 'The members that change of a reading, keys, an alarm or an observation.',
  },
  reason: { type: 'string', description: 'Why.' },
  undo: {
    type: 'boolean',
    description:
      'true only takes back what the latest message recorded or corrected; with count, what the latest messages did.',
  },
  list: {
    type: 'boolean',
    description: 'true changes nothing: it lists what is recorded, the newest first, each with its id.',
  },
  rename: {
    type: 'object',
    properties: { from: { type: 'string' }, to: { type: 'string' } },
    required: ['from', 'to'],
    description: 'Renames an area and changes nothing else.',
  },
} as const;

const ABOUT =
  'Corrects the description of pictures, remarks and facts (readings, keys, alarms, observations) of this chat that no report has claimed yet: their area, caption or turn, their words, whether they count; or renames an area. The pictures themselves never change.';

/** The tool `correct` (contract section 9): the node for a model. */
export const correctTool = (correct: CorrectInRun): ToolType<CorrectToolSettings> => ({
  tool: 'correct',
  settings,
  open(written, user) {
    const { name = 'correct', description = ABOUT } = written;
    return oneTool(
      {
        ...{ name, description, parameters: openParameters(ARGUMENTS, written) },
        async call(args, place) {
          const filled = Object.entries(await user.filled(written)).filter(([, value]) => isGiven(value));
          const given = Object.entries(args).filter(([name, value]) => name in ARGUMENTS && isGiven(value));
          const request = { ...Object.fromEntries(given), ...Object.fromEntries(filled) } as CorrectSettings;
          return callOnce('correct', place, true, async () => {
            const outcome = await correct(request, user, place.effects.within('corrected'));
            if ('message' in outcome) throw new ToolFailed(outcome.message);
            return { text: inSummary(outcome), output: outcome as unknown as Json };
          });
        },
      },
      user,
    );
  },
});

function inSummary({ corrected, ...outcome }: Exclude<CorrectionOutcome, { code: string }>): string {
  if ('things' in outcome)
    return outcome.things
      .map(({ kind, id, area, text = '' }) =>
        `${id}: ${kind}, ${area ?? 'detail'} ${text.slice(0, 200)}`.trim(),
      )
      .join('\n');
  if (corrected === 0) return 'It says so already: nothing was changed.';
  if ('undone' in outcome)
    return [
      `Taken back: ${corrected}.`,
      ...outcome.undone
        .slice(0, 5)
        .map(({ kind, id, area, text = '' }) =>
          `${id}: ${kind}, ${area ?? 'detail'} ${text.slice(0, 200)}`.trim(),
        ),
    ].join('\n');
  const records =
    'photographs' in outcome ? [...outcome.photographs, ...outcome.remarks, ...outcome.facts] : [];
  const lines = records
    .slice(-5)
    .map(({ id, area, withdrawnAt }) => `${id}: ${area}${withdrawnAt ? ', withdrawn' : ''}`);
  return [`Corrected: ${corrected}.`, ...lines].join('\n');
}
