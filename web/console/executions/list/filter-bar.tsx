import { useState } from 'react';
import {
  EXECUTION_KINDS,
  EXECUTION_STATUSES,
  type ExecutionKind,
  type ExecutionStatus,
} from '../../../../src/api/execution-terms.js';
import { useFlows } from '../../api/use-flows.js';
import { Button } from '../../parts/actions/button.js';
import { SearchField } from '../../parts/entry/search-field.js';
import { Select } from '../../parts/entry/select.js';
import { FilterIcon } from '../../parts/icons.js';
import { statusName } from '../../parts/values/status-tag.js';
import { durationInWords } from '../../parts/words.js';
import type { ExecutionsSearch } from '../../search.js';
import './filter-bar.css';
import { executionKindName } from '../words.js';
import { TimeFilter } from './time-filter.js';

export type Change = (change: {
  [Name in keyof ExecutionsSearch]: ExecutionsSearch[Name] | undefined;
}) => void;

interface FilterBarProps {
  search: ExecutionsSearch;
  onChange: Change;
  chatField: (element: HTMLInputElement | null) => void;
}

const kinds = [
  { value: '' as const, name: 'Any kind' },
  ...EXECUTION_KINDS.map((value) => ({ value, name: executionKindName(value) })),
];
const statuses = [
  { value: '' as const, name: 'Any status' },
  ...EXECUTION_STATUSES.map((value) => ({ value, name: statusName(value) })),
];

const orders = [
  { value: '' as const, name: 'Newest first' },
  { value: 'duration' as const, name: 'Longest first' },
];

const DURATIONS_MS = [1_000, 10_000, 60_000];

/** Returns the choices of a least duration, with the current one. */
const durationsWith = (current: number | undefined) => [
  { value: '', name: 'Any duration' },
  ...[...new Set([...DURATIONS_MS, ...(current === undefined ? [] : [current])])]
    .sort((one, other) => one - other)
    .map((ms) => ({ value: String(ms), name: `${durationInWords(ms)} or more` })),
];

/** The filters, the chat first. On a phone the others are behind a button. */
export function FilterBar({ search, onChange, chatField }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false);
  const count = Object.keys(search).length;
  const hidden = count - (search.chatId === undefined ? 0 : 1);
  return (
    <div className={isOpen ? 'filters filters-open' : 'filters'} role="search" aria-label="Filters">
      <div className="filter-chat">
        <SearchField
          label="Chat id"
          placeholder="Chat or phone"
          value={search.chatId ?? ''}
          onChange={(text) => onChange({ chatId: text.trim() || undefined })}
          inputRef={chatField}
        />
      </div>
      <div className="filter-toggle">
        <Button icon={<FilterIcon />} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {hidden > 0 ? `Filters (${hidden})` : 'Filters'}
        </Button>
      </div>
      <div className="filter-rest">
        <FlowFilter value={search.flowId} onChange={(flowId) => onChange({ flowId })} />
        <Select<ExecutionKind | ''>
          label="Kind"
          showLabel={false}
          options={kinds}
          value={search.kind ?? ''}
          onChange={(kind) => onChange({ kind: kind || undefined })}
        />
        <Select<ExecutionStatus | ''>
          label="Status"
          showLabel={false}
          options={statuses}
          value={search.status ?? ''}
          onChange={(status) => onChange({ status: status || undefined })}
        />
        <HttpFilter value={search.httpStatus} onChange={(httpStatus) => onChange({ httpStatus })} />
        <Select
          label="Duration"
          showLabel={false}
          options={durationsWith(search.minDurationMs)}
          value={String(search.minDurationMs ?? '')}
          onChange={(ms) => onChange({ minDurationMs: ms === '' ? undefined : Number(ms) })}
        />
        <TimeFilter range={search} onChange={onChange} />
        <Select<'' | 'duration'>
          label="Order"
          showLabel={false}
          options={orders}
          value={search.sort ?? ''}
          onChange={(sort) => onChange({ sort: sort || undefined })}
        />
        <SearchField
          label="Error code"
          placeholder="Error code"
          value={search.code ?? ''}
          onChange={(text) => onChange({ code: text.trim().slice(0, 100) || undefined })}
        />
        <SearchField
          label="Address of the caller"
          placeholder="Caller address"
          value={search.address ?? ''}
          onChange={(text) => onChange({ address: text.trim().slice(0, 100) || undefined })}
        />
        <SearchField
          label="Search in question, answer, chat, code and error"
          placeholder="Search in texts"
          value={search.q ?? ''}
          onChange={(text) => onChange({ q: text.trim().slice(0, 200) || undefined })}
        />
      </div>
    </div>
  );
}

function FlowFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}) {
  const { data = [] } = useFlows();
  const flows = data.map(({ id, name }) => ({ value: id, name }));
  const known = value === undefined || flows.some((flow) => flow.value === value);
  return (
    <Select
      label="Flow"
      showLabel={false}
      options={[{ value: '', name: 'Any flow' }, ...flows, ...(known ? [] : [{ value, name: value }])]}
      value={value ?? ''}
      onChange={(id) => onChange(id || undefined)}
    />
  );
}

const CODES = [200, 400, 401, 402, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504];

function HttpFilter({
  value,
  onChange,
}: {
  value: number | undefined;
  onChange: (status: number | undefined) => void;
}) {
  const codes = value === undefined || CODES.includes(value) ? CODES : [...CODES, value].sort();
  return (
    <Select
      label="HTTP status"
      showLabel={false}
      options={[
        { value: '', name: 'Any HTTP status' },
        ...codes.map((code) => ({ value: String(code), name: `HTTP ${code}` })),
      ]}
      value={value === undefined ? '' : String(value)}
      onChange={(code) => onChange(code === '' ? undefined : Number(code))}
    />
  );
}
