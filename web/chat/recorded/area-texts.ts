/** The words of the list of areas, in the shape of `texts`. They load with the sheets that show it. */
export const areaTexts = {
  own: 'Areas of this inspection',
  rooms: 'Rooms',
  services: 'Meters, keys and detectors',
  another: 'Another room',
  anotherPlaceholder: 'Another room…',
  choose: 'Choose',
  move: 'Move',
  withRemark: (words: string): string => `Move the remark too: “${words}”`,
};
