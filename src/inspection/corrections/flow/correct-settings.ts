import { z } from 'zod';
import { checked } from '../../../common/bodies/valid-body.decorator.js';
import { factWords, type FactChange, factChangeIn } from '../../facts/fact-changes.js';
import { isUnanswered, sessionSetting } from '../../flow-settings.js';
import { type ChangeRequest, readChange, photographChange, remarkChange, rename } from '../change.js';
import type { Rename } from '../plan-rename.js';

/** Accepts a template, which is checked once it is filled, or a valid value. */
const orTemplate = <Value>(schema: z.ZodType<Value>) =>
  z.union([schema, z.string().regex(/\{\{/, 'must be such a value, or a template of one')]);

const MOST = 50;
const count = z.number().int().min(1).max(MOST);
const { area, areaType, withdrawn, turn, caption, reason } = photographChange.shape;
const { text } = remarkChange.shape;

/** The members of a correction in a flow, of its node and of its tool. */
export const correctSettings = {
  target: z
    .string()
    .max(400)
    .nullish()
    .describe(
      '`last`, `last-batch`, `last-remark`, `last-observation`, `last-reading`, `last-keys`, `last-alarm`, or the id of a photograph, remark or fact; a template. Absent: `last`.',
    ),
  count: orTemplate(count)
    .nullish()
    .describe(
      'With `last`, the number of newest photographs; with `undo`, the number of executions. 1 to 50.',
    ),
  area: orTemplate(area).nullish().describe('The area that it belongs to.'),
  areaType: orTemplate(areaType).nullish().describe('room, external or service.'),
  withdrawn: orTemplate(withdrawn).nullish().describe('`true` withdraws it, `false` restores it.'),
  turn: orTemplate(turn).nullish().describe('90, 180 or 270 degrees clockwise.'),
  caption: caption.describe('Printed under it.'),
  text: text.describe('The new text of a remark.'),
  fact: z
    .object(factWords)
    .nullish()
    .describe(
      'The members of a fact that change, such as `{ "value": "04713" }` of a reading; templates. The others stay.',
    ),
  reason: reason.describe('Stored with the correction.'),
  undo: orTemplate(z.boolean())
    .nullish()
    .describe('`true` takes back what the latest execution recorded or corrected.'),
  list: orTemplate(z.boolean())
    .nullish()
    .describe(
      '`true` corrects nothing and lists the newest fifty things that no report has claimed, newest first.',
    ),
  rename: z
    .object({ from: orTemplate(rename.shape.from), to: orTemplate(rename.shape.to) })
    .nullish()
    .describe('Renames an area.'),
  sessionId: sessionSetting,
};

export type CorrectSettings = z.infer<z.ZodObject<typeof correctSettings>>;

/** A correction requested by a flow. */
export type CorrectionRequest =
  | { list: true; reason?: string }
  | { undo: true; count: number; reason?: string }
  | { rename: Rename; reason?: string }
  | (ChangeRequest & { target: string; count: number });

/** Reads settings with filled texts; empty ones count as absent. Throws 400 for faults. */
export function readCorrectionSettings(settings: CorrectSettings): CorrectionRequest {
  const why = textOf(settings.reason);
  const because = why === undefined ? {} : { reason: checked(z.object({ reason }), { reason: why }).reason! };
  const many = checked(z.object({ count: count.optional() }), { count: valueOf(settings.count) });
  if (valueOf(settings.list) === true) return { list: true };
  if (valueOf(settings.undo) === true) return { undo: true, count: many.count ?? 1, ...because };
  if (settings.rename) return { rename: checked(rename, settings.rename), ...because };
  const sent = {
    area: textOf(settings.area),
    areaType: textOf(settings.areaType),
    withdrawn: valueOf(settings.withdrawn),
    turn: valueOf(settings.turn),
    caption: isUnanswered(settings.caption?.trim() ?? '') ? undefined : settings.caption,
    text: textOf(settings.text),
    reason: why,
  };
  const members = checked(z.object({ ...photographChange.shape, text }), sent);
  return {
    ...readChange(members, factIn(settings.fact)),
    target: textOf(settings.target) ?? 'last',
    count: many.count ?? 1,
  };
}

/** Returns the words of a fact that were filled in. */
function factIn(fact: CorrectSettings['fact']): FactChange {
  const sent = Object.entries(fact ?? {}).map(([name, word]) => [
    name,
    typeof word === 'string' ? textOf(word) : word,
  ]);
  return factChangeIn(Object.fromEntries(sent) as FactChange);
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || isUnanswered(text) ? undefined : text;
}

/** Converts a number or `true` that a template has filled in as text. */
function valueOf(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  const text = textOf(value);
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,6}$/.test(text) ? Number(text) : text;
}
