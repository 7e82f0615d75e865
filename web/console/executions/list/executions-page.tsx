import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import { Button } from '../../parts/actions/button.js';
import { CloseIcon, RepeatIcon } from '../../parts/icons.js';
import { Page } from '../../parts/page.js';
import type { ExecutionsSearch } from '../../search.js';
import { RunSeveralDialog } from '../again/run-several-dialog.js';
import { NeedsAttention } from '../attention/needs-attention.js';
import { KeysHelp } from '../keys/keys-help.js';
import { useKeys } from '../keys/use-keys.js';
import { OutcomePanel } from '../outcomes/outcome-panel.js';
import { ViewsMenu } from '../views/views-menu.js';
import { ExecutionList } from './execution-list.js';
import { ExportButton } from './export-button.js';
import { type Change, FilterBar } from './filter-bar.js';
import { useNarrow } from './use-rows.js';

const route = getRouteApi('/console/executions');

const keys = [
  ['j k', 'Next and previous execution (also the arrow keys)'],
  ['Enter', 'Open it'],
  ['/', 'Find a chat'],
  ['Esc', 'Leave the list, or go back from an execution'],
  ['?', 'Show this help'],
] as const;

/** The live log of executions, with its filters in the URL. */
export function ExecutionsPage() {
  const given = route.useSearch();
  const text = JSON.stringify(given);
  const search = useMemo(() => JSON.parse(text) as typeof given, [text]);
  const narrow = useNarrow();
  const navigate = useNavigate({ from: '/console/executions' });
  const [isRepeating, setRepeating] = useState(false);
  const chatField = useRef<HTMLInputElement>(null);
  const change = useCallback<Change>(
    (part) =>
      void navigate({
        replace: isTyping(part, given),
        search: (before) => ordered({ ...before, ...part }),
      }),
    [navigate, given],
  );
  const clear = useCallback(() => void navigate({ search: {} }), [navigate]);
  useKeys({
    '/': (event) => {
      event.preventDefault();
      chatField.current?.focus();
      chatField.current?.select();
    },
  });
  return (
    <Page
      title="Executions"
      actions={
        <>
          {text !== '{}' && (
            <Button look="quiet" icon={<CloseIcon />} label="Clear filters" onPress={clear}>
              {narrow ? undefined : 'Clear filters'}
            </Button>
          )}
          <ViewsMenu search={search} onOpen={(view) => void navigate({ search: ordered(view) })} />
          <Button icon={<RepeatIcon />} label="Run again" onPress={() => setRepeating(true)}>
            {narrow ? undefined : 'Run again'}
          </Button>
          <ExportButton search={search} />
          {!narrow && <KeysHelp keys={keys} />}
        </>
      }
    >
      <div className="above-list executions-tools">
        <FilterBar
          search={search}
          onChange={change}
          chatField={(element) => void (chatField.current = element)}
        />
        {text === '{}' && <NeedsAttention />}
        <OutcomePanel search={search} onRange={change} />
      </div>
      <ExecutionList key={text} search={search} onClear={clear} />
      <RunSeveralDialog search={search} isOpen={isRepeating} onClose={() => setRepeating(false)} />
    </Page>
  );
}

/** Detects typing in a search field, which should be one entry in the browser's history. */
const isTyping = (part: Parameters<Change>[0], given: Parameters<Change>[0]): boolean =>
  Object.entries(part).every(
    ([name, value]) =>
      (name === 'chatId' || name === 'q' || name === 'code' || name === 'address') &&
      value !== undefined &&
      given[name] !== undefined,
  );

const NAMES = [
  ...(['chatId', 'flowId', 'kind', 'status', 'httpStatus', 'code', 'address'] as const),
  ...(['minDurationMs', 'from', 'to', 'q', 'sort'] as const),
] as const;

/** Orders the filters, so that the same filters have one URL. */
const ordered = (search: Parameters<Change>[0]): ExecutionsSearch =>
  Object.fromEntries(NAMES.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));
