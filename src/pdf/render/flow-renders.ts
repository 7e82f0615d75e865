import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { parseJson } from '../../common/json/json-text.js';
import { firstFaultOf } from '../../common/plain-faults.js';
import { identifier } from '../../common/texts/identifier.js';
import { jsonObject } from '../../flows/definition/flow-definition.js';
import type { EffectPlace } from '../../flows/engine/journal.js';
import type { NodeEffects } from '../../flows/engine/node-effects.js';
import type { NodeContext } from '../../flows/engine/node-kind.js';
import { metaSchema } from '../../inspection/report/meta-schema.js';
import { emailSchema } from '../delivery/delivery-schema.js';
import type { MailOrder } from '../delivery/mail-outbox.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import { inspection } from '../templates/inspection/inspection-template.js';
import type { RenderAnswer } from '../vault/report-vault.js';
import type { NothingRendered } from './render-opening.js';
import { maxBytesOf, type RenderCaller, type RenderOrder } from './render-request.js';
import { RenderService } from './render.service.js';

/** Texts are templates, so a flag may arrive as "true". */
const flag = z.union([z.boolean(), z.string()]).optional();

/** The members of a render in a flow, of its node and of its tool. */
export const renderSettings = {
  meta: z
    .union([jsonObject, z.string()])
    .optional()
    .describe('What the report says: an object whose texts are templates, or a template that gives one.'),
  requireComplete: flag.describe('Renders nothing while areas are outstanding.'),
  forceFinish: flag.describe('Renders although areas are outstanding.'),
  preview: flag.describe('Draws as if, each page marked Draft, and claims nothing. Its file lives an hour.'),
  maxBytes: z
    .union([z.number(), z.string()])
    .optional()
    .describe('The most bytes of the file: its pictures are stepped down together until it fits.'),
  email: z
    .object({
      to: z.union([z.string(), z.array(z.string())]).describe('Who gets it.'),
      subject: z.string().optional(),
      text: z.string().optional(),
    })
    .optional()
    .describe('Sends the report.'),
  sessionId: z.string().optional().describe('The inspection; absent: that of the chat.'),
};

export type RenderSettings = z.infer<z.ZodObject<typeof renderSettings>>;

const { logo: _, ...inWords } = metaSchema.properties;

/** The members of `meta` that words can say: JSON Schemas by name. */
export const META_IN_WORDS = inWords;

type Surroundings = Pick<NodeContext<unknown>, 'nodeId' | 'run' | 'signal' | 'progress'>;

/** Renders under the record and the fence of a flow's run, each an effect of it. */
@Injectable()
export class FlowRenders {
  constructor(
    private readonly renders: RenderService,
    private readonly delivery: ReportDelivery,
  ) {}

  /** Renders, or answers what an earlier attempt rendered. The run's flow decides which photographs it may use. */
  render(
    order: RenderOrder,
    around: Surroundings,
    effects: NodeEffects,
  ): Promise<RenderAnswer | NothingRendered> {
    return effects.inside('render', async (place) => {
      const started = await this.renders.start(order, callerOf(around, place));
      return 'nothing' in started ? started.nothing : started.answer;
    });
  }

  /** Reads settings whose texts are filled, but for those of `email`, which `fill` fills. Throws with a sentence for their faults. */
  async orderOf(
    settings: RenderSettings,
    around: Surroundings,
    fill: (text: string) => Promise<string>,
  ): Promise<RenderOrder> {
    const { meta, requireComplete, forceFinish, preview, sessionId, email: written } = settings;
    const maxBytes = maxBytesOf(settings.maxBytes);
    const session = identifier.safeParse(sessionId?.trim() ? sessionId : around.run.chatId);
    if (!session.success) throw new Error('The sessionId of the render must have 1 to 256 plain characters.');
    const email = await this.emailOf(written, around, fill);
    return {
      source: inspection.schema.parse({
        type: inspection.id,
        sessionId: session.data,
        meta: metaOf(meta),
        requireComplete: isTrue(requireComplete),
        forceFinish: isTrue(forceFinish),
      }),
      ...(email ? { email } : {}),
      ...(isTrue(preview) ? { preview: true } : {}),
      ...(maxBytes === undefined ? {} : { maxBytes }),
    };
  }

  private async emailOf(
    email: RenderSettings['email'],
    around: Surroundings,
    fill: (text: string) => Promise<string>,
  ): Promise<MailOrder | undefined> {
    if (!email) return undefined;
    const written = [email.to].flat();
    const to = (await Promise.all(written.map(fill))).flatMap(listed);
    if (to.length === 0) return undefined;
    const parsed = emailSchema.safeParse({
      to,
      subject: email.subject && (await fill(email.subject)),
      text: email.text && (await fill(email.text)),
    });
    if (!parsed.success) throw new Error(`email: ${firstFaultOf(parsed.error)}.`);
    this.delivery.check(parsed.data, around.run.apiKeyId !== undefined || isAuthors(around, written));
    return parsed.data;
  }
}

/** Whether the recipients stand in the definition itself: neither a template nor the caller chose them. */
function isAuthors({ nodeId, run }: Surroundings, written: readonly string[]): boolean {
  const overrides = [...(run.nodeOverrides?.get(nodeId)?.keys() ?? [])];
  const overridden = overrides.some((path) => /^(?:email|tools)(?:$|[.[])/.test(path));
  return !overridden && !written.some((text) => text.includes('{{'));
}

const callerOf = ({ run, signal, progress }: Surroundings, effect: EffectPlace): RenderCaller => ({
  executionId: run.executionId,
  effect,
  flowIds: [run.flowId],
  detailsOf: [run.flowId],
  origin: run.publicUrl,
  respondAsync: false,
  signal,
  onProgress: (at) => progress({ ...at }),
  mayRead: async (flowIds) => run.apiKeyId !== undefined && flowIds.every((flowId) => flowId === run.flowId),
  // Which page the run serves is known to its own flow's list alone.
  mayHearOf: async (flowIds) => flowIds.every((flowId) => flowId === run.flowId),
});

const isTrue = (value: boolean | string | undefined): boolean =>
  value === true || (typeof value === 'string' && value.trim().toLowerCase() === 'true');

const listed = (text: string): string[] =>
  text
    .split(/[,;]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Templates give texts only: what must be of another type is read from them, where it can be. */
function metaOf(meta: RenderSettings['meta']): unknown {
  const object = typeof meta === 'string' ? fromJson(meta) : meta;
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return object;
  const typed = Object.entries(object).map(([name, value]): [string, unknown] => {
    if (name === 'guided' && typeof value === 'string') return [name, fromJson(value.trim().toLowerCase())];
    if (['geo', 'areaComments', 'keyDetails'].includes(name) && typeof value === 'string') {
      return [name, fromJson(value)];
    }
    return [name, name === 'geo' ? numbersOf(value) : value];
  });
  return Object.fromEntries(typed);
}

/** The value of a JSON text; a blank is nothing, and any other text stays one. */
function fromJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function numbersOf(geo: unknown): unknown {
  if (typeof geo !== 'object' || geo === null || Array.isArray(geo)) return geo;
  const entries = Object.entries(geo as Record<string, unknown>);
  const number = (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return Object.fromEntries(entries.map(([name, value]) => [name, number(value)]));
}
