import type { PreviousItem } from '../../../src/api/previous-items.js';
import { CheckIcon } from '../../common/icons.js';
import type { AreaShown } from './checklist.js';
import { inspectionTexts } from './inspection-texts.js';
import { previousRow } from './use-checklist.js';

interface PreviousItemsProps {
  area: AreaShown;
  onRecord: (area: AreaShown, items: readonly PreviousItem[]) => Promise<boolean>;
}

/** The items that the check-in describes in an area: those described again, and a button for each that is as it was. */
export function PreviousItems({ area, onRecord }: PreviousItemsProps) {
  const { key, previous } = area;
  const left = previous.filter(({ factId }) => factId === null);
  const heading = inspectionTexts.atCheckIn(previous.length - left.length, previous.length);
  return (
    <section className="checklist-previous" aria-label={`${area.area}. ${heading}`}>
      <h4 data-row={previousRow(key)} tabIndex={-1}>
        {heading}
      </h4>
      <ul className="checklist-things">
        {previous.map((item, place) => (
          <PreviousRow key={place} item={item} onRecord={() => void onRecord(area, [item])} />
        ))}
      </ul>
      {left.length > 1 && (
        <button type="button" className="quiet-button" onClick={() => void onRecord(area, left)}>
          {inspectionTexts.allAsBefore(left.length)}
        </button>
      )}
    </section>
  );
}

function PreviousRow({
  item: { item, text, factId },
  onRecord,
}: {
  item: PreviousItem;
  onRecord: () => void;
}) {
  return (
    <li className="checklist-before">
      <span className="checklist-words">
        <strong>{item}</strong> {text !== undefined && <span>{text}</span>}
      </span>
      {factId === null ? (
        <button
          type="button"
          className="quiet-button"
          aria-label={inspectionTexts.asBeforeLabel(item)}
          onClick={onRecord}
        >
          {inspectionTexts.asBefore}
        </button>
      ) : (
        <span className="checklist-described">
          <CheckIcon />
          {inspectionTexts.described}
        </span>
      )}
    </li>
  );
}
