/** The words of the checklist and of the details of an inspection, kept as `texts` are: they come with these sheets. */
export const inspectionTexts = {
  // The checklist.
  areas: 'Areas',
  soFar: (photographs: string, areas: number): string =>
    areas === 0
      ? 'Nothing is recorded yet. Name an area in the chat, and send its photographs.'
      : `${photographs} in ${areas === 1 ? '1 area' : `${areas} areas`}. Tap an area to go on there.`,
  currentArea: 'you are here',
  remarks: (count: number): string => (count === 1 ? '1 remark' : `${count} remarks`),
  notes: (count: number): string => (count === 1 ? '1 note' : `${count} notes`),
  renameArea: (area: string): string => `Rename ${area}`,
  newName: (area: string): string => `New name of ${area}`,
  rename: 'Rename',
  outstanding: 'Meters, keys and detectors',
  outstandingNote: 'Tap what is not at the property: the report says so. Tap again to take that back.',
  isOutstanding: 'outstanding',
  skipped: 'not available',
  serviceAreas: {
    'electricity-meter': 'Electricity meter',
    'gas-meter': 'Gas meter',
    'water-meter': 'Water meter',
    keys: 'Keys',
    detectors: 'Detectors',
  } as Readonly<Record<string, string>>,
  answerUnderWay: 'The answer to your last message is still under way. Try again in a moment.',

  // The details.
  detailsNote: 'They go on the cover of the report. Each is saved when you leave it.',
  reportTypes: { checkin: 'Check-in', checkout: 'Check-out', interim: 'Interim', '': 'Other' } as Readonly<
    Record<string, string>
  >,
  yes: 'yes',
  no: 'no',
  nothing: 'nothing',
  detailSaving: 'Saving …',
  detailNotSaved: (why: string): string => `Not saved. ${why}`,
  notTaken: 'The service did not take it.',
  detailDiffers: (theirs: string): string => `Not saved: meanwhile the record says “${theirs}”.`,
  takeTheirs: 'Take that',
  keepMine: 'Save mine',

  /** By the service's code, where they mean something else here than to a message. */
  refusals: {
    body_too_large: 'The record has no room for that. Shorten it.',
    already_claimed: 'All of that area is in a report already.',
    not_found: 'There is no such area any more.',
  } as Readonly<Record<string, string>>,
};
