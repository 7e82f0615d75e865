import { type KeyboardEvent, useMemo, useState } from 'react';
import type { Session } from '../../../../src/api/inspections.js';
import type { ReportView } from '../../../../src/api/reports.js';
import { Select } from '../../parts/entry/select.js';
import { ImageIcon } from '../../parts/icons.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { RunNotice } from '../corrections/run-notice.js';
import type { Place } from '../place.js';
import { DragGhost, DropElsewhere } from '../selecting/drag-ghost.js';
import { SelectionBar } from '../selecting/selection-bar.js';
import { useDrag } from '../selecting/use-drag.js';
import { useSelection } from '../selecting/use-selection.js';
import { PhotographViewer } from '../viewer/photograph-viewer.js';
import { ActionDialog } from './action-dialog.js';
import { groupByArea, isClaimed, type Shown } from './area-groups.js';
import { AreaSection } from './area-section.js';
import './photographs-view.css';
import { sameArea, SERVICE_AREAS } from './service-areas.js';
import { usePhotographActions } from './use-photograph-actions.js';

const CHOICES = [
  { value: 'all', name: 'All' },
  { value: 'pending', name: 'Not in a report' },
  { value: 'reported', name: 'In a report' },
  { value: 'withdrawn', name: 'Withdrawn' },
] as const;

interface PhotographsViewProps {
  place: Pick<Place, 'flowId' | 'sessionId'>;
  session: Session;
  reports: readonly ReportView[];
}

/** The photographs and remarks of a session by area, as the report will group them, with their corrections. */
export function PhotographsView({ place, session, reports }: PhotographsViewProps) {
  const [shown, setShown] = useState<Shown>('all');
  const [open, setOpen] = useState<string>();
  const [menuOpen, setMenuOpen] = useState(false);
  const groups = useMemo(() => groupByArea(session, shown), [session, shown]);
  const all = useMemo(() => groups.flatMap(({ photographs }) => photographs), [groups]);
  const free = useMemo(() => all.flatMap((one) => (isClaimed(one) ? [] : [one.id])), [all]);
  const areas = useMemo(() => areasOf(session), [session]);
  const selection = useSelection(free);
  const { run, busy, action, openAction, act } = usePhotographActions({ place, session, all, selection });
  const { lifted, ghost, onPointerDown } = useDrag({
    take: (id) => (selection.ids.has(id) ? [...selection.ids] : free.includes(id) ? [id] : []),
    onDrop: act.drop,
    onHold: (id) => selection.select(id, false),
  });
  const away = lifted.size > 0 ? lifted : busy;
  const chosen = useMemo(() => all.filter(({ id }) => selection.ids.has(id)), [all, selection.ids]);
  const { select, selectAll, clear } = selection;
  const actions = useMemo(
    () => ({
      onOpen: setOpen,
      onSelect: select,
      onSelectAll: selectAll,
      onRename: (area: string) => openAction({ what: 'rename', area }),
      onRemark: (id: string) => openAction({ what: 'remark', id }),
    }),
    [select, selectAll, openAction],
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const id = (event.target as Element).closest<HTMLElement>('[data-id]')?.dataset['id'];
    if (event.key === 'Escape') clear();
    if (event.key !== 'm' || event.ctrlKey || event.metaKey || event.altKey || id === undefined) return;
    if (selection.ids.size === 0 && free.includes(id)) select(id, false);
    setMenuOpen(free.length > 0);
  };
  return (
    <div className="photographs">
      <div className="photographs-head">
        <Select
          label="Photographs shown"
          showLabel={false}
          options={CHOICES}
          value={shown}
          onChange={setShown}
        />
        {free.length > 1 && (
          <p className="photographs-hint">
            Drag photographs to another area. Or select them: Shift selects a range, M moves.
          </p>
        )}
      </div>
      {groups.length === 0 && (
        <EmptyState title="Nothing to show" icon={<ImageIcon />}>
          {shown === 'all'
            ? 'Photographs and remarks appear here as they arrive.'
            : 'No photograph or remark matches this filter.'}
        </EmptyState>
      )}
      <div className="areas" onPointerDown={onPointerDown} onKeyDown={onKeyDown}>
        {groups.map((group) => (
          <AreaSection
            key={group.area}
            group={group}
            current={session.currentArea === group.area}
            selected={selection.ids}
            away={away}
            actions={actions}
          />
        ))}
      </div>
      <div className="photographs-foot">
        {open === undefined && <RunNotice run={run} />}
        {lifted.size > 0 ? (
          <DropElsewhere />
        ) : (
          chosen.length > 0 && (
            <SelectionBar
              photographs={chosen}
              areas={areas}
              actions={act}
              menu={{ isOpen: menuOpen, onOpenChange: setMenuOpen }}
            />
          )
        )}
      </div>
      <DragGhost place={ghost} photographs={all} lifted={lifted} />
      <ActionDialog action={action} session={session} act={act} onClose={() => openAction(undefined)} />
      <PhotographViewer
        place={place}
        areas={areas}
        photographs={all}
        open={open}
        onOpen={setOpen}
        reports={reports}
      />
    </div>
  );
}

/** Returns the areas to move photographs to: those of the session, then the missing service areas. */
const areasOf = ({ areas }: Session): string[] => [
  ...areas.map(({ area }) => area),
  ...SERVICE_AREAS.flatMap(({ name }) => (areas.some(({ area }) => sameArea(area, name)) ? [] : [name])),
];
