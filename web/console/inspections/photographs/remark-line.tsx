import { memo } from 'react';
import type { Remark } from '../../../../src/api/inspections.js';
import { Button } from '../../parts/actions/button.js';
import { NoteIcon, PencilIcon } from '../../parts/icons.js';
import { counted } from '../../parts/words.js';
import { isClaimed, isWithdrawn } from './area-groups.js';
import { ukStamp } from './uk-stamp.js';

/** A remark under its area. It can be corrected until a report claims it. */
export const RemarkLine = memo(function RemarkLine({
  remark,
  onCorrect,
}: {
  remark: Remark;
  onCorrect: (id: string) => void;
}) {
  const notes = [
    ukStamp(remark.recordedAt),
    ...(isWithdrawn(remark) ? ['Withdrawn'] : []),
    ...(isClaimed(remark) ? ['in a report'] : []),
    ...(remark.corrected > 0 ? [counted(remark.corrected, 'correction')] : []),
  ];
  return (
    <div className={isWithdrawn(remark) ? 'remark remark-withdrawn' : 'remark'}>
      <NoteIcon />
      <p>
        <span className="hidden">Remark: </span>
        <span className="remark-text">{remark.text}</span>
        <span className="remark-time">{notes.join(', ')}</span>
      </p>
      {!isClaimed(remark) && (
        <Button
          small
          look="quiet"
          label="Correct the remark"
          icon={<PencilIcon />}
          onPress={() => onCorrect(remark.id)}
        />
      )}
    </div>
  );
});
