import { z } from 'zod';
import { withoutAbsent } from '../../common/bodies/absent-members.js';
import { checked } from '../../common/bodies/valid-body.decorator.js';
import { runKey, type WriteKey } from '../../database/writes/write-keys.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import type { JournalPlace } from '../../executions/calls/effect-journal.js';
import { delivery } from '../delivery/delivery-schema.js';
import type { MailOrder } from '../delivery/mail-outbox.js';
import type { RenderProgress } from '../renderer/render-job.js';
import type { SourceCaller } from '../sources/report-source.js';
import type { SourceOrder } from '../sources/source-finder.js';
import { TEMPLATES } from '../templates.js';
import type { ListedTemplate } from '../templates/template.js';

/** The request for a render, from HTTP or from a flow. */
export interface RenderOrder extends SourceOrder {
  email?: MailOrder;
  /** Draws and answers as if, and claims nothing. */
  preview?: true;
  /** The pictures are made smaller, down to a limit, until the file has no more bytes. */
  maxBytes?: number;
}

/** Who renders: a call with a record of its own, or a flow's run. */
export interface RenderCaller extends SourceCaller {
  /** Of a call: its record is opened with the claim and ended with the report. */
  readonly context?: CallContext;
  /** Of a node: the effect of its run that the render is. */
  readonly effect?: JournalPlace;
  /** `scheme://host` for links. */
  readonly origin: string;
  /** The caller wants 202 and comes back for the answer. */
  readonly respondAsync: boolean;
  /** Stops the render with the call or run that it belongs to. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RenderProgress) => void;
  /** Whether the caller may read reports of these flows. */
  mayRead(flowIds: readonly string[]): Promise<boolean>;
  /** Whether the caller may learn that reports of these flows exist: not on a page that one of their lists refuses. */
  mayHearOf(flowIds: readonly string[]): Promise<boolean>;
}

/** The run that the render is an effect of. */
export const runOf = ({ effect }: RenderCaller): WriteKey[] => (effect ? [runKey(effect.runId)] : []);

const LEAST = 10_000;
const MOST = 2_000_000_000;
const RULE = `must be a whole number from ${LEAST} to ${MOST}`;

/** `maxBytes` of a render: a size of file in bytes. */
export const maxBytes = z
  .int({ error: RULE, abort: true })
  .min(LEAST, RULE)
  .max(MOST, RULE)
  .nullish()
  .describe(
    'The most bytes that the file may have. The pictures are stepped down together until it fits, never below 1,000 pixels of the long side or JPEG quality 60; where it does not fit then, the report is made all the same and the warning `max_bytes_exceeded` says by how much it does not.',
  );

/** Of a text, which a template may have given: throws with a sentence. Blank is none. */
export function maxBytesOf(value: number | string | undefined): number | undefined {
  const text = typeof value === 'string' ? value.trim() : value;
  if (text === undefined || text === '') return undefined;
  const read = maxBytes.safeParse(Number(text));
  if (read.success) return read.data ?? undefined;
  throw new Error(`The maxBytes of the render ${RULE}.`);
}

const preview = z
  .boolean()
  .nullish()
  .describe(
    'Answers and draws as if: each page is marked `Draft`, nothing is claimed, nothing is mailed, no report is kept. The file’s address lives an hour. For the flow’s key, the admin key, and on an open flow whoever knows a `sessionId` that is a version 4 UUID; name the `flowId` where several flows have the session.',
  );

const requestOf = ({ id, schema }: ListedTemplate) =>
  z.object({ templateId: z.literal(id), source: schema, delivery, preview, maxBytes });

const [first, ...others] = TEMPLATES;
const names = TEMPLATES.map(({ id }) => `"${id}"`).join(', ');

/** The body of a render. */
export const renderRequestSchema = z.discriminatedUnion(
  'templateId',
  [requestOf(first), ...others.map(requestOf)],
  { error: ({ code }) => (code === 'invalid_union' ? `must be one of ${names}` : undefined) },
);

/** Checks the body of a render; 400 `invalid_request` with each fault's path. */
export function readRenderRequest(body: unknown): RenderOrder {
  const given = withoutAbsentIn(body);
  const { source, delivery: asked, preview: draft, maxBytes: most } = checked(renderRequestSchema, given);
  return {
    source,
    ...(asked?.email ? { email: asked.email } : {}),
    ...(draft === true ? { preview: true } : {}),
    ...(typeof most === 'number' ? { maxBytes: most } : {}),
  };
}

/** `meta` and `sessionId` stand in `source`. */
function withoutAbsentIn(body: unknown): unknown {
  const given = withoutAbsent(body);
  if (typeof given !== 'object' || given === null || !('source' in given)) return given;
  return { ...given, source: withoutAbsent(given.source) };
}
