import { useEffect, useState } from 'react';
import { ChecklistIcon, ReportIcon } from '../../common/icons.js';
import { texts } from '../texts.js';
import { LateSheet, loadSheets, type SheetName } from './late-sheets.js';
import type { SheetProps } from './place.js';

/** The header buttons that open the checklist and the details of the inspection. */
export function InspectionButtons(props: Omit<SheetProps, 'onClose'>) {
  const [open, setOpen] = useState<SheetName>();
  // Load the sheets early, so that they also open offline.
  useEffect(() => void loadSheets(), []);
  const button = (name: SheetName, label: string, icon: React.ReactNode) => (
    <button type="button" className="round" aria-label={label} title={label} onClick={() => setOpen(name)}>
      {icon}
    </button>
  );
  return (
    <div className="inspection-buttons">
      {button('checklist', texts.checklist, <ChecklistIcon />)}
      {button('details', texts.details, <ReportIcon />)}
      {open && <LateSheet name={open} {...props} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
