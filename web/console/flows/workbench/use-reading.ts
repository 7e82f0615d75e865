import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
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
import {
  faultsOfReading,
  placed,
  placedWarnings,
  type PlacedFault,
  readDefinition,
  type Reading,
} from '../editor/read-definition.js';

const PAUSE_MS = 250;
const nothing: Drawing = { nodes: [] };

export interface TextReading {
  /** The faults of the text, once typing has paused. */
  faults: readonly PlacedFault[];
  /** Probable mistakes that do not prevent saving. */
  warnings: readonly PlacedFault[];
  /** The service has checked this exact text. */
  isChecked: boolean;
  /** The picture of the last text that could be drawn. */
  drawing: Drawing;
  knowledge: Knowledge;
}

/** The service’s check of a definition, which it does not store. */
export interface Checked {
  errors: Fault[];
  warnings: WarningView[];
}

export const checkKey = (text: string) => ['flow-check', text] as const;

/** Derives the faults and the picture from the text, debounced. */
export function useReading(text: string, fixedId: string | undefined): TextReading {
  const settled = useSettled(text);
  const knowledge = useKnowledge();
  const reading = useMemo(() => readDefinition(settled), [settled]);
  const own = useMemo(
    () => [...faultsOfReading(reading, knowledge.schema), ...idFaults(reading, fixedId)],
    [reading, knowledge.schema, fixedId],
  );
  const check = useQuery({
    queryKey: checkKey(settled),
    queryFn: ({ signal }) =>
      post<Checked>('flows/check', 'value' in reading ? reading.value : null, { signal }),
    enabled: own.length === 0 && 'value' in reading,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 30_000,
    retry: false,
  });
  const theirs = own.length === 0 || !check.isPlaceholderData ? check.data?.errors : undefined;
  const faults = useMemo(
    () => placed(settled, [...own, ...(theirs ?? []).filter((fault) => !covers(own, fault))]),
    [settled, own, theirs],
  );
  const reported = own.length === 0 ? check.data?.warnings : undefined;
  const warnings = useMemo(() => placedWarnings(settled, reported ?? []), [settled, reported]);
  const drawing = useDrawing(reading);
  const isChecked =
    settled === text && (own.length > 0 || (check.data !== undefined && !check.isPlaceholderData));
  return { faults, warnings, isChecked, drawing, knowledge };
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
function useKnowledge(): Knowledge {
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
      schema: schema.data,
      known: { apiKeys: keys.data?.data ?? [], credentials: credentials.data?.data ?? [] },
    }),
    [schema.data, keys.data, credentials.data],
  );
}

const covers = (own: readonly Fault[], { path }: Fault): boolean =>
  own.some((fault) => path === fault.path || path.startsWith(`${fault.path}.`));

function idFaults(reading: Reading, fixedId: string | undefined): Fault[] {
  if (fixedId === undefined || !('value' in reading)) return [];
  const { value } = reading;
  if (typeof value !== 'object' || value === null || !('id' in value) || value.id === fixedId) return [];
  return [{ path: 'id', message: `cannot be changed: this flow is "${fixedId}"` }];
}
