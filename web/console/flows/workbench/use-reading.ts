import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ApiKeyView } from '../../../../src/api/access.js';
import type { CredentialView } from '../../../../src/api/credentials.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import type { WarningView } from '../../../../src/api/warnings.js';
import type { Fault } from '../../api/api-error.js';
import { get, post } from '../../api/client.js';
import type { Drawing } from '../../graph/picture.js';
import type { Knowledge } from '../editor/completion.js';
import { drawingOf, sameDrawing } from '../editor/drawing.js';
import type { Schema } from '../editor/json-schema.js';
import { openBranchWarnings } from '../editor/open-branches.js';
import {
  faultsOfReading,
  placed,
  placedWarnings,
  type PlacedFault,
  readDefinition,
  type Reading,
} from '../editor/read-definition.js';
import { placeOf } from '../flow-text.js';
import { isMembers, type Members } from '../operations/definition.js';
import type { Editing } from './use-editing.js';

const PAUSE_MS = 250;
const nothing: Drawing = { nodes: [] };

export type FlowPart = 'definition' | 'setting';

export interface TextReading {
  /** The faults of the text, once typing has paused. */
  faults: readonly PlacedFault[];
  /** Probable mistakes that do not prevent saving. */
  warnings: readonly PlacedFault[];
  /** The service has checked this exact text. */
  isChecked: boolean;
  /** The picture of the last text that could be drawn. */
  drawing: Drawing;
  /** The last text that was a JSON object. It follows an operation at once, and typing once it has paused. */
  definition: Members;
  /** The text is not a JSON object, so that `definition` is an earlier one. */
  isStale: boolean;
  knowledge: Knowledge;
}

/** The service’s check of a definition, which it does not store. */
export interface Checked {
  errors: Fault[];
  warnings: WarningView[];
}

export const checkKey = (text: string, part: FlowPart | undefined) => ['flow-check', part, text] as const;

/** The part of a flow that a text has. */
export interface TextPart {
  /** Undefined for a whole flow. */
  part: FlowPart | undefined;
  /** Adds the other part, without which the service checks no flow. */
  complete: (value: Members) => Members;
}

/** Derives the faults and the picture from the text, debounced. */
export function useReading(
  { text, document }: Pick<Editing, 'text' | 'document'>,
  { part, complete }: TextPart,
): TextReading {
  const settled = useSettled(text);
  const shown = useRef(text);
  if (document.editedBy === undefined || settled === text) shown.current = text;
  const live = useLive(shown.current);
  const knowledge = useKnowledge(part);
  const reading = useMemo(() => readDefinition(settled), [settled]);
  const own = useMemo(() => faultsOfReading(reading, knowledge.schema), [reading, knowledge.schema]);
  const check = useQuery({
    queryKey: checkKey(settled, part),
    queryFn: ({ signal }) => {
      const value = 'value' in reading ? reading.value : null;
      return post<Checked>('flows/check', isMembers(value) ? complete(value) : value, { signal });
    },
    enabled: 'value' in reading,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 30_000,
    retry: false,
  });
  const isOld = check.isPlaceholderData;
  const ownOfChecked = useRef(own);
  if (!isOld) ownOfChecked.current = own;
  const theirs = useMemo(() => {
    if (!isOld) return check.data?.errors;
    // Until the service has answered, keep those of the last text that the browser cannot find.
    return own.length > 0
      ? undefined
      : check.data?.errors.filter((one) => !covers(ownOfChecked.current, one));
  }, [isOld, own, check.data]);
  const faults = useMemo(() => {
    const here = (theirs ?? []).filter((fault) => isOfPart(fault.path, part));
    const named = isOld ? own : own.map((fault) => here.find(({ path }) => path === fault.path) ?? fault);
    return placed(settled, [...named, ...here.filter((fault) => !covers(own, fault))]);
  }, [settled, own, theirs, isOld, part]);
  const reported = check.data?.warnings;
  const warnings = useMemo(
    () => [
      ...placedWarnings(
        settled,
        (reported ?? []).filter(({ path = '' }) => isOfPart(path, part)),
      ),
      ...openBranchesIn(settled, reading),
    ],
    [settled, reported, reading, part],
  );
  const drawing = useDrawing(reading);
  const isChecked =
    settled === text && (!('value' in reading) || (check.data !== undefined && !check.isPlaceholderData));
  return { faults, warnings, isChecked, drawing, knowledge, ...live };
}

/** Reads the definition, and keeps the last one while the text is not valid. */
function useLive(text: string): Pick<TextReading, 'definition' | 'isStale'> {
  const last = useRef<Members>({});
  const read = useMemo(() => {
    const reading = readDefinition(text);
    return 'value' in reading && isMembers(reading.value) ? reading.value : undefined;
  }, [text]);
  if (read) last.current = read;
  return { definition: last.current, isStale: read === undefined };
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Keeps the last picture while the text is not valid. */
function useDrawing(reading: Reading): Drawing {
  const [drawing, setDrawing] = useState<Drawing>(nothing);
  useEffect(() => {
    const next = 'value' in reading ? drawingOf(reading.value) : undefined;
    if (next) setDrawing((last) => sameDrawing(last, next));
  }, [reading]);
  return drawing;
}

/** Loads the schema and the names for completion. The editor works without them. */
export function useKnowledge(part: FlowPart | undefined): Knowledge {
  const schema = useQuery({
    queryKey: ['flow-schema'],
    queryFn: ({ signal }) => get<Schema>('flows/schema', { signal }),
    staleTime: Infinity,
  });
  const keys = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => get<PageOf<ApiKeyView>>('api-keys', { signal }),
  });
  const credentials = useQuery({
    queryKey: ['credentials'],
    queryFn: ({ signal }) => get<PageOf<CredentialView>>('credentials', { signal }),
  });
  return useMemo(
    () => ({
      schema: part === undefined ? schema.data : schemaOf(part, schema.data),
      known: { apiKeys: keys.data?.data ?? [], credentials: credentials.data?.data ?? [] },
    }),
    [schema.data, keys.data, credentials.data, part],
  );
}

const openBranchesIn = (text: string, reading: Reading): PlacedFault[] =>
  'value' in reading && isMembers(reading.value)
    ? placed(text, openBranchWarnings(reading.value)).map((fault) => ({ ...fault, isWarning: true }))
    : [];

const covers = (own: readonly Fault[], { path }: Fault): boolean =>
  own.some((fault) => path === fault.path || path.startsWith(`${fault.path}.`));

/** Returns the schema of a part of a flow. */
function schemaOf(part: FlowPart, schema: Schema | undefined): Schema | undefined {
  if (!schema) return undefined;
  const isOf = (name: string) => placeOf(name) === part;
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => isOf(name));
  const required = (schema.required ?? []).filter(isOf);
  return { ...schema, properties: Object.fromEntries(properties), required };
}

/** Returns whether a fault is shown beside this part of a flow: with the settings, none of the definition is. */
const isOfPart = (path: string, part: FlowPart | undefined): boolean =>
  part !== 'setting' || placeOf(/^[^.[]*/.exec(path)![0]) !== 'definition';
