import { z } from 'zod';
import { LAYOUTS } from '../../api/report-terms.js';
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
  /** Draws a draft and claims nothing. */
  preview?: true;
  /** The most bytes of the file. Its pictures are made smaller, down to a limit, until it fits. */
  maxBytes?: number;
}

/** The caller of a render: a call with a record of its own, or a flow's run. */
export interface RenderCaller extends SourceCaller {
  /** The call, whose record is opened with the claim and ended with the report. */
  readonly context?: CallContext;
  /** The place of this render in the journal of a flow's run. */
  readonly effect?: JournalPlace;
  /** `scheme://host` for links. */
  readonly origin: string;
  /** The caller is answered 202 and polls for the result. */
  readonly respondAsync: boolean;
  /** Aborts the render with the call or run that it belongs to. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RenderProgress) => void;
  /** Resolves to false on a page that a domain list of these flows refuses: the caller may not learn of their reports. */
  mayHearOf(flowIds: readonly string[]): Promise<boolean>;
}

/** Returns the write key of the run that the render is an effect of. */
export const runOf = ({ effect }: RenderCaller): WriteKey[] => (effect ? [runKey(effect.runId)] : []);

const LEAST = 1;
const MOST = 2_000_000_000;
const RULE = `must be a whole number from ${LEAST} to ${MOST}`;

/** `maxBytes` of a render. */
export const maxBytes = z
  .int({ error: RULE, abort: true })
  .min(LEAST, RULE)
  .max(MOST, RULE)
  .nullish()
  .describe(
    'The most bytes that the file may have. The pictures are stepped down together until it fits, never below 800 pixels of the long side or JPEG quality 60. If it does not fit even then, the report is made and the warning `max_bytes_exceeded` says by how much it is too large.',
  );

const layout = z
  .enum(LAYOUTS, `must be ${LAYOUTS.join(' or ')}`)
  .nullish()
  .describe(
    '`compact` sets photographs that no observation cites three a row; absent: the layout of the flow’s `report`, else `standard`.',
  );

const preview = z
  .boolean()
  .nullish()
  .describe(
    'Draws a draft: each page is marked `Draft`, nothing is claimed, nothing is mailed, no report is stored. The file’s address works for an hour. For the flow’s key, the admin key, and on an open flow whoever knows a `sessionId` that is a version 4 UUID; name the `flowId` if several flows have the session.',
  );

const requestOf = ({ id, schema }: ListedTemplate) =>
  z.object({ templateId: z.literal(id), source: schema, delivery, preview, maxBytes, layout });

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
  const { source, delivery: sent, preview: draft, ...more } = checked(renderRequestSchema, given);
  return {
    source,
    ...(sent?.email ? { email: sent.email } : {}),
    ...(draft === true ? { preview: true } : {}),
    ...(typeof more.maxBytes === 'number' ? { maxBytes: more.maxBytes } : {}),
    ...(more.layout ? { layout: more.layout } : {}),
  };
}

/** Removes absent members of the body and of its `source`, which holds `meta` and `sessionId`. */
function withoutAbsentIn(body: unknown): unknown {
  const given = withoutAbsent(body);
  if (typeof given !== 'object' || given === null || !('source' in given)) return given;
  return { ...given, source: withoutAbsent(given.source) };
}
