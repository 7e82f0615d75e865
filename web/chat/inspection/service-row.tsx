import type { ThingView } from '../../../src/api/things.js';
import { SERVICE_AREA_TITLES } from '../../../src/inspection/areas/area-type.js';
import { CheckIcon, PendingIcon, WithdrawIcon } from '../../common/icons.js';
import { texts } from '../texts.js';
import type { ServiceShown } from './checklist.js';
import { inspectionTexts } from './inspection-texts.js';

const ICONS = { outstanding: PendingIcon, done: CheckIcon, absent: WithdrawIcon };

interface ServiceRowProps {
  service: ServiceShown;
  onGo: (area: string) => void;
  onSkip: (service: ServiceShown) => Promise<boolean>;
}

/** A meter, the keys or the detectors: outstanding, done or not at the property. */
export function ServiceRow({ service, onGo, onSkip }: ServiceRowProps) {
  const { slug, status, isSkipped, isClaimed } = service;
  const title = SERVICE_AREA_TITLES[slug];
  const Icon = ICONS[status];
  const mark = () => void onSkip(service);
  return (
    <li className={`checklist-service ${status}`}>
      <button type="button" className="checklist-go" onClick={() => onGo(title)}>
        <span className="checklist-status">
          <Icon />
        </span>
        <span className="checklist-words">
          <strong>{title}</strong> <span>{statusInWords(service)}</span>
        </span>
      </button>
      {isClaimed ? (
        <span className="checklist-note">{inspectionTexts.inReport}</span>
      ) : isSkipped ? (
        <button
          type="button"
          className="quiet-button"
          aria-label={inspectionTexts.unmarkLabel(title)}
          onClick={mark}
        >
          {inspectionTexts.undo}
        </button>
      ) : (
        status === 'outstanding' && (
          <button
            type="button"
            className="quiet-button"
            aria-label={inspectionTexts.markAbsentLabel(title)}
            onClick={mark}
          >
            {inspectionTexts.markAbsent}
          </button>
        )
      )}
    </li>
  );
}

function statusInWords({ status, isSkipped, contents }: ServiceShown): string {
  if (status === 'outstanding') return inspectionTexts.outstanding;
  if (status === 'absent') return inspectionTexts.absent;
  const done = inspectionTexts.done(contentsInWords(contents));
  return isSkipped ? `${done}; ${inspectionTexts.alsoMarked}` : done;
}

/** Returns the counts of photographs, remarks and observations, and the words of the others. */
function contentsInWords(contents: readonly ThingView[]): string[] {
  const of = (kind: ThingView['kind']) => contents.filter((thing) => thing.kind === kind);
  const counted = (kind: ThingView['kind'], inWords: (count: number) => string) => {
    const { length } = of(kind);
    return length === 0 ? [] : [inWords(length)];
  };
  const words = (kind: ThingView['kind']) => of(kind).flatMap(({ text }) => text ?? []);
  return [
    ...counted('photograph', texts.photographs),
    ...words('reading').map(inspectionTexts.doneReading),
    ...words('keys'),
    ...words('alarm'),
    ...counted('observation', inspectionTexts.doneObservations),
    ...counted('remark', inspectionTexts.doneRemarks),
  ];
}
