import { isJsonObject, type Json } from '../../engine/json.js';
import type { Members } from './members.js';
import { columnBoolean, columnInstant, columnJson, columnText, type SourceRow } from './row-values.js';

/** The JSON columns with a flow's settings. */
const SETTINGS = [
  ...['chatbotConfig', 'apiConfig', 'analytic', 'speechToText', 'followUpPrompts', 'textToSpeech'],
  'mcpServerConfig',
] as const;

type SettingColumn = (typeof SETTINGS)[number];

/** A parsed row of `chat_flow`. */
export interface ForeignFlow {
  id: string;
  /** The name on screen. */
  name: string;
  type: string;
  /** The graph as it is stored. */
  graph: string;
  workspaceId: string;
  isPublic: boolean;
  /** The id of the required API key. */
  apiKeyId: string | undefined;
  category: string | undefined;
  hasWebhookSecret: boolean;
  /** Empty objects for settings that were never saved. */
  settings: Readonly<Record<SettingColumn, Members>>;
  /** Columns that do not contain a JSON object. */
  broken: ReadonlySet<string>;
  createdAt: number | undefined;
  updatedAt: number | undefined;
}

/** Parses a row. Returns undefined for one without an id. */
export function readForeignFlow(row: SourceRow): ForeignFlow | undefined {
  const id = columnText(row['id']);
  if (id === undefined) return undefined;
  const broken = new Set<string>();
  const settings = SETTINGS.map((name) => {
    const read = columnJson(row[name]);
    const value: Json | undefined = read === 'broken' ? undefined : read.value;
    if (read === 'broken' || (value !== undefined && !isJsonObject(value))) broken.add(name);
    return [name, isJsonObject(value) ? value : {}] as const;
  });
  return {
    id,
    name: columnText(row['name'])?.trim() || `Flow ${id.slice(0, 64)}`,
    // The first versions had only this type and no column for it.
    type: columnText(row['type']) ?? 'CHATFLOW',
    graph: columnText(row['flowData']) ?? '',
    workspaceId: columnText(row['workspaceId']) ?? '',
    isPublic: columnBoolean(row['isPublic']),
    apiKeyId: columnText(row['apikeyid'])?.trim() || undefined,
    category: columnText(row['category']),
    hasWebhookSecret: columnText(row['webhookSecret']) !== undefined,
    settings: Object.fromEntries(settings) as unknown as ForeignFlow['settings'],
    broken,
    createdAt: columnInstant(row['createdDate']),
    updatedAt: columnInstant(row['updatedDate']),
  };
}
