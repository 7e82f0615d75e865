import type { AppConfig } from '../../common/app-config.js';
import { declareBudget } from '../../common/budgets/budget.js';
import { defaults } from '../../common/environment.js';
import { ServiceError } from '../../common/service-error.js';
import type { SqlReader } from '../../database/tx.js';
import type { Rejection } from './capture-command.js';

const MEGABYTE = 1024 * 1024;

const FULL = '409 session_full';
const UNCLAIMED = 'a report is built in memory; the next one frees the session';
declareBudget({
  name: 'text of a session (remarks, captions, observations, details)',
  unit: 'bytes',
  owner: 'session',
  share: defaults.MAX_SESSION_TEXT_MB * MEGABYTE,
  variable: 'MAX_SESSION_TEXT_MB',
  beyond: FULL,
  reason: `A thousand photographs with a caption of 200 characters, each area described at length, take a fifth: ${UNCLAIMED}.`,
});
declareBudget({
  name: 'facts of a session (observations, readings, keys, alarms)',
  unit: 'rows',
  owner: 'session',
  share: defaults.MAX_SESSION_FACTS,
  variable: 'MAX_SESSION_FACTS',
  beyond: FULL,
  reason: `A large house has some 500: ${UNCLAIMED}.`,
});
declareBudget({
  name: 'remarks of a session',
  unit: 'rows',
  owner: 'session',
  share: defaults.MAX_SESSION_REMARKS,
  variable: 'MAX_SESSION_REMARKS',
  beyond: FULL,
  reason: `Two for each of a thousand photographs: ${UNCLAIMED}.`,
});
declareBudget({
  name: 'areas of a session',
  unit: 'rows',
  owner: 'session',
  share: defaults.MAX_SESSION_AREAS,
  variable: 'MAX_SESSION_AREAS',
  beyond: FULL,
  reason: 'Every answer of a capture lists them.',
});
declareBudget({
  name: 'photographs of a session',
  unit: 'rows',
  owner: 'session',
  share: defaults.MAX_SESSION_PHOTOGRAPHS,
  variable: 'MAX_SESSION_PHOTOGRAPHS',
  beyond: 'rejected[] with session_full',
  reason: 'Five times the largest inspection that is promised.',
});

/** The limits on unclaimed records of a session. */
export type SessionLimits = Pick<
  AppConfig,
  'maxSessionTextMb' | 'maxSessionFacts' | 'maxSessionRemarks' | 'maxSessionAreas' | 'maxSessionPhotographs'
>;

/** Amounts of records. */
interface Amounts {
  textBytes: number;
  facts: number;
  remarks: number;
  photographs: number;
}

/** The amounts of unclaimed records in a session. */
export interface SessionUse extends Amounts {
  areas: ReadonlySet<string>;
  /** Withdrawn records, which the next report does not print but lists as evidence. */
  withdrawn: Readonly<Amounts>;
}

type Counted = Exclude<keyof Amounts, 'textBytes'>;

const IS_WITHDRAWN = 'CASE WHEN withdrawn_at IS NULL THEN 0 ELSE 1 END';

const counting = (table: Counted, text: string): string =>
  `SELECT '${table}' AS kind, area_key, ${IS_WITHDRAWN} AS withdrawn, COUNT(*) AS count,
          SUM(COALESCE(OCTET_LENGTH(${text}), 0)) AS bytes
   FROM ${table} WHERE session_id = ? AND flow_id = ? AND claim_id IS NULL GROUP BY area_key, ${IS_WITHDRAWN}`;

const USE = `${counting('photographs', 'caption')} UNION ALL ${counting('remarks', 'text')}
  UNION ALL ${counting('facts', 'words')}
  UNION ALL SELECT 'details', '', 0, 0, OCTET_LENGTH(details) FROM inspection_details WHERE session_id = ? AND flow_id = ?`;

interface UseRow {
  kind: Counted | 'details';
  area_key: string;
  withdrawn: number;
  count: number;
  bytes: number | null;
}

const nothing = (): Amounts => ({ textBytes: 0, facts: 0, remarks: 0, photographs: 0 });

/** Reads the amounts of unclaimed records of a session. */
export async function sessionUse(
  reader: SqlReader,
  { flowId, sessionId }: { flowId: string; sessionId: string },
): Promise<SessionUse> {
  const rows = await reader.all<UseRow>(USE, Array.from({ length: 4 }, () => [sessionId, flowId]).flat());
  const [held, withdrawn] = [nothing(), nothing()];
  const areas = new Set<string>();
  for (const { kind, area_key: area, withdrawn: isWithdrawn, count, bytes } of rows) {
    const amounts = Number(isWithdrawn) === 1 ? withdrawn : held;
    amounts.textBytes += Number(bytes ?? 0);
    if (kind === 'details') continue;
    amounts[kind] += Number(count);
    if (amounts === held) areas.add(area);
  }
  return { ...held, areas, withdrawn };
}

/** 409: the session has reached a limit and needs its report first; `remedy` is what else frees it. */
class SessionFull extends ServiceError {
  constructor(limit: string, variable: string, remedy = 'withdraw some') {
    super(
      'session_full',
      `This inspection would hold more than ${limit} (${variable}) that no report has. Make its report, or ${remedy}, then send this again.`,
    );
  }
}

/** Returns the number of photographs that a session may still take. Withdrawn ones have a limit of their own, as high. */
export const remainingPhotographs = (
  { maxSessionPhotographs: most }: SessionLimits,
  { photographs, withdrawn }: SessionUse,
): number => Math.max(0, withdrawn.photographs >= most ? 0 : most - photographs);

/**
 * Returns the refusal if a session would exceed a limit; `remainingPhotographs` limits photographs. The same limits apply
 * once more to withdrawn records.
 */
export function refusalOfFull(limits: SessionLimits, use: SessionUse): SessionFull | undefined {
  const { maxSessionTextMb, maxSessionFacts, maxSessionRemarks, maxSessionAreas } = limits;
  for (const [amounts, which, remedy] of [
    [use, '', 'withdraw some'],
    [use.withdrawn, 'withdrawn ', 'restore some'],
  ] as const) {
    if (amounts.textBytes > maxSessionTextMb * MEGABYTE)
      return new SessionFull(`${maxSessionTextMb} MB of ${which}text`, 'MAX_SESSION_TEXT_MB', remedy);
    if (amounts.facts > maxSessionFacts)
      return new SessionFull(`${maxSessionFacts} ${which}facts`, 'MAX_SESSION_FACTS', remedy);
    if (amounts.remarks > maxSessionRemarks)
      return new SessionFull(`${maxSessionRemarks} ${which}remarks`, 'MAX_SESSION_REMARKS', remedy);
  }
  if (use.areas.size > maxSessionAreas)
    return new SessionFull(`${maxSessionAreas} areas`, 'MAX_SESSION_AREAS');
  return undefined;
}

/** The rejection of a photograph beyond the limit of a session. */
export const tooManyOfSession = ({ maxSessionPhotographs }: SessionLimits, index: number): Rejection => ({
  index,
  code: 'session_full',
  message: `This inspection has the ${maxSessionPhotographs} photographs that one may (MAX_SESSION_PHOTOGRAPHS). Make its report, then send this one again.`,
});
