import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../common/clock.js';
import { parseJson } from '../common/json-text.js';
import { EffectJournal } from '../executions/calls/effect-journal.js';
import { fence } from '../executions/calls/run-fence.js';
import type { Json } from '../flows/engine/json.js';
import type { NodeContext, NodeKind, NodeResult, Upload } from '../flows/engine/node-kind.js';
import { NodeKindRegistry } from '../flows/nodes/node-kind-registry.js';
import { readCaptureBody } from './capture/capture-body.js';
import type { PhotographContent, SentPhotograph } from './capture/capture-command.js';
import { CaptureService } from './capture.service.js';
import { sniffPicture } from './photos/picture-format.js';

const text = z.union([z.string(), z.number()]).nullish();

const config = z
  .object({
    area: text.describe('The area that the photographs show; absent: the current one.'),
    areaType: z.string().nullish().describe('room, external or service.'),
    remark: text.describe('A comment on the area.'),
    captureTs: text.describe('When they were taken.'),
    messageId: text.describe('Photographs of a message that came twice are recorded once.'),
    skippedAreas: text.describe('Areas that are not outstanding, as in the report’s meta.'),
    photographs: z
      .union([z.string(), z.array(z.json())])
      .nullish()
      .describe('A list of photographs, or a template that gives one; absent: the pictures of the message.'),
    sessionId: z.string().nullish().describe('The inspection; absent: that of the chat.'),
  })
  .describe('Records photographs, an area or a remark in the chat’s inspection.');

type CaptureConfig = z.infer<typeof config>;

/**
 * The node kind `capture` (contract section 9): records the message's photographs, and a remark or an area where the
 * flow gives them, in the chat's inspection. Its output is the capture's answer. What cannot be used is listed in it
 * as `rejected` and never fails the run, and a message without anything to record changes nothing.
 */
@Injectable()
export class CaptureNode implements NodeKind<CaptureConfig>, OnModuleInit {
  readonly kind = 'capture';
  readonly config = config;
  readonly streams = false;
  readonly leafText = 'json';
  /** Filled here, because filling keeps the type of a list only where the whole text is one reference. */
  readonly rawTexts = ['photographs'];

  constructor(
    private readonly registry: NodeKindRegistry,
    private readonly captures: CaptureService,
    private readonly clock: Clock,
    private readonly journal: EffectJournal,
  ) {}

  onModuleInit(): void {
    this.registry.register(this);
  }

  readonly run = async (context: NodeContext<CaptureConfig>): Promise<NodeResult> => {
    const { run, signal } = context;
    const receivedAt = this.clock.now();
    const items = await listOf(context);
    const fields = { ...givenTexts(context.config), sessionId: sessionOf(context), photographs: items ?? [] };
    const body = readCaptureBody(fields, [], { mayBeEmpty: true });
    const photographs = items === undefined ? run.uploads.flatMap(sentPhotograph) : body.photographs;
    const command = {
      ...body,
      photographs,
      executionId: run.executionId,
      flowId: run.flowId,
      receivedAt,
      signal,
      ...(run.caller === undefined ? {} : { who: run.caller }),
      neverRefuse: true,
    };
    const answer = await context.effects.inside('capture', (place) =>
      this.captures.capture(command, {
        opening: (tx) => fence(tx, place),
        closing: (tx, recorded) => this.journal.write(tx, place, 'capture', recorded),
      }),
    );
    context.warn(...answer.warnings);
    return {
      output: answer as unknown as Json,
      traceInput: { ...givenTexts(context.config), photographs: photographs.length },
    };
  };
}

/** The texts that came to something; a reference that nothing answers stays as written and counts as absent. */
function givenTexts({
  area,
  areaType,
  remark,
  captureTs,
  messageId,
  skippedAreas,
}: CaptureConfig): Record<string, string> {
  const texts = Object.entries({ area, areaType, remark, captureTs, messageId, skippedAreas }).map(
    ([name, value]): [string, string] => [name, String(value ?? '').trim()],
  );
  return Object.fromEntries(texts.filter(([, value]) => value !== '' && !isUnanswered(value)));
}

const isUnanswered = (value: string): boolean => /^\{\{[^{}]{1,200}\}\}$/.test(value);

const sessionOf = ({ config: { sessionId }, run }: NodeContext<CaptureConfig>): string => {
  const given = sessionId?.trim() ?? '';
  return given === '' || isUnanswered(given) ? run.chatId : given;
};

/** The photographs that the flow names; undefined when it leaves that to the message's uploads. */
async function listOf(context: NodeContext<CaptureConfig>): Promise<Json[] | undefined> {
  const { photographs } = context.config;
  if (photographs === undefined || photographs === null || photographs === '') return undefined;
  const filled = await fillDeep(photographs, context);
  const value = typeof filled === 'string' ? fromText(filled) : filled;
  if (value === null || value === '') return [];
  return Array.isArray(value) ? value : [value];
}

async function fillDeep(value: Json, context: NodeContext<CaptureConfig>): Promise<Json> {
  if (typeof value === 'string') return context.value(value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => fillDeep(item, context)));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(async ([name, member]): Promise<[string, Json]> => [
    name,
    await fillDeep(member, context),
  ]);
  return Object.fromEntries(await Promise.all(members));
}

/** JSON where it is that, else one photograph's address or data. */
function fromText(filled: string): Json {
  const trimmed = filled.trim();
  if (isUnanswered(trimmed)) return [];
  if (!/^[[{"]/.test(trimmed)) return trimmed;
  return parseJson(trimmed) as Json;
}

/** A stored file that comes again (its answer was lost, the run failed after it) is the photograph that it was. */
function sentPhotograph(upload: Upload): SentPhotograph[] {
  const content = contentOf(upload);
  if (content === undefined) return [];
  const { name, stored } = upload;
  return [
    { content, ...(name === '' ? {} : { name }), ...(stored === undefined ? {} : { messageId: stored }) },
  ];
}

/** Pictures by their bytes, whatever a phone calls them; addresses by what their sender calls them. */
function contentOf({ type, mime, bytes, url }: Upload): PhotographContent | undefined {
  if (type === 'audio' || type === 'file:full' || type === 'file:rag') return undefined;
  const saysPicture = mime.toLowerCase().startsWith('image/');
  if (bytes !== undefined)
    return saysPicture || sniffPicture(bytes) !== undefined ? { kind: 'bytes', bytes } : undefined;
  return url !== undefined && (saysPicture || mime === '') ? { kind: 'url', url } : undefined;
}
