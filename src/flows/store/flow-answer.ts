import type { Response } from 'express';
import { z } from 'zod';
import type { FlowDraftView, FlowVersionView, FlowView, SavedFlow, VersionSummary } from '../../api/flows.js';
import { isoTime } from '../../common/iso-time.js';
import { faultsOf } from '../../common/plain-faults.js';
import { NotFound, ServiceError } from '../../common/service-error.js';
import type { Warning } from '../../common/warnings.js';
import type { FlowContent } from '../definition/flow-definition.js';
import type { DraftWrite } from './flow-drafts.js';
import type { StoredFlow } from './flow-store.js';
import type { FlowDraftEntity, FlowEntity, FlowVersionEntity } from './flow.entity.js';
import { flowTag } from './if-match.js';
import { type DraftOutcome, invalidFlow } from './save-checks.js';
import { withMaskedSettings } from './sealed-settings.js';

/** Returns a stored flow for admin routes: the definition, and facts of the store that a PUT ignores. */
export const flowAnswer = (
  { flow, createdAt, updatedAt }: Pick<StoredFlow, 'flow' | 'createdAt' | 'updatedAt'>,
  draft: boolean,
): FlowView => ({
  ...withMaskedSettings(flow.definition),
  id: flow.id,
  price: flow.price,
  account: flow.account,
  access: flow.access,
  version: flow.version as number,
  draft,
  revision: flow.revision,
  isStreaming: flow.streamable,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});

export const saved = (answer: FlowView, warnings: readonly Warning[]): SavedFlow => ({
  ...answer,
  ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
});

/** Sends the revision with a flow's answer, for `If-Match` (contract section 2). */
export function tagged<Answer extends FlowView>(response: Response, answer: Answer): Answer {
  response.setHeader('ETag', flowTag(answer.revision, answer.draft));
  return answer;
}

/** Returns a draft for admin routes, with what an author has to correct before it can be published. */
export function draftAnswer(
  response: Response,
  draft: FlowDraftEntity,
  { errors, warnings, isStreaming }: Omit<DraftOutcome, 'content'>,
): FlowDraftView {
  response.setHeader('ETag', `"${draft.revision}"`);
  return {
    ...withMaskedSettings(JSON.parse(draft.definition) as Partial<FlowContent>),
    id: draft.flowId,
    revision: draft.revision,
    basedOn: draft.basedOn,
    by: draft.author,
    updatedAt: isoTime(draft.updatedAt),
    isStreaming,
    errors,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

export const versionSummaryOf = ({
  version,
  name,
  note,
  author,
  publishedAt,
}: Omit<FlowVersionEntity, 'definition'>): VersionSummary => ({
  version,
  ...(name === null ? {} : { name }),
  ...(note === null ? {} : { note }),
  publishedAt: isoTime(publishedAt),
  by: author,
});

export const versionAnswer = (row: FlowVersionEntity): FlowVersionView => ({
  ...versionSummaryOf(row),
  ...withMaskedSettings(JSON.parse(row.definition) as FlowContent),
});

export function found(stored: StoredFlow | undefined): StoredFlow {
  if (!stored) throw new NotFound('A flow with this id');
  return stored;
}

const MISSING = {
  flow: 'A flow with this id',
  draft: 'A draft of this flow',
  version: 'This version of the flow',
};

/** Returns what a write to a draft has done. Throws 404 for what is missing, and 412 `flow_changed`. */
export function doneBy<Done>(write: DraftWrite<Done>): Done {
  if ('done' in write) return write.done;
  if ('missing' in write) throw new NotFound(MISSING[write.missing]);
  throw changed(write.changed);
}

const changed = (now: FlowDraftEntity | FlowEntity): ServiceError =>
  'flowId' in now ? changedDraft(now) : changedSince(now);

/** Returns 412 with who saved the draft, and when. */
export const changedDraft = ({ author: by, updatedAt, revision }: FlowDraftEntity): ServiceError =>
  flowChanged(`The draft was saved by ${by} at ${isoTime(updatedAt)}.`, {
    ...{ revision, by, updatedAt: isoTime(updatedAt), draft: true },
  });

/** Returns 412 with the published version. */
export const changedFlow = ({ flow: { revision, version }, updatedAt }: StoredFlow): ServiceError =>
  changedSince({ revision, version: version as number, updatedAt });

const changedSince = ({
  version,
  revision,
  updatedAt,
}: Pick<FlowEntity, 'version' | 'revision' | 'updatedAt'>) =>
  flowChanged(`The flow was changed at ${isoTime(updatedAt)}; version ${version} is published.`, {
    ...{ revision, version, updatedAt: isoTime(updatedAt), draft: false },
  });

/** Returns 412; `current` describes what the call would have overwritten. */
const flowChanged = (what: string, current: object): ServiceError =>
  new ServiceError(
    'flow_changed',
    `${what} Read it again, and send the call with the revision that it has now.`,
    { members: { current } },
  );

const author = z.object({ author: z.string().trim().max(200).optional() });

/** Returns the `author` in the body of a save. Throws 400 if it is not a short text. */
export function authorIn(body: unknown): string | undefined {
  const isMembers = typeof body === 'object' && body !== null && !Array.isArray(body);
  const parsed = author.safeParse(isMembers ? body : {});
  if (!parsed.success) throw invalidFlow(faultsOf(parsed.error));
  return parsed.data.author || undefined;
}
