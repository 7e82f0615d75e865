import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { parseJson } from '../common/json-text.js';
import { firstFaultOf } from '../common/plain-faults.js';
import { jsonObject } from '../flows/definition/flow-definition.js';
import type { EffectPlace } from '../flows/engine/journal.js';
import type { Json } from '../flows/engine/json.js';
import type { NodeContext, NodeKind, NodeResult } from '../flows/engine/node-kind.js';
import { NodeKindRegistry } from '../flows/nodes/node-kind-registry.js';
import { ReportDelivery } from './delivery/report-delivery.js';
import type { MailOrder } from './delivery/mail-outbox.js';
import type { RenderCaller } from './render-records.js';
import { emailSchema, type RenderOrder, sessionIdSchema } from './render-request.js';
import { RenderService } from './render.service.js';

/** Texts are templates, so a flag may arrive as "true". */
const flag = z.union([z.boolean(), z.string()]).optional();

const config = z
  .object({
    meta: z
      .union([jsonObject, z.string()])
      .optional()
      .describe('What the report says: an object whose texts are templates, or a template that gives one.'),
    requireComplete: flag.describe('Renders nothing while areas are outstanding.'),
    forceFinish: flag.describe('Renders although areas are outstanding.'),
    email: z
      .object({
        to: z.union([z.string(), z.array(z.string())]).describe('Who gets it.'),
        subject: z.string().optional(),
        text: z.string().optional(),
      })
      .optional()
      .describe('Sends the report.'),
    sessionId: z.string().optional().describe('The inspection; absent: that of the chat.'),
  })
  .describe('Renders the report of the chat’s inspection.');

type RenderConfig = z.infer<typeof config>;

/**
 * The node kind `render` (contract section 9): renders the chat's inspection inside the flow's run and under its
 * record. Its output is the render's answer. The run's flow decides which photographs it may use.
 */
@Injectable()
export class RenderNode implements NodeKind<RenderConfig>, OnModuleInit {
  readonly kind = 'render';
  readonly config = config;
  readonly streams = false;
  readonly leafText = 'json';
  /** Filled here, because recipients that the flow's author wrote are trusted and those that came in are not. */
  readonly rawTexts = ['email'];

  constructor(
    private readonly registry: NodeKindRegistry,
    private readonly renders: RenderService,
    private readonly delivery: ReportDelivery,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  readonly run = async (context: NodeContext<RenderConfig>): Promise<NodeResult> => {
    const order = await this.orderOf(context);
    const answer = await context.effects.inside('render', async (place) => {
      const started = await this.renders.start(order, callerOf(context, place));
      return 'nothing' in started ? started.nothing : started.answer;
    });
    if ('warnings' in answer) context.warn(...answer.warnings);
    return { output: answer as unknown as Json };
  };

  private async orderOf(context: NodeContext<RenderConfig>): Promise<RenderOrder> {
    const { meta, requireComplete, forceFinish, sessionId } = context.config;
    const session = sessionIdSchema.safeParse(sessionId?.trim() ? sessionId : context.run.chatId);
    if (!session.success) throw new Error('The sessionId of the render must have 1 to 256 plain characters.');
    const email = await this.emailOf(context);
    return {
      source: {
        type: 'inspection',
        sessionId: session.data,
        meta: metaOf(meta),
        requireComplete: isTrue(requireComplete),
        forceFinish: isTrue(forceFinish),
      },
      ...(email ? { email } : {}),
    };
  }

  private async emailOf(context: NodeContext<RenderConfig>): Promise<MailOrder | undefined> {
    const { email } = context.config;
    if (!email) return undefined;
    const written = [email.to].flat();
    const to = (await Promise.all(written.map((text) => context.fill(text)))).flatMap(listed);
    if (to.length === 0) return undefined;
    const parsed = emailSchema.safeParse({
      to,
      subject: email.subject && (await context.fill(email.subject)),
      text: email.text && (await context.fill(email.text)),
    });
    if (!parsed.success) throw new Error(`email: ${firstFaultOf(parsed.error)}.`);
    this.delivery.check(parsed.data, context.run.apiKeyId !== undefined || isAuthors(context, written));
    return parsed.data;
  }
}

/** Whether the recipients stand in the definition itself: neither a template nor the caller chose them. */
function isAuthors({ nodeId, run }: NodeContext<RenderConfig>, written: readonly string[]): boolean {
  const overrides = [...(run.nodeOverrides?.get(nodeId)?.keys() ?? [])];
  const overridden = overrides.some((path) => path === 'email' || path.startsWith('email.'));
  return !overridden && !written.some((text) => text.includes('{{'));
}

const callerOf = (
  { run, signal, progress }: NodeContext<RenderConfig>,
  effect: EffectPlace,
): RenderCaller => ({
  executionId: run.executionId,
  effect,
  flowIds: [run.flowId],
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
function metaOf(meta: RenderConfig['meta']): unknown {
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
