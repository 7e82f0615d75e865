import { Parser } from '../pdf/parser.mjs';
import { packedObjects } from '../pdf/pdf-file.mjs';
import { Ref, Stream, Unreadable, nameIn } from '../pdf/values.mjs';
import { xrefSection } from '../pdf/xref-section.mjs';

const MOST_REVISIONS = 50;

/**
 * Yields the revisions after the first one, which ends at `from`: the end of each, its objects by number and the
 * entries of its table. They are parsed strictly, byte by byte: ambiguous content, content that no table lists, and
 * anything but a revision is `Unreadable`.
 */
export function* revisionsAfter(first, bytes, from) {
  let before = first.xrefAt;
  for (let at = from, count = 1; ; count++) {
    const parser = new Parser(bytes, at);
    parser.skipSpace();
    if (parser.at >= bytes.length) return;
    if (count > MOST_REVISIONS) throw new Unreadable('it has too many revisions');
    const revision = readRevision(parser, first);
    const { entries, trailer, xrefAt, objects } = revision;
    if (trailer.get('Prev') !== before)
      throw new Unreadable(`revision ${count + 1} does not follow on the one before`);
    checkTable(entries, objects, new Set([xrefAt, trailer.get('XRefStm')]));
    before = xrefAt;
    at = revision.end;
    yield revision;
  }
}

function readRevision(parser, file) {
  const objects = new Map();
  const lengths = (ref) => (ref instanceof Ref ? objects.get(ref.num)?.value : undefined);
  let last;
  for (parser.skipSpace(); !atTable(parser) && !parser.takes('startxref'); parser.skipSpace()) {
    last = parser.object(lengths);
    if (objects.has(last.num)) throw parser.fault(`object ${last.num} stands there twice`);
    objects.set(last.num, last);
  }
  const section = atTable(parser) ? tableHere(parser, file) : streamBefore(last, parser, file);
  parser.skipSpace();
  if (parser.integer() !== section.xrefAt)
    throw parser.fault('the table of objects is not where it should be');
  parser.skipSpace();
  parser.expect('%%EOF');
  void (parser.takes('\r\n') || parser.takes('\n') || parser.takes('\r'));
  const entries = hybridEntries(section, objects, parser, file);
  return { ...section, entries, objects: withPacked(objects, file), end: parser.at };
}

const atTable = (parser) => parser.bytes[parser.at] === 0x78;

function tableHere(parser, file) {
  const xrefAt = parser.at;
  const { entries, trailer, end } = xrefSection(parser.bytes, xrefAt, file);
  parser.at = end;
  parser.skipSpace();
  parser.expect('startxref');
  return { entries, trailer, xrefAt };
}

function streamBefore(last, parser, file) {
  if (!last) throw parser.fault('the table of objects is missing');
  const { entries, trailer } = xrefSection(parser.bytes, last.start, file);
  return { entries, trailer, xrefAt: last.start };
}

/** In a hybrid file the stream beside the table lists objects that older programs must not see. */
function hybridEntries({ entries, trailer }, objects, parser, file) {
  const at = trailer.get('XRefStm');
  if (at === undefined) return entries;
  if ([...objects.values()].every(({ start }) => start !== at)) {
    throw parser.fault('the second table of objects lies elsewhere');
  }
  const hidden = [...xrefSection(parser.bytes, at, file).entries].filter(([, entry]) => !entry.free);
  if (hidden.some(([num]) => entries.has(num) && !entries.get(num).free)) {
    throw parser.fault('two tables name one object');
  }
  return new Map([...entries, ...hidden]);
}

function withPacked(objects, file) {
  const all = new Map(objects);
  for (const { num: within, value } of objects.values()) {
    if (!(value instanceof Stream) || nameIn(value.dict.get('Type')) !== 'ObjStm') continue;
    for (const [num, packed] of packedObjects(file, value)) {
      if (all.has(num)) throw new Unreadable(`object ${num} stands there twice`);
      all.set(num, { num, gen: 0, within, value: packed });
    }
  }
  return all;
}

/**
 * Each entry lists an object of this revision, and each object is listed: nothing is hidden there, or shown from
 * elsewhere.
 */
function checkTable(entries, objects, tables) {
  for (const [num, entry] of entries) {
    if (entry.free) continue;
    const found = objects.get(num);
    const fits =
      entry.within === undefined
        ? found?.start === entry.at && found.gen === entry.gen
        : found?.within === entry.within && found.within !== undefined;
    if (!fits) throw new Unreadable(`the table of objects has object ${num} at a wrong place`);
  }
  for (const { num, start } of objects.values()) {
    const entry = entries.get(num);
    if ((!entry || entry.free) && !tables.has(start))
      throw new Unreadable(`object ${num} is in no table of objects`);
  }
}
