/** The words of the correction sheet, in the shape of `texts`. They load with the sheet. */
export const correctionTexts = {
  corrections: 'Corrections',
  moveTitle: 'Move to',
  turnTitle: 'Rotate',
  turnLeft: 'Left',
  turnRight: 'Right',
  turnOver: 'Half turn',
  withdraw: 'Withdraw',
  withdrawNote: 'Stays on record but is left out of the report.',
  bringBack: 'Restore',
  bringBackNote: 'Puts it back in the report.',
  withdrawnNote: 'Withdrawn: not in the report',
};
