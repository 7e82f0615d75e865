import { type CSSProperties, memo } from 'react';
import { Button } from '../../parts/actions/button.js';
import { NoteIcon, PencilIcon } from '../../parts/icons.js';
import { counted } from '../../parts/words.js';
import { type AreaGroup, countStanding, isClaimed } from './area-groups.js';
import { factInWords } from './fact-words.js';
import { PhotographTile } from './photograph-tile.js';
import { RemarkLine } from './remark-line.js';
import { ukStamp } from './uk-stamp.js';

export interface AreaActions {
  onOpen: (id: string) => void;
  onSelect: (id: string, range: boolean) => void;
  onSelectAll: (ids: readonly string[]) => void;
  onRename: (area: string) => void;
  onRemark: (id: string) => void;
}

interface AreaSectionProps {
  group: AreaGroup;
  current: boolean;
  selected: ReadonlySet<string>;
  /** Ids of photographs being dragged or corrected. */
  away: ReadonlySet<string>;
  /** Stable across renders. */
  actions: AreaActions;
}

/** An area: its photographs, then its remarks, then its facts. */
export const AreaSection = memo(function AreaSection(props: AreaSectionProps) {
  const { group, current, selected, away, actions } = props;
  const { area, photographs, remarks, facts } = group;
  const tiles = Math.max(photographs.length, remarks.length + facts.length > 0 ? 2 : 1);
  return (
    <section
      className="area"
      aria-label={area}
      data-area={area}
      style={{ '--tiles': tiles } as CSSProperties}
    >
      <AreaHead group={group} current={current} selected={selected} actions={actions} />
      {photographs.length > 0 && (
        <ul className="tiles">
          {photographs.map((photograph) => (
            <PhotographTile
              key={photograph.id}
              photograph={photograph}
              selected={selected.has(photograph.id)}
              away={away.has(photograph.id)}
              onOpen={actions.onOpen}
              onSelect={actions.onSelect}
            />
          ))}
        </ul>
      )}
      {remarks.map((remark) => (
        <RemarkLine key={remark.id} remark={remark} onCorrect={actions.onRemark} />
      ))}
      {facts.map((fact) => (
        <div key={fact.id} className="remark">
          <NoteIcon />
          <p>
            {factInWords(fact)}
            <span className="remark-time">
              {ukStamp(fact.recordedAt)}
              {fact.withdrawnAt !== null ? ', withdrawn' : fact.pending ? '' : ', in a report'}
            </span>
          </p>
        </div>
      ))}
    </section>
  );
});

function AreaHead({ group, current, selected, actions }: Omit<AreaSectionProps, 'away'>) {
  const { area, areaType, photographs, remarks, facts } = group;
  const standing = countStanding(photographs);
  const withdrawn = photographs.length - standing;
  const free = photographs.flatMap((photograph) => (isClaimed(photograph) ? [] : [photograph.id]));
  const isAll = free.every((id) => selected.has(id));
  const renamed = free.length > 0 || [...remarks, ...facts].some((one) => !isClaimed(one));
  return (
    <div className="area-head">
      <h2>
        <span className="area-name">{area}</span>
        <span className="area-count">
          {counted(standing, 'photograph')}
          {withdrawn > 0 && `, ${withdrawn} withdrawn`}
          {areaType === 'external' && ', external'}
          {current && ', current area'}
        </span>
      </h2>
      {free.length > 0 && (
        <button
          type="button"
          className="area-select"
          aria-pressed={isAll}
          aria-label={`Select all of ${area}`}
          onClick={() => actions.onSelectAll(free)}
        >
          {isAll ? 'Select none' : 'Select all'}
        </button>
      )}
      {renamed && (
        <Button
          small
          look="quiet"
          label={`Rename ${area}`}
          icon={<PencilIcon />}
          onPress={() => actions.onRename(area)}
        />
      )}
    </div>
  );
}
