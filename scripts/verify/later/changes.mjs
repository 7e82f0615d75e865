import { differentKeys, isSame, Ref, Stream, nameIn } from '../pdf/values.mjs';
import { addedMarks } from './annotations.mjs';

/** Entries of the catalogue that signing, filling in and commenting change. */
const OF_CATALOGUE = new Set(['AcroForm', 'DSS', 'Perms', 'Extensions', 'Metadata', 'Version']);
const MOST_FIELDS = 20_000;

/**
 * Returns the changes that a revision makes to a file: `faults`, each a sentence on content of the first revision that
 * it replaces, hides or removes; the dictionaries of its `signatures`; and how many more `comments` and `fields` the
 * file has than the first revision. Objects of the first revision must be unchanged, except the few that list comments,
 * forms and signatures: so everything else in the revision is reached through these alone.
 */
export function changesOf(first, after, { objects, entries }) {
  const faults = [
    ...[...entries.keys()].flatMap((num) => replacedBy(first, after, num, entries.get(num))),
    ...(isSame(first.trailer.get('Root'), after.trailer.get('Root')) ? [] : ['brings another catalogue']),
  ];
  if (faults.length > 0) return { faults: [...new Set(faults)], signatures: [], comments: 0, fields: 0 };
  const form = fieldsOf(after);
  const marks = addedMarks(first, after);
  const signatures = form.fields.flatMap(({ value }) => (objects.has(value?.num) ? [after.dict(value)] : []));
  return {
    faults: [...new Set([...form.faults, ...marks.faults])],
    signatures: signatures.filter((dict) => dict?.has('ByteRange')),
    comments: marks.comments,
    fields: form.fields.length,
  };
}

const sizeOf = (file) => file.trailer.get('Size');

/** Nothing in the first revision refers to an object beyond its own. */
function replacedBy(first, after, num, entry) {
  if (num >= sizeOf(first) || (num === 0 && entry.free)) return [];
  const was = first.object(num);
  if (entry.free || entry.gen) return [`removes ${nameOf(first, num, was)}`];
  const is = after.object(num);
  const [page, at] = pageNaming(first, num);
  if (first.trailer.get('Root')?.num === num) return entriesBesides(was, is, OF_CATALOGUE, 'catalogue');
  if (page) return entriesBesides(was, is, new Set(['Annots']), `page ${at + 1}`);
  if (isListOfMarks(first, num) || isDescription(first, num, is)) return [];
  return [`replaces ${nameOf(first, num, was)}`];
}

function entriesBesides(was, is, allowed, name) {
  if (!(is instanceof Map)) return [`replaces the ${name}`];
  return differentKeys(was, is)
    .filter((key) => !allowed.has(key))
    .map((key) => `changes "${key}" of the ${name}`);
}

function pageNaming(file, num) {
  const at = file.pages.findIndex(({ ref }) => ref?.num === num);
  return at < 0 ? [] : [file.pages[at], at];
}

const isListOfMarks = (file, num) => file.pages.some(({ dict }) => dict.get('Annots')?.num === num);

/** Title and dates of the file, which no page shows. */
const isDescription = (file, num, is) =>
  file.trailer.get('Info')?.num === num
    ? is instanceof Map
    : file.catalogue.get('Metadata')?.num === num &&
      is instanceof Stream &&
      nameIn(is.dict.get('Type')) === 'Metadata';

function nameOf(file, num, value) {
  const at = file.pages.findIndex(({ dict }) => {
    const contents = dict.get('Contents');
    return [contents].flat().some((one) => one?.num === num);
  });
  if (at >= 0) return `the content of page ${at + 1}`;
  const dict = value instanceof Stream ? value.dict : value;
  if (!(dict instanceof Map)) return `object ${num}`;
  const [type, subtype] = [nameIn(dict.get('Type')), nameIn(dict.get('Subtype'))];
  if (subtype === 'Image') return `a picture (object ${num})`;
  if (type === 'Font' || type === 'FontDescriptor' || dict.has('Length1')) return `a font (object ${num})`;
  if (type === 'Pages') return 'the list of pages';
  if (type === 'Annot') return 'a link of a page';
  return `object ${num}${type === undefined ? '' : ` (${type.slice(0, 30)})`}`;
}

/** The fields of the form; a script or a second form in it is a fault. */
function fieldsOf(file) {
  const form = file.dict(file.catalogue.get('AcroForm'));
  const [fields, faults, seen] = [[], [], new Set()];
  if (form?.has('XFA')) faults.push('brings a form that may replace the pages');
  const walk = (list) => {
    for (const ref of list) {
      const dict = file.dict(ref);
      if (!dict || seen.has(dict)) continue;
      if (seen.size >= MOST_FIELDS) return faults.push('brings too many fields');
      seen.add(dict);
      if (dict.has('AA') || dict.has('A')) faults.push('brings a field that acts by itself');
      if (dict.has('T') || dict.has('FT'))
        fields.push({ value: dict.get('V') instanceof Ref ? dict.get('V') : undefined });
      walk(file.list(dict.get('Kids')));
    }
  };
  walk(file.list(form?.get('Fields')));
  return { fields, faults };
}
