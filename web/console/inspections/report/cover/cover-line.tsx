import { AlertIcon } from '../../../parts/icons.js';
import { counted } from '../../../parts/words.js';
import { ukDay } from '../../photographs/uk-stamp.js';
import type { Draft } from '../draft.js';
import './cover-line.css';
import type { RecordOfInspection } from '../record.js';
import { coverTitle, otherType } from './cover.js';

/** A preview of the cover's text, with a warning when the record says another report type. */
export function CoverLine({
  draft,
  record,
  pending,
}: {
  draft: Draft;
  record: RecordOfInspection | undefined;
  pending: number;
}) {
  const recorded = otherType(draft, record?.details['reportType']);
  const address = draft.address.trim();
  return (
    <section className="cover-line" aria-label="The cover">
      <p className="cover-title">{coverTitle(draft)}</p>
      {draft.guided && <p>Guided Self Inspection</p>}
      <p className={address === '' ? 'cover-none' : 'cover-address'}>{address || 'No address'}</p>
      <p className="cover-rest">
        {ukDay(new Date().toISOString())}, {counted(pending, 'photograph')}
      </p>
      {recorded !== undefined && (
        <p className="cover-warning" role="alert">
          <AlertIcon />
          <span>
            The record of this inspection, from the chat or the API, says {recorded}. This report will be a{' '}
            {coverTitle(draft)}. Check the type before you render.
          </span>
        </p>
      )}
    </section>
  );
}
