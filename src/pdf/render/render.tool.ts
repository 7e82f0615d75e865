import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import type { Json } from '../../flows/engine/json.js';
import { ToolTypes } from '../../flows/tools/tool-types.js';
import {
  callOnce,
  failureOf,
  type OfferedTool,
  oneTool,
  type OpenTool,
  type ToolPlace,
  type ToolResult,
  toolSettings,
  type ToolType,
  type ToolUser,
} from '../../flows/tools/tool.js';
import type { RenderAnswer } from '../vault/report-vault.js';
import { FlowRenders, META_IN_WORDS, renderSettings, type RenderSettings } from './flow-renders.js';
import type { NothingRendered } from './render-opening.js';
import type { RenderOrder } from './render-request.js';

const settings = z
  .object({ tool: z.literal('render'), ...toolSettings, ...renderSettings })
  .describe('Renders the report of the chat’s inspection, as the node render does.');

type RenderToolSettings = z.infer<typeof settings>;

const ABOUT =
  'Makes the PDF report of the inspection of this chat, of all pictures and remarks that no report has yet. Each is printed once.';

/**
 * The tool `render` (contract section 9): the node as a call of a model, which may say what the report says and whether
 * areas may be missing; what the settings say is not asked. Whom a report is mailed to is the flow's word alone.
 */
@Injectable()
export class RenderTool implements ToolType<RenderToolSettings>, OnModuleInit {
  readonly tool = 'render';
  readonly settings = settings;

  constructor(
    private readonly types: ToolTypes,
    private readonly renders: FlowRenders,
  ) {}

  onModuleInit(): void {
    this.types.register(this);
  }

  open(written: RenderToolSettings, user: ToolUser): Promise<OpenTool> {
    const { name = this.tool, description = ABOUT } = written;
    const parameters = { type: 'object', properties: offered(written) };
    const call: OfferedTool['call'] = (args, place) => this.render(written, args, place);
    return oneTool({ name, description, parameters, call }, user);
  }

  private async render(
    written: RenderToolSettings,
    args: Record<string, Json>,
    place: ToolPlace,
  ): Promise<ToolResult> {
    const { user } = place;
    const order = await this.orderOf(written, args, user);
    const result = await callOnce('render', place, true, async () => {
      const answer = await this.renders.render(order, user, place.effects.within('rendered'));
      return { text: summaryOf(answer), output: answer as unknown as Json };
    });
    const answer = result.output as unknown as RenderAnswer | NothingRendered;
    if ('warnings' in answer) user.warn(...answer.warnings);
    return result;
  }

  private async orderOf(
    { email, ...written }: RenderToolSettings,
    args: Record<string, Json>,
    user: ToolUser,
  ): Promise<RenderOrder> {
    const { meta, ...filled } = await user.filled(written);
    const given = isObject(args['meta']) ? args['meta'] : {};
    const asked: RenderSettings = {
      ...choicesOf(args),
      ...filled,
      meta: typeof meta === 'string' ? meta : { ...given, ...meta },
      email,
    };
    try {
      return await this.renders.orderOf(asked, user, (text) => user.filled(text));
    } catch (error) {
      throw failureOf(error, user);
    }
  }
}

const isObject = (value: Json | undefined): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The arguments that a model may give, where the settings do not say them. */
const CHOICES = {
  requireComplete: { type: 'boolean', description: 'true: no report while areas are outstanding.' },
  forceFinish: { type: 'boolean', description: 'true: a report although areas are outstanding.' },
  preview: {
    type: 'boolean',
    description: 'true: only a draft to look at; the pictures are kept for the report.',
  },
};

const choicesOf = ({ requireComplete, forceFinish, preview }: Record<string, Json>) => ({
  ...(typeof requireComplete === 'boolean' ? { requireComplete } : {}),
  ...(typeof forceFinish === 'boolean' ? { forceFinish } : {}),
  ...(typeof preview === 'boolean' ? { preview } : {}),
});

function offered({ meta, ...written }: RenderToolSettings): Json {
  const choices = Object.entries(CHOICES).filter(
    ([name]) => written[name as keyof typeof CHOICES] === undefined,
  );
  const open =
    typeof meta === 'string'
      ? []
      : Object.entries(META_IN_WORDS).filter(([name]) => meta === undefined || !Object.hasOwn(meta, name));
  return {
    ...(open.length === 0
      ? {}
      : {
          meta: {
            type: 'object',
            description: 'What the report says, as far as it is known. All members are optional.',
            properties: Object.fromEntries(open),
          },
        }),
    ...Object.fromEntries(choices),
  };
}

const MOST_WARNINGS = 5;
const MOST_REPORTS = 3;

/** In a few lines: the report and where it is, or why there is none. */
function summaryOf(answer: RenderAnswer | NothingRendered): string {
  if (answer.file === null) {
    const why =
      answer.reason === 'render_in_progress'
        ? 'Another report of this inspection is being made.'
        : 'There is no new picture to report, so no file was made.';
    const earlier = answer.previousReports
      .slice(0, MOST_REPORTS)
      .map(({ filename, date, url }) => `Made before: ${filename} (${date})${url ? `, ${url}` : ''}`);
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
