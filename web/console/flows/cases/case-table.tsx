import { MenuTrigger } from 'react-aria-components';
import type { CaseCalls } from '../../../../src/api/case-terms.js';
import type { CaseView } from '../../../../src/api/cases.js';
import { Button } from '../../parts/actions/button.js';
import { Menu, MenuItem } from '../../parts/actions/menu.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { MoreIcon } from '../../parts/icons.js';
import { Time } from '../../parts/values/time.js';
import { bytesInWords, counted, durationInWords } from '../../parts/words.js';
import { PassedTag } from './passed-tag.js';

interface CaseTableProps {
  cases: readonly CaseView[];
  onRun: (id: string, calls: CaseCalls) => void;
  onOpen: (executionId: string) => void;
  onShow: (shown: CaseView) => void;
  onEdit: (edited: CaseView) => void;
  onDelete: (deleted: CaseView) => void;
}

/** The cases with their age, since each is a copy of a caller's words and files. */
export function CaseTable({ cases, onRun, onOpen, onShow, onEdit, onDelete }: CaseTableProps) {
  const columns: readonly Column<CaseView>[] = [
    { name: 'Case', cell: ({ name }) => <bdi>{name}</bdi> },
    {
      name: 'Checks',
      cell: ({ checks }) => (checks.length === 0 ? 'none' : counted(checks.length, 'check')),
    },
    { name: 'Calls', cell: ({ calls }) => calls },
    {
      name: 'Latest result',
      cell: ({ last }) =>
        last ? (
          <>
            <PassedTag passed={last.passed} /> <Time at={last.at} />
          </>
        ) : (
          'not run yet'
        ),
    },
    { name: 'Age', cell: ({ createdAt }) => <Age at={createdAt} /> },
    { name: 'Copy', kind: 'number', cell: ({ bytes }) => bytesInWords(bytes) },
    {
      name: 'Actions',
      kind: 'actions',
      cell: (each) => (
        <MenuTrigger>
          <Button look="quiet" small icon={<MoreIcon />} label={`More about ${each.name}`} />
          <Menu label={`More about ${each.name}`}>
            <MenuItem onAction={() => onRun(each.id, each.calls)}>Run</MenuItem>
            <MenuItem onAction={() => onEdit(each)}>Edit</MenuItem>
            <MenuItem onAction={() => onShow(each)}>What it holds</MenuItem>
            {each.executionId !== null && (
              <MenuItem onAction={() => onOpen(each.executionId!)}>Open the execution</MenuItem>
            )}
            <MenuItem onAction={() => onDelete(each)}>Delete</MenuItem>
          </Menu>
        </MenuTrigger>
      ),
    },
  ];
  return <DataTable label="Cases" columns={columns} rows={cases} keyOf={({ id }) => id} />;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function Age({ at }: { at: string }) {
  const ms = Date.now() - new Date(at).getTime();
  const words =
    ms >= DAY_MS
      ? counted(Math.floor(ms / DAY_MS), 'day')
      : ms >= MINUTE_MS
        ? durationInWords(Math.floor(ms / MINUTE_MS) * MINUTE_MS)
        : 'less than a minute';
  return (
    <time dateTime={at} title={at}>
      {words}
    </time>
  );
}
