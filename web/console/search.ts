import {
  EXECUTION_KINDS,
  EXECUTION_STATUSES,
  type ExecutionKind,
  type ExecutionStatus,
} from '../../src/api/execution-terms.js';
import type { FlowVersionName } from '../../src/api/flow-terms.js';

/** The filters of the executions list in its URL. Invalid ones are dropped. */
export interface ExecutionsSearch {
  chatId?: string;
  flowId?: string;
  kind?: ExecutionKind;
  status?: ExecutionStatus;
  httpStatus?: number;
  code?: string;
  address?: string;
  minDurationMs?: number;
  /** ISO 8601. */
  from?: string;
  to?: string;
  q?: string;
  /** The longest first; absent for the newest first. */
  sort?: 'duration';
}

export interface SessionsSearch {
  flowId?: string;
  /** Part of the address, postcode, inspector or session id. */
  q?: string;
  /** The dialog for a new inspection is open. */
  begin?: 'yes';
}

const SESSION_TABS = ['photographs', 'add', 'report'] as const;
export type SessionTab = (typeof SESSION_TABS)[number];

export interface SessionSearch {
  flowId?: string;
  tab?: SessionTab;
}

export interface CreditSearch {
  account?: string;
  /** The top-up dialog is open. */
  topUp?: 'yes';
  /** Credits that the dialog proposes. */
  amount?: number;
}

export interface LimitsSearch {
  /** The id of the flow whose access is being edited. */
  edit?: string;
  /** A domain that the form adds to the allowed ones. */
  domain?: string;
}

export interface VersionsSearch {
  /** The version that is shown. */
  show?: FlowVersionName;
  /** The version that it is compared with; the published one when absent. */
  against?: FlowVersionName;
}

export interface FlowSearch {
  /** The id of the node at which the definition opens. */
  node?: string;
}

export interface CasesSearch {
  /** The id of the run whose results are shown. */
  run?: string;
  /** The version to run against; absent for the published one. */
  version?: 'draft';
}

const VISITORS_TABS = ['feedback', 'leads'] as const;
export type VisitorsTab = (typeof VISITORS_TABS)[number];

export interface VisitorsSearch {
  tab?: VisitorsTab;
}

type Raw = Readonly<Record<string, unknown>>;

/** Reads the filters from a URL. Never throws, since URLs can be typed or cut off. */
export function readExecutionsSearch(raw: Raw): ExecutionsSearch {
  const httpStatus = textIn(raw, 'httpStatus', 3) ?? '';
  return given({
    chatId: textIn(raw, 'chatId', 256),
    flowId: textIn(raw, 'flowId', 256),
    kind: EXECUTION_KINDS.find((kind) => kind === raw['kind']),
    status: EXECUTION_STATUSES.find((status) => status === raw['status']),
    httpStatus: /^[1-5]\d\d$/.test(httpStatus) ? Number(httpStatus) : undefined,
    code: textIn(raw, 'code', 100),
    address: textIn(raw, 'address', 100),
    minDurationMs: wholeIn(raw, 'minDurationMs'),
    from: timeIn(raw, 'from'),
    to: timeIn(raw, 'to'),
    q: textIn(raw, 'q', 200),
    sort: raw['sort'] === 'duration' ? ('duration' as const) : undefined,
  });
}

export const readSessionsSearch = (raw: Raw): SessionsSearch =>
  given({
    flowId: textIn(raw, 'flowId', 64),
    q: textIn(raw, 'q', 256),
    begin: raw['begin'] === 'yes' ? ('yes' as const) : undefined,
  });

export const readSessionSearch = (raw: Raw): SessionSearch =>
  given({
    flowId: textIn(raw, 'flowId', 64),
    tab: SESSION_TABS.find((tab) => tab === raw['tab']),
  });

export const readCreditSearch = (raw: Raw): CreditSearch =>
  given({
    account: textIn(raw, 'account', 256),
    topUp: raw['topUp'] === 'yes' ? ('yes' as const) : undefined,
    amount: wholeIn(raw, 'amount'),
  });

export const readLimitsSearch = (raw: Raw): LimitsSearch =>
  given({ edit: textIn(raw, 'edit', 64), domain: textIn(raw, 'domain', 253) });

export const readFlowSearch = (raw: Raw): FlowSearch => given({ node: textIn(raw, 'node', 128) });

export const readCasesSearch = (raw: Raw): CasesSearch =>
  given({
    run: textIn(raw, 'run', 64),
    version: raw['version'] === 'draft' ? ('draft' as const) : undefined,
  });

export const readVersionsSearch = (raw: Raw): VersionsSearch =>
  given({ show: versionIn(raw, 'show'), against: versionIn(raw, 'against') });

export const readVisitorsSearch = (raw: Raw): VisitorsSearch =>
  given({ tab: VISITORS_TABS.find((tab) => tab === raw['tab']) });

function textIn(raw: Raw, name: string, most: number): string | undefined {
  const value = raw[name];
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' && text.length <= most ? text : undefined;
}

function wholeIn(raw: Raw, name: string): number | undefined {
  const text = textIn(raw, name, 12) ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function versionIn(raw: Raw, name: string): FlowVersionName | undefined {
  return raw[name] === 'draft' ? 'draft' : wholeIn(raw, name);
}

function timeIn(raw: Raw, name: string): string | undefined {
  const text = textIn(raw, name, 40);
  return text !== undefined && /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;
}

type Given<Shape> = { [Name in keyof Shape]?: Exclude<Shape[Name], undefined> };

const given = <Shape extends object>(shape: Shape): Given<Shape> =>
  Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Given<Shape>;

/** Parses `?chatId=447700900123&status=failed` as plain texts, which are easy to read and write. */
export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));

export function stringifySearch(search: Raw): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
  const text = new URLSearchParams(pairs).toString();
  return text === '' ? '' : `?${text}`;
}
