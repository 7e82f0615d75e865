import type { Session } from '../../../../src/api/inspections.js';
import { counted } from '../../parts/words.js';
import { CorrectionDialog, LineDialog } from '../corrections/correction-dialog.js';
import { RemarkDialog } from '../corrections/remark-dialog.js';
import { sameArea } from './service-areas.js';
import type { OpenAction, PhotographActions } from './use-photograph-actions.js';

/** The dialog of the current action. */
export function ActionDialog({
  action,
  session,
  act,
  onClose,
}: {
  action: OpenAction | undefined;
  session: Session;
  act: PhotographActions;
  onClose: () => void;
}) {
  if (!action) return null;
  if (action.what === 'rename') return <RenameDialog {...{ ...action, session, act, onClose }} />;
  if (action.what === 'remark') {
    const remark = session.remarks.find(({ id }) => id === action.id);
    if (!remark) return null;
    const onCorrect: Parameters<typeof RemarkDialog>[0]['onCorrect'] = (change, reason) =>
      act.reword(action.id, change, reason);
    return <RemarkDialog key={remark.id} remark={remark} onCorrect={onCorrect} onClose={onClose} />;
  }
  const { ids } = action;
  const photographs = ids.length === 1 ? 'the photograph' : counted(ids.length, 'photograph');
  if (action.what === 'withdraw')
    return (
      <CorrectionDialog
        title={`Withdraw ${photographs}?`}
        action="Withdraw"
        onSubmit={(reason) => act.correct(ids, { withdrawn: true }, reason)}
        onClose={onClose}
      >
        {() => (
          <p>
            {ids.length === 1 ? 'It stays' : 'They stay'} in the list of evidence but{' '}
            {ids.length === 1 ? 'is' : 'are'} neither printed nor counted. You can restore{' '}
            {ids.length === 1 ? 'it' : 'them'} until a report is created.
          </p>
        )}
      </CorrectionDialog>
    );
  if (action.what === 'move')
    return (
      <LineDialog
        title={`Move ${photographs}`}
        action="Move"
        label="Area"
        maxLength={200}
        onSubmit={(area, reason) => act.correct(ids, { area }, reason)}
        onClose={onClose}
      />
    );
  const before = session.photographs.find(({ id }) => id === ids[0])?.caption ?? '';
  return (
    <LineDialog
      title="Caption"
      action="Save"
      label="Caption"
      before={before}
      mayBeEmpty
      hint={() => 'Printed under the photograph. Leave empty to remove it.'}
      maxLength={2_000}
      onSubmit={(caption, reason) => act.correct(ids, { caption }, reason)}
      onClose={onClose}
    />
  );
}

function RenameDialog({
  area,
  session,
  act,
  onClose,
}: {
  area: string;
  session: Session;
  act: PhotographActions;
  onClose: () => void;
}) {
  const merges = (to: string) =>
    session.areas.find((other) => other.area !== area && sameArea(other.area, to))?.area;
  return (
    <LineDialog
      title={`Rename ${area}`}
      action="Rename"
      label="Name"
      before={area}
      maxLength={200}
      hint={(to) => {
        const other = merges(to);
        return other === undefined
          ? 'Renames everything in the area that is not in a report.'
          : `The area ${other} already exists. The two will be merged.`;
      }}
      onSubmit={(to, reason) => to !== area && act.rename(area, to, reason)}
      onClose={onClose}
    />
  );
}
