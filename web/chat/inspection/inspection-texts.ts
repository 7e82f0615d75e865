/** The words of the checklist and the details sheet, in the shape of `texts`. They load with the sheets. */
export const inspectionTexts = {
  // The checklist.
  areas: 'Areas',
  soFar: (photographs: string, areas: number): string =>
    areas === 0
      ? 'Nothing recorded yet. Name an area in the chat and send its photos.'
      : `${photographs} in ${areas === 1 ? '1 area' : `${areas} areas`}. Tap an area to continue there.`,
  currentArea: 'current area',
  remarks: (count: number): string => (count === 1 ? '1 remark' : `${count} remarks`),
  notes: (count: number): string => (count === 1 ? '1 note' : `${count} notes`),
  renameArea: (area: string): string => `Rename ${area}`,
  newName: (area: string): string => `New name for ${area}`,
  rename: 'Rename',
  outstanding: 'Meters, keys and detectors',
  outstandingNote: 'Mark anything the property does not have.',
  isOutstanding: 'outstanding',
  skipped: 'not available',
  answerUnderWay: 'Your last message is still being answered. Try again in a moment.',

  // The details.
  detailsNote: 'These go on the cover of the report. Each field is saved when you leave it.',
  reportTypes: { checkin: 'Check-in', checkout: 'Check-out', interim: 'Interim', '': 'Other' } as Readonly<
    Record<string, string>
  >,
  yes: 'yes',
  no: 'no',
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
    already_claimed: 'Everything in this area is already in a report.',
    not_found: 'This area no longer exists.',
  } as Readonly<Record<string, string>>,
};
