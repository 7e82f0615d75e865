import { z } from 'zod';
import { checked } from '../../common/bodies/valid-body.decorator.js';
import type { EditionCorrection } from '../../inspection/claims/edition-corrections.js';
import {
  readChange,
  factChange,
  photographChange,
  remarkChange,
} from '../../inspection/corrections/change.js';
import type { SubjectKind } from '../../inspection/corrections/subject.js';
import { factChangeIn } from '../../inspection/facts/fact-changes.js';
import { delivery } from '../delivery/delivery-schema.js';
import type { MailOrder } from '../delivery/mail-outbox.js';
import type { EditionRequest } from '../sources/edition-source.js';
import { maxBytes } from './render-request.js';

const MOST_CORRECTIONS = 500;
const MOST_ADDED = 10_000;
/** Characters of the reason for an edition. */
export const LONGEST_REASON = 1_000;
const KINDS: readonly SubjectKind[] = ['photograph', 'remark', 'fact'];
const CHANGES = { photograph: photographChange, remark: remarkChange, fact: factChange };

const id = (what: string) => z.string().nullish().describe(`The ${what} to correct.`);

const correction = z
  .object({
    photographId: id('photograph'),
    remarkId: id('remark'),
    factId: id('fact'),
    ...factChange.shape,
    ...remarkChange.shape,
    ...photographChange.shape,
  })
  .refine(
    (sent) => KINDS.filter((kind) => sent[`${kind}Id`]).length === 1,
    'must name one of photographId, remarkId and factId',
  );

/** The body of a further edition. */
export const editionRequestSchema = z.object({
  meta: z
    .record(z.string(), z.unknown(), 'must be an object')
    .nullish()
    .describe('Members of `meta` that replace those of the earlier edition; `null` leaves one blank.'),
  corrections: z
    .array(correction)
    .max(MOST_CORRECTIONS, `may have at most ${MOST_CORRECTIONS} items`)
    .nullish()
    .describe('Corrections of records of this report, one for each record.'),
  addPhotographs: z
    .union([z.boolean(), z.array(z.string()).max(MOST_ADDED, `may have at most ${MOST_ADDED} items`)], {
      error: 'must be true, or a list of ids of photographs',
    })
    .nullish()
    .describe(
      'Adds pending photographs of the session, with the remarks and facts recorded since: `true` all that the caller may use, or those with these ids. If none is pending, the edition is made with the warning `nothing_pending`.',
    ),
  reason: z
    .string()
    .trim()
    .min(1, 'must say why there is a new edition')
    .max(LONGEST_REASON, `must have at most ${LONGEST_REASON} characters`)
    .describe('The reason for the new edition, stored with it and with its corrections.'),
  delivery,
  maxBytes: maxBytes.describe(
    'The limit of a render. If it is left out, that of the replaced edition applies; `null` is none.',
  ),
});

/** Checks the body; 400 `invalid_request` with each fault's path. */
export function readEditionRequest(body: unknown): Pick<
  EditionRequest,
  'meta' | 'corrections' | 'addPhotographs' | 'reason'
> & {
  email?: MailOrder;
  /** Undefined for the limit of the replaced edition. */
  maxBytes: number | null | undefined;
} {
  const read = checked(editionRequestSchema, body);
  const { meta, corrections, addPhotographs, reason, delivery: sent, maxBytes: most } = read;
  return {
    meta: meta ?? {},
    corrections: (corrections ?? []).map((each, place) =>
      readCorrectionSettings(each, `corrections.${place}`, reason),
    ),
    ...(addPhotographs ? { addPhotographs } : {}),
    reason,
    ...(sent?.email ? { email: sent.email } : {}),
    maxBytes: most,
  };
}

function readCorrectionSettings(
  sent: z.infer<typeof correction>,
  path: string,
  reason: string,
): EditionCorrection {
  const kind = KINDS.find((each) => sent[`${each}Id`])!;
  const members = Object.keys(CHANGES[kind].shape);
  const own = Object.fromEntries(Object.entries(sent).filter(([name]) => members.includes(name)));
  const read = readChange(own, kind === 'fact' ? factChangeIn(own) : {}, path);
  return { path, kind, id: sent[`${kind}Id`]!, change: read.change, reason: read.reason ?? reason };
}
