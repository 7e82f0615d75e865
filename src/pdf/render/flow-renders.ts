import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { jsonObject } from '../../api/flow-definition.js';
import type { NothingRendered, RenderedReport } from '../../api/reports.js';
import { parseJson } from '../../common/json/json-text.js';
import { InvalidRequest } from '../../common/service-error.js';
import type { EffectPlace } from '../../flows/engine/journal.js';
import type { Json } from '../../flows/engine/json.js';
import type { NodeEffects } from '../../flows/engine/node-effects.js';
import type { NodeContext } from '../../flows/engine/node-kind.js';
import { mayReadInRun } from '../../inspection/access/session-access.js';
import { numbersOf, withoutBlanks } from '../../inspection/details/details-setting.js';
import { isUnanswered, sessionIn } from '../../inspection/flow-settings.js';
import { META_MEMBERS, type MetaName, type MetaType } from '../../inspection/report/meta-members.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import { OF_A_CLAIM } from '../drawing/report-contents.js';
import { EditionSource } from '../sources/edition-source.js';
import { inspection } from '../templates/inspection/inspection-template.js';
import type { StoredReport } from '../vault/report-vault.js';
import { LONGEST_REASON } from './edition-request.js';
import { readRenderRequest, type RenderCaller, type RenderOrder } from './render-request.js';
import { RenderService } from './render.service.js';

/** Texts are templates, so a flag may arrive as "true". */
const flag = z.union([z.boolean(), z.string()]).optional();

/** The settings of a render in a flow, shared by its node and its tool. */
export const renderSettings = {
  meta: z
    .union([jsonObject, z.string()])
    .optional()
    .describe('What the report says: an object whose texts are templates, or a template that gives one.'),
  requireComplete: flag.describe('Renders nothing while areas are outstanding.'),
  forceFinish: flag.describe('Renders although areas are outstanding.'),
  preview: flag.describe(
    'Draws a draft, each page marked Draft, and claims nothing. Its file is available for an hour.',
  ),
  maxBytes: z
    .union([z.number(), z.string()])
    .optional()
    .describe('The most bytes of the file: its pictures are stepped down together until it fits.'),
  layout: z
    .string()
    .optional()
    .describe(
      '`compact` sets photographs that no observation cites three a row; absent: the layout of the flow’s `report`. An edition has that of its report.',
    ),
  edition: z
    .string()
    .optional()
    .describe(
      'The reason for a further edition: adds what is pending to the newest report of the inspection. Blank, or without such a report: a report of its own.',
    ),
  email: z
    .object({
      to: z.union([z.string(), z.array(z.string())]).describe('The recipients.'),
      subject: z.string().optional(),
      text: z.string().optional(),
    })
    .optional()
    .describe('Sends the report.'),
  sessionId: z.string().optional().describe('The inspection; absent: that of the chat.'),
};

export type RenderSettings = z.infer<z.ZodObject<typeof renderSettings>>;

type Surroundings = Pick<NodeContext<unknown>, 'nodeId' | 'run' | 'signal' | 'progress'>;

/** The order of a render in a flow. */
export interface FlowRenderOrder extends RenderOrder {
  /** The author of the flow chose the recipients, or the caller showed its key. */
  readonly trustsRecipients?: boolean;
}

/** The renders of flows' runs, as their node and tool use them. */
export type RendersInRun = Pick<FlowRenders, 'readOrder' | 'render'>;

/** Renders under the record and the fence of a flow's run, each as an effect of that run. */
@Injectable()
export class FlowRenders {
  constructor(
    private readonly renders: RenderService,
    private readonly delivery: ReportDelivery,
    private readonly editions: EditionSource,
  ) {}

  /**
   * Renders, or returns what an earlier attempt or a recording has. The run's flow decides which photographs it may use.
   * Throws for recipients who may get no mail.
   */
  render(
    { trustsRecipients = false, ...order }: FlowRenderOrder,
    around: Surroundings,
    effects: NodeEffects,
  ): Promise<RenderedReport | NothingRendered> {
    return effects.inside('render', async (place) => {
      if (order.email) this.delivery.check(order.email, trustsRecipients);
      const started = await this.renders.start(order, callerOf(around, place));
      return 'nothing' in started ? started.nothing : started.answer;
    });
  }

  /**
   * Reads settings as the body of a render. Their texts are filled already, except those of `email`, which `fill` fills.
   * Throws one sentence for all faults.
   */
  async readOrder(
    { sessionId, meta, email, ...settings }: RenderSettings,
    around: Surroundings,
    fill: (text: string) => Promise<string>,
  ): Promise<FlowRenderOrder> {
    const { maxBytes, layout, requireComplete, forceFinish, preview, edition } = settings;
    const mail = email && (await filledMail(email, fill));
    const session = sessionIn(sessionId, around.run.chatId);
    const details = readMeta(meta);
    const order = readBody({
      templateId: inspection.id,
      source: {
        type: inspection.id,
        sessionId: session,
        meta: details,
        requireComplete: isTrue(requireComplete),
        forceFinish: isTrue(forceFinish),
      },
      ...(mail ? { delivery: { email: mail } } : {}),
      preview: isTrue(preview),
      maxBytes: isBlank(maxBytes) ? null : Number(maxBytes),
      layout: isBlank(layout) ? null : layout?.trim(),
    });
    const trustsRecipients =
      around.run.apiKeyId !== undefined || isAuthored(around, [email?.to ?? []].flat());
    const reason = isBlank(edition) ? '' : edition!.trim();
    const replaced = reason === '' ? undefined : await this.editions.newestOf(session, around.run.flowId);
    const isEdition = replaced && !order.preview;
    const whole = isEdition ? editionOf(order, replaced, { reason, meta: details }) : order;
    return { ...whole, trustsRecipients };
  }
}

/** Turns the order of a report into that of an edition which adds what is pending, under the run's authority. */
function editionOf(
  { email, maxBytes }: RenderOrder,
  replaced: StoredReport,
  { reason, meta }: { reason: string; meta: unknown },
): RenderOrder {
  const most = maxBytes ?? replaced.maxBytes;
  return {
    source: OF_A_CLAIM,
    ...(email ? { email } : {}),
    ...(most === null ? {} : { maxBytes: most }),
    edition: {
      ...{ reportId: replaced.id, corrections: [], addPhotographs: true, onlyToAdd: true },
      meta: typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? meta : {},
      ...{ reason: reason.slice(0, LONGEST_REASON), by: 'chat', who: 'chat' },
    },
  };
}

function readBody(body: object): RenderOrder {
  try {
    return readRenderRequest(body);
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    throw new Error(`Nothing was rendered: ${error.summary}.`, { cause: error });
  }
}

/** Returns undefined if no recipient is left once the templates are filled. */
async function filledMail(
  { to, subject, text }: NonNullable<RenderSettings['email']>,
  fill: (text: string) => Promise<string>,
): Promise<object | undefined> {
  const recipients = (await Promise.all([to].flat().map(fill))).flatMap(splitList);
  if (recipients.length === 0) return undefined;
  return { to: recipients, subject: subject && (await fill(subject)), text: text && (await fill(text)) };
}

/** Checks that the flow's author wrote the recipients: neither a template nor an override by the caller chose them. */
function isAuthored({ nodeId, run }: Surroundings, written: readonly string[]): boolean {
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
  mayRead: async (flowIds) => mayReadInRun(run, flowIds),
  // Only the flow's own list of domains says which page the run serves.
  mayHearOf: async (flowIds) => flowIds.every((flowId) => flowId === run.flowId),
});

const isTrue = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && value.trim().toLowerCase() === 'true');

/** Returns true for an absent value, a blank text, and a reference without a value. */
const isBlank = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && (value.trim() === '' || isUnanswered(value.trim())));

/** Returns the items of a list that a template gave: a JSON array of texts, or items between commas. */
function splitList(text: string): string[] {
  const list = fromJson(text);
  const items = Array.isArray(list) ? list.map(String) : text.split(/[,;]/);
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** The types of members whose value is a text. */
const WORDS: ReadonlySet<MetaType> = new Set(['text', 'areas', 'report']);

/**
 * Reads members that are not texts from the texts that templates give, and texts from the numbers of references. Leaves out
 * references without a value.
 */
function readMeta(meta: RenderSettings['meta']): unknown {
  const object = typeof meta === 'string' ? fromJson(meta) : meta;
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return object;
  const typed = Object.entries(object).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'string' && isUnanswered(value.trim()) ? [] : [[name, readMember(name, value)]],
  );
  return Object.fromEntries(typed);
}

function readMember(name: string, value: unknown): unknown {
  const type: MetaType = META_MEMBERS[name as MetaName]?.type ?? 'text';
  if (WORDS.has(type)) return typeof value === 'number' ? String(value) : value;
  if (type === 'flag') return typeof value === 'string' ? fromJson(value.trim().toLowerCase()) : value;
  const read = typeof value === 'string' ? fromJson(value) : value;
  if (read === undefined || type === 'comments') return read;
  if (type === 'names' && typeof read === 'string') return read.split('\n');
  return type === 'coordinates' ? numbersOf(read as Json) : withoutBlanks(read as Json);
}

/** Returns the value of a JSON text, undefined for a blank, or the text itself if it is no JSON. */
function fromJson(text: string): unknown {
  if (isBlank(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
