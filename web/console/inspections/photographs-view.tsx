import { type CSSProperties, useMemo, useState } from 'react';
import type { Photograph, Remark, Session } from '../api/types/inspections.js';
import type { Report } from '../api/types/reports.js';
import { EmptyState } from '../parts/empty-state.js';
import { ImageIcon, NoteIcon } from '../parts/icons.js';
import { Select } from '../parts/select.js';
import { counted } from '../parts/words.js';
import { type AreaGroup, groupByArea, type Shown } from './area-groups.js';
import { PhotographTile } from './photograph-tile.js';
import { PhotographViewer } from './photograph-viewer.js';
import './photographs-view.css';
import { ukStamp } from './uk-stamp.js';

const CHOICES = [
  { value: 'all', name: 'All' },
  { value: 'pending', name: 'Not reported yet' },
  { value: 'reported', name: 'In a report' },
] as const;

/** The photographs of a session, by area as the report will group them, with the remarks under theirs. */
export function PhotographsView({ session, reports }: { session: Session; reports: readonly Report[] }) {
  const [shown, setShown] = useState<Shown>('all');
  const [open, setOpen] = useState<string>();
  const groups = useMemo(() => groupByArea(session, shown), [session, shown]);
  const all = useMemo(() => groups.flatMap(({ photographs }) => photographs), [groups]);
  return (
    <div className="photographs">
      <Select
        label="Photographs shown"
        showLabel={false}
        options={CHOICES}
        value={shown}
        onChange={setShown}
      />
      {groups.length === 0 && (
        <EmptyState title="Nothing to show" icon={<ImageIcon />}>
          {shown === 'all'
            ? 'Photographs and remarks appear here as they arrive.'
            : 'No photograph or remark of this kind.'}
        </EmptyState>
      )}
      <div className="areas">
        {groups.map((group) => (
          <Area
            key={group.area}
            group={group}
            current={session.currentArea === group.area}
            onOpen={setOpen}
          />
        ))}
      </div>
      <PhotographViewer photographs={all} open={open} onOpen={setOpen} reports={reports} />
    </div>
  );
}

function Area({
  group: { area, areaType, photographs, remarks },
  current,
  onOpen,
}: {
  group: AreaGroup;
  current: boolean;
  onOpen: (id: string) => void;
}) {
  return (
    <section
      className="area"
      aria-label={area}
      style={{ '--tiles': Math.max(photographs.length, remarks.length > 0 ? 2 : 1) } as CSSProperties}
    >
      <h2>
        <span className="area-name">{area}</span>
        <span className="area-count">
          {counted(photographs.length, 'photograph')}
          {areaType === 'external' && ', external'}
          {current && ', current area'}
        </span>
      </h2>
      {photographs.length > 0 && (
        <ul className="tiles">
          {photographs.map((photograph: Photograph) => (
            <PhotographTile key={photograph.id} photograph={photograph} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {remarks.map((remark: Remark) => (
        <div key={remark.id} className="remark">
          <NoteIcon />
          <p>
            <span className="hidden">Remark: </span>
            {remark.text}
            <span className="remark-time">
              {ukStamp(remark.recordedAt)}
              {remark.pending ? '' : ', in a report'}
            </span>
          </p>
        </div>
      ))}
    </section>
  );
}
