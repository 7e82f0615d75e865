import { useState } from 'react';
import type { Change } from '../../../../src/api/corrections.js';
import type { Remark } from '../../../../src/api/inspections.js';
import { Checkbox } from '../../parts/entry/checkbox.js';
import { Field } from '../../parts/entry/field.js';
import { areaFault, CorrectionDialog } from './correction-dialog.js';
import { Trail, useTrail } from './trail.js';

/** Corrects a remark. Sends only what differs. */
export function RemarkDialog({
  remark,
  onCorrect,
  onClose,
}: {
  remark: Remark;
  onCorrect: (change: Change, reason: string) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState(remark.text);
  const [area, setArea] = useState(remark.area);
  const [withdrawn, setWithdrawn] = useState(remark.withdrawnAt !== null);
  const trail = useTrail('remarks', remark);
  const change: Change = {
    ...(text.trim() === remark.text ? {} : { text: text.trim() }),
    ...(area.trim() === remark.area ? {} : { area: area.trim() }),
    ...(withdrawn === (remark.withdrawnAt !== null) ? {} : { withdrawn }),
  };
  return (
    <CorrectionDialog
      title="Correct the remark"
      action="Save"
      fault={text.trim() === '' ? 'Enter the text, or withdraw the remark.' : areaFault(area)}
      onSubmit={(reason) => Object.keys(change).length > 0 && onCorrect(change, reason)}
      onClose={onClose}
    >
      {(fault) => (
        <>
          <Field
            label="Text"
            value={text}
            onChange={setText}
            rows={4}
            maxLength={65_536}
            fault={text.trim() === '' ? fault : ''}
            autoFocus
          />
          <Field
            label="Area"
            value={area}
            onChange={setArea}
            maxLength={200}
            autoComplete="off"
            fault={text.trim() === '' ? '' : fault}
          />
          <Checkbox isSelected={withdrawn} onChange={setWithdrawn}>
            Withdrawn: stored, but neither printed nor counted
          </Checkbox>
          <Trail trail={trail} />
        </>
      )}
    </CorrectionDialog>
  );
}
