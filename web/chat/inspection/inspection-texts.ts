import type { ThingKind } from '../../../src/api/things.js';

/** The words of the checklist and the details sheet, in the shape of `texts`. They load with the sheets. */
export const inspectionTexts = {
  // The checklist.
  areas: 'Areas',
  soFar: (photographs: string, areas: number): string =>
    areas === 0
      ? 'Nothing recorded yet. Name an area in the chat and send its photos.'
      : `${photographs} in ${areas === 1 ? '1 area' : `${areas} areas`}. Tap an area to continue there.`,
  currentArea: 'current area',
  nothingYet: 'nothing recorded yet',
  renameArea: (area: string): string => `Rename ${area}`,
  newName: (area: string): string => `New name for ${area}`,
  rename: 'Rename',
  renamed: (area: string): string => `Renamed to ${area}.`,
  kinds: {
    photograph: 'Photo',
    remark: 'Remark',
    observation: 'Observation',
    reading: 'Reading',
    keys: 'Keys',
    alarm: 'Alarm',
    absence: 'Not at the property',
    detail: 'Detail',
  } satisfies Record<ThingKind, string>,
  opensCorrection: '. Edit, move or delete',
  opensPhotographs: '. Correct or move',
  correctThing: (kind: string): string => `Correct: ${kind}`,
  inReport: 'In a report. Only a new edition of it can change this.',
  someInReport: (count: number): string => `${count} of them in a report`,
  edit: 'Edit',
  save: 'Save',
  saved: 'Saved.',
  unsaved: 'Not saved yet',
  notSaved: (words: string): string => `Not saved: ${words}`,
  remark: 'Remark',
  delete: 'Delete',
  deleteNote: 'Leaves it out of the report. You can undo this.',
  deleted: 'Deleted.',
  deletedThing: (thing: string): string => `Deleted: ${thing}`,
  undo: 'Undo',
  undoDeletion: (thing: string): string => `Undo: restore ${thing}`,
  correctOne: 'Correct one',
  sentElsewhere: (count: number): string =>
    count === 1 ? '1 more was not sent from this page.' : `${count} more were not sent from this page.`,

  // The items of the check-in.
  atCheckIn: (done: number, all: number): string => `At check-in: ${done} of ${all} described`,
  lacksCheckIn: 'The report of the check-in no longer exists. Name another in the details.',
  asBefore: 'As at check-in',
  asBeforeLabel: (item: string): string => `As at check-in: ${item}`,
  allAsBefore: (count: number): string => `The other ${count} as at check-in`,
  described: 'Described',
  recordedAsBefore: (count: number, area: string): string =>
    count === 1 ? 'Recorded as at check-in.' : `${count} items of ${area} recorded as at check-in.`,

  // The service areas.
  services: 'Meters, keys and detectors',
  servicesNote: 'Tap one to continue there, or mark what the property does not have.',
  outstanding: 'Outstanding',
  done: (contents: readonly string[]): string =>
    contents.length === 0 ? 'Done' : `Done: ${contents.join(', ')}`,
  doneRemarks: (count: number): string => (count === 1 ? '1 remark' : `${count} remarks`),
  doneObservations: (count: number): string => (count === 1 ? '1 observation' : `${count} observations`),
  doneReading: (reading: string): string => `reading ${reading}`,
  absent: 'Not at the property',
  alsoMarked: 'also marked as not at the property',
  markAbsent: 'Mark as not there',
  markAbsentLabel: (area: string): string => `Mark as not there: ${area}`,
  unmarkLabel: (area: string): string => `Undo: ${area} is at the property`,

  // The details.
  detailsNote: 'These go on the cover of the report. Each field is saved when you leave it.',
  reportTypes: { checkin: 'Check-in', checkout: 'Check-out', interim: 'Interim', '': 'Other' } as Readonly<
    Record<string, string>
  >,
  previousReportHint: 'Paste the id of its report, or the link to it. The checklist then lists its items.',
  presentHint: 'One name a line.',
  notGiven: 'Not given',
  documentPart: { kind: 'Document', date: 'Date', note: 'Note' },
  documentField: (part: 'kind' | 'date' | 'note', row: number): string =>
    `${{ kind: 'Document', date: 'Date of document', note: 'Note on document' }[part]} ${row}`,
  documentLacksName: 'Enter the name of each document.',
  nothing: 'blank',
  detailSaving: 'Saving…',
  detailNotSaved: (why: string): string => `Not saved. ${why}`,
  notTaken: 'The service did not accept it.',
  detailDiffers: (theirs: string): string => `Not saved. It has since been changed to “${theirs}”.`,
  takeTheirs: 'Use that',
  keepMine: 'Save mine',

  /** Keyed by the service's problem code, where it means something different here than for a message. */
  refusals: {
    body_too_large: 'That is too long. Shorten it.',
    already_claimed: 'A report already has this. Only a new edition of that report can change it.',
    not_found: 'This no longer exists.',
    invalid_request: 'The service did not accept that. Check what you typed.',
  } as Readonly<Record<string, string>>,
};
