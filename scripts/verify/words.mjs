/** Sanitises an untrusted text of a file: one line, bounded length, and no terminal controls. */
export const shown = (text) =>
  String(text)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .slice(0, 120);

const MOST_FAULTS = 200;

/** The report id stated in the file. */
export const reportLine = ({ report, photographs }) =>
  `${report.draft ? 'Draft of report' : 'Report'} ${shown(report.id)}, made ${shown(report.createdAt)}, ${photographs.length} photographs`;

/** The line for a preview. */
export function draftLine({ report: { draft } }) {
  const { outstandingAreas: areas } = draft;
  const outstanding =
    Array.isArray(areas) && areas.length > 0 ? ` Outstanding: ${shown(areas.join(', '))}.` : '';
  return `DRAFT: This file is a preview. It is no report, and its photographs may be in a later one.${outstanding}`;
}

/**
 * Compares the pictures that the pages draw with the list of evidence in the file: a line for each picture that is not
 * the recorded one, and the number of those that are. Only a confirmed file is called unaltered.
 */
export function comparePictures({ manifest, pages, why }, isVouchedFor, hasLater = false) {
  const every = hasLater ? 'every byte of the first revision' : 'every byte';
  const begin = isVouchedFor ? `Unaltered: ${every} is as it was sealed. ` : '';
  if (why !== undefined)
    return { faults: [], sentence: `${begin}The pictures could not be compared: ${shown(why)}.` };
  if (!manifest) {
    return {
      faults: [],
      sentence: `${begin}The pictures could not be compared: there is no list of evidence in the file.`,
    };
  }
  const printed = manifest.photographs.filter(({ embedded }) => embedded !== null);
  const { swapped, moved } = differences(printed, pagesByPicture(pages));
  const faults = [
    ...swapped.map((photograph) => `${nameOf(photograph)} is not the picture that was recorded.`),
    ...moved.map((photograph) => `${nameOf(photograph)} stands on another page than it did.`),
  ];
  const smaller = smallerOf(printed);
  if (isVouchedFor && faults.length === 0) {
    const which = smaller === '' ? 'the one that was recorded.' : `the one that was sealed.${smaller}`;
    return { faults, sentence: `Unaltered: ${every} is as it was sealed, and every picture is ${which}` };
  }
  return {
    faults: bounded(faults),
    sentence: `${countOf(printed.length - swapped.length, printed.length)}${smaller}`,
  };
}

/** The line for a report that was made to fit a size: its pages show copies, and the list names their originals. */
function smallerOf(printed) {
  const count = printed.filter(({ embedded }) => embedded.reducedTo !== undefined).length;
  if (count === 0) return '';
  return ` ${count} of ${printed.length} are smaller copies of what was recorded, made so that the file fits into a size: the list in the file names the SHA-256 of each original beside that of its copy.`;
}

const countOf = (same, all) =>
  `${same} of ${all} pictures on its pages have the bytes that the list in the file names. The list is worth what the ` +
  'seal is worth: without one that fits, by a trusted key, anybody may have written it.';

function differences(printed, drawnOn) {
  const isDrawn = ({ embedded }) => drawnOn.has(embedded.sha256);
  return {
    swapped: printed.filter((photograph) => !isDrawn(photograph)),
    moved: printed.filter(
      (photograph) => isDrawn(photograph) && !drawnOn.get(photograph.embedded.sha256).has(photograph.page),
    ),
  };
}

function pagesByPicture(pages) {
  const drawnOn = new Map();
  pages.forEach((pictures, index) => {
    for (const picture of pictures) {
      if (!drawnOn.has(picture)) drawnOn.set(picture, new Set());
      drawnOn.get(picture).add(index + 1);
    }
  });
  return drawnOn;
}

const nameOf = ({ number, source, area, stamp, page }) => {
  const side = typeof source?.side === 'string' ? `, ${shown(source.side).toLowerCase()}` : '';
  return `PICTURE: Photograph ${number}${side}, ${shown(area)}, ${shown(stamp)} (page ${page})`;
};

const bounded = (lines) =>
  lines.length <= MOST_FAULTS
    ? lines
    : [...lines.slice(0, MOST_FAULTS), `… and ${lines.length - MOST_FAULTS} more pictures.`];
