import { around, grown, overlap, sharedPart } from '../pdf/matrix.mjs';
import { boxOf, marksOf } from '../pdf/page-marks.mjs';
import { isSame, nameIn } from '../pdf/values.mjs';
import { lightOfColor, looksThrough } from './see-through.mjs';
import { lightPastLine, linesOf } from './thin-lines.mjs';

const COMMENTS = new Set(
  ['Text', 'FreeText', 'Line', 'Square', 'Circle', 'Polygon', 'PolyLine', 'Highlight', 'Underline'].concat([
    'Squiggly',
    'StrikeOut',
    'Stamp',
    'Caret',
    'Ink',
    'Popup',
    'Widget',
  ]),
);
const LINE_MARKS = ['Underline', 'Squiggly', 'StrikeOut'];
/** Largest side in points of the mark of a note, and of the icon that viewers draw for it. */
const NOTE = 40;
const SIGN = 24;
/** Light that must remain of content under marks, and the part of it that icons of notes may cover. */
const LEAST_LIGHT = 0.2;
const MOST_UNDER_SIGNS = 0.5;
/** The box of a mark whose position is unknown. */
const EVERYWHERE = [-1e9, -1e9, 1e9, 1e9];
const MOST_ADDED = 5000;

/**
 * Returns the additions on top of the pages: the number of comments, and the faults of those that cover content of a
 * page, or do more than comment.
 */
export function addedMarks(first, after) {
  const faults = [];
  let comments = 0;
  first.pages.forEach(({ dict: was }, place) => {
    const { dict: is } = after.pages[place];
    const [old, all] = [first.list(was.get('Annots')), after.list(is.get('Annots'))];
    const unchanged = all.filter((mark) => old.some((one) => isSame(one, mark)));
    if (!isSame(unchanged, old)) faults.push(`removes a link or mark of page ${place + 1}`);
    const added = all.filter((mark) => !unchanged.includes(mark)).map((mark) => after.dict(mark));
    if (added.length > MOST_ADDED) return faults.push(`brings too many marks on page ${place + 1}`);
    if (added.length > 0) faults.push(...faultsOf(first, was, after, added, place + 1));
    comments += added.filter((dict) => dict && !['Widget', 'Popup'].includes(subtypeOf(after, dict))).length;
  });
  return { faults, comments };
}

const subtypeOf = (file, dict) => nameIn(file.follow(dict.get('Subtype')));

function faultsOf(first, page, after, added, number) {
  const faults = [];
  let targets;
  for (const dict of added) {
    const subtype = dict && subtypeOf(after, dict);
    if (!COMMENTS.has(subtype))
      faults.push(`brings something other than a comment or a field on page ${number}`);
    else if (['A', 'AA', 'PA', 'OC'].some((key) => dict.has(key)))
      faults.push(`brings a mark that acts by itself on page ${number}`);
    else {
      targets ??= targetsOf(first, page);
      for (const covered of dimmedBy(after, dict, subtype, targets))
        faults.push(`covers ${covered} on page ${number}`);
    }
  }
  return faults;
}

function targetsOf(file, page) {
  const { pictures, texts } = marksOf(file, page, { texts: true });
  return [
    ...pictures.map(({ box }) => ({ name: 'a picture', box, light: 1, underSigns: 0 })),
    ...texts.map((box) => ({ name: 'words', box, light: 1, underSigns: 0 })),
  ];
}

function dimmedBy(file, dict, subtype, targets) {
  const covered = new Set();
  for (const { box, light } of coversOf(file, dict, subtype)) {
    for (const target of targets) {
      if (!overlap(box, target.box)) continue;
      if (light === undefined) target.underSigns += sharedPart(target.box, box);
      else target.light *= light;
      if (target.light < LEAST_LIGHT || target.underSigns > MOST_UNDER_SIGNS) covered.add(target.name);
    }
  }
  return covered;
}

/**
 * Returns the boxes that a mark covers, each with the part of the light that it lets through; `light` is undefined for
 * the icon of a note.
 */
function coversOf(file, dict, subtype) {
  const rect = boxOf(file, dict.get('Rect'));
  const drawn = file.dict(dict.get('AP'));
  if (drawn?.has('N')) {
    const lines = rect && LINE_MARKS.includes(subtype) ? linesOf(file, drawn, rect) : undefined;
    const light = subtype === 'Highlight' ? looksThrough(file, drawn) : 0;
    return lines ?? [{ box: rect ?? EVERYWHERE, light }];
  }
  // A window of the viewer, not of the page.
  if (subtype === 'Popup' && !drawn) return [];
  if (subtype === 'Text' && rect && rect[2] - rect[0] <= NOTE && rect[3] - rect[1] <= NOTE)
    return [{ box: around([...rect, rect[0] + SIGN, rect[3] - SIGN]) }];
  const light = lightOf(file, dict, subtype);
  if (light > 0) return quadsOf(file, dict, rect).map((box) => ({ box, light }));
  // Viewers draw leader lines and captions beside the box of a line.
  if (subtype === 'Line' && LEADING.some((key) => dict.has(key))) return [{ box: EVERYWHERE, light: 0 }];
  const everything = ['QuadPoints', 'InkList', 'L', 'Vertices', 'CL', 'Path'].flatMap((key) =>
    numbersIn(file, dict.get(key)),
  );
  const whole = around([...(rect ?? []), ...everything]);
  return Number.isFinite(whole[0]) ? [{ box: grown(whole, edgeOf(file, dict)), light: 0 }] : [];
}

const LEADING = ['LL', 'LLE', 'LLO', 'Cap', 'CO'];

/** Returns the light through a mark that the viewer itself draws along a text. */
function lightOf(file, dict, subtype) {
  const color = file.list(dict.get('C')).map((one) => file.follow(one));
  if (LINE_MARKS.includes(subtype)) return lightPastLine(color);
  return subtype === 'Highlight' && color.length === 3 ? lightOfColor(color) : 0;
}

function quadsOf(file, dict, rect) {
  const numbers = numbersIn(file, dict.get('QuadPoints'));
  const quads = [];
  for (let at = 0; at + 8 <= numbers.length; at += 8) quads.push(around(numbers.slice(at, at + 8)));
  return quads.length > 0 ? quads : rect ? [rect] : [];
}

function numbersIn(file, value, depth = 0) {
  const found = file.follow(value);
  if (Number.isFinite(found)) return [found];
  return Array.isArray(found) && depth < 4 ? found.flatMap((one) => numbersIn(file, one, depth + 1)) : [];
}

/** Returns how far the line around a mark, its ends and its clouds may extend. */
function edgeOf(file, dict) {
  const style = file.dict(dict.get('BS'))?.get('W') ?? file.list(dict.get('Border'))[2];
  const width = file.follow(style);
  return 2 + 6 * (Number.isFinite(width) ? Math.abs(width) : 1) + (dict.has('BE') ? 18 : 0);
}
