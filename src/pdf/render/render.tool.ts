import { z } from 'zod';
import type { NothingRendered, RenderedReport } from '../../api/reports.js';
import { isJsonObject, type Json } from '../../flows/engine/json.js';
import {
  callOnce,
  failureOf,
  oneTool,
  toolSettings,
  type ToolType,
  type ToolUser,
} from '../../flows/tools/tool.js';
import { metaSchema } from '../../inspection/report/meta-schema.js';
import { type FlowRenderOrder, type RendersInRun, renderSettings } from './flow-renders.js';

const settings = z
  .object({ tool: z.literal('render'), ...toolSettings, ...renderSettings })
  .describe('Renders the report of the chat’s inspection, as the node render does.');

type RenderToolSettings = z.infer<typeof settings>;

const ABOUT =
  'Makes the PDF report of the inspection of this chat from all photographs and remarks that are in no report yet. Each is printed once.';

/** Arguments that the model may give where the settings leave them open. */
const CHOICES = {
  requireComplete: { type: 'boolean', description: 'true: no report while areas are outstanding.' },
  forceFinish: { type: 'boolean', description: 'true: a report although areas are outstanding.' },
  preview: {
    type: 'boolean',
    description: 'true: only a draft to look at; the photographs stay for the report.',
  },
};

/** The members of `meta` that a model can give in words: JSON Schemas by name. */
const { logo: _, ...META_IN_WORDS } = metaSchema.properties;

/**
 * The tool `render` (contract section 9): the node as a call by a model. The model may give `meta` and whether areas may
 * be missing, where the settings leave them open. Recipients of a mail come from the settings alone.
 */
export const renderTool = (renders: RendersInRun): ToolType<RenderToolSettings> => ({
  tool: 'render',
  settings,
  open: (written, user) =>
    oneTool(
      {
        name: written.name ?? 'render',
        description: written.description ?? ABOUT,
        parameters: { type: 'object', properties: openArguments(written) },
        async call(args, place) {
          const order = await readOrder(renders, written, args, user);
          const result = await callOnce('render', place, true, async () => {
            const answer = await renders.render(order, user, place.effects.within('rendered'));
            return { text: summarise(answer), output: answer as unknown as Json };
          });
          const answer = result.output as unknown as RenderedReport | NothingRendered;
          if ('warnings' in answer) user.warn(...answer.warnings);
          return result;
        },
      },
      user,
    ),
});

async function readOrder(
  renders: RendersInRun,
  { email, ...written }: RenderToolSettings,
  args: Record<string, Json>,
  user: ToolUser,
): Promise<FlowRenderOrder> {
  const { meta, ...filled } = await user.filled(written);
  const given = isJsonObject(args['meta']) ? args['meta'] : {};
  const choices = Object.entries(args).filter(
    ([name, value]) => name in CHOICES && typeof value === 'boolean',
  );
  const whole = {
    ...Object.fromEntries(choices),
    ...filled,
    meta: typeof meta === 'string' ? meta : { ...given, ...meta },
    email,
  };
  try {
    return await renders.readOrder(whole, user, (text) => user.filled(text));
  } catch (error) {
    throw failureOf(error, user);
  }
}

/** Returns the JSON Schemas of the arguments that the settings leave open. */
function openArguments({ meta, ...written }: RenderToolSettings): Json {
  const choices = Object.entries(CHOICES).filter(
    ([name]) => written[name as keyof typeof CHOICES] === undefined,
  );
  const members =
    typeof meta === 'string'
      ? []
      : Object.entries(META_IN_WORDS).filter(([name]) => meta === undefined || !Object.hasOwn(meta, name));
  const metaArgument = {
    type: 'object',
    description: 'What the report says, as far as it is known. All members are optional.',
    properties: Object.fromEntries(members),
  };
  return { ...(members.length > 0 ? { meta: metaArgument } : {}), ...Object.fromEntries(choices) };
}

const MOST_WARNINGS = 5;
const MOST_REPORTS = 3;

/** Summarises the outcome in a few lines: the report and its address, or the reason for none. */
function summarise(answer: RenderedReport | NothingRendered): string {
  if (answer.file === null) {
    const why =
      answer.reason === 'render_in_progress'
        ? 'Another report of this inspection is being made.'
        : 'There is no new photograph to report, so no file was made.';
    const earlier = answer.previousReports
      .slice(0, MOST_REPORTS)
      .map(({ filename, date, url }) => `Earlier report: ${filename} (${date})${url ? `, ${url}` : ''}`);
    return [why, ...earlier].join('\n');
  }
  const { file, preview, outstandingAreas, warnings, delivery } = answer;
  return [
    `${preview ? 'Draft of the report' : 'Report'} ${file.filename}: ${file.pages} pages, ${file.photographs} photographs.`,
    `Link: ${file.url}`,
    ...(delivery ? [`Mail to ${delivery.email.to.join(', ')}: ${delivery.email.status}.`] : []),
    ...(outstandingAreas.length > 0 ? [`Outstanding: ${outstandingAreas.join(', ')}.`] : []),
    ...warnings.slice(0, MOST_WARNINGS).map(({ message }) => message),
  ].join('\n');
}
