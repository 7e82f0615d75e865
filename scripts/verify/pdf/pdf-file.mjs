import { Budget, decoded } from './decoded.mjs';
import { Parser } from './parser.mjs';
import { Ref, Stream, Unreadable, nameIn } from './values.mjs';
import { xrefSection } from './xref-section.mjs';

const MOST_SECTIONS = 1000;
const MOST_PAGES = 20_000;

/** A PDF, or its first bytes up to the end of a revision, as a viewer reads it: from its end, by its tables. */
export class PdfFile {
  objects = new Map();
  packed = new Map();

  constructor(bytes, budget = new Budget()) {
    this.bytes = bytes;
    this.budget = budget;
    this.xrefAt = startOfXref(bytes);
    this.entries = new Map();
    this.trailer = this.readSections();
    if (this.trailer.has('Encrypt')) throw new Unreadable('it is encrypted');
  }

  readSections() {
    const seen = new Set();
    let newest;
    for (let at = this.xrefAt; at !== undefined;) {
      if (seen.has(at) || seen.size > MOST_SECTIONS)
        throw new Unreadable('its tables of objects run in a circle');
      seen.add(at);
      const { entries, trailer } = xrefSection(this.bytes, at, this);
      newest ??= trailer;
      this.addOlder(entries);
      const hybrid = trailer.get('XRefStm');
      if (hybrid !== undefined) this.addOlder(xrefSection(this.bytes, hybrid, this).entries, entries);
      at = trailer.get('Prev');
    }
    return newest;
  }

  /** Newer sections take precedence; in a hybrid file an entry that the table calls free may stand in its stream. */
  addOlder(entries, table) {
    for (const [num, entry] of entries) {
      const known = this.entries.get(num);
      if (!known || (known.free && table?.get(num) === known)) this.entries.set(num, entry);
    }
  }

  /** Returns the value that a reference stands for, or the value itself; null if there is none. */
  follow(value) {
    for (let steps = 0; value instanceof Ref; steps++) {
      if (steps > 20) throw new Unreadable('a reference leads in a circle');
      value = this.object(value.num);
    }
    return value;
  }

  dict(value) {
    const found = this.follow(value);
    return found instanceof Stream ? found.dict : found instanceof Map ? found : undefined;
  }

  list(value) {
    const found = this.follow(value);
    return Array.isArray(found) ? found : [];
  }

  object(num) {
    if (!this.objects.has(num)) {
      // Absent while it is being read, so that nothing leads back to itself.
      this.objects.set(num, null);
      this.objects.set(num, this.read(num, this.entries.get(num)));
    }
    return this.objects.get(num);
  }

  read(num, entry) {
    if (!entry || entry.free) return null;
    if (entry.within !== undefined) return this.objectsIn(entry.within).get(num) ?? null;
    const parser = new Parser(this.bytes, entry.at);
    parser.skipSpace();
    const found = parser.object((ref) => this.follow(ref));
    if (found.num !== num) throw new Unreadable(`object ${num} is not where the table of objects says`);
    return found.value;
  }

  objectsIn(num) {
    if (!this.packed.has(num)) this.packed.set(num, packedObjects(this, this.object(num)));
    return this.packed.get(num);
  }

  get catalogue() {
    const found = this.dict(this.trailer.get('Root'));
    if (!found) throw new Unreadable('its catalogue is missing');
    return found;
  }

  /** `{ ref, dict }` of each page in order; inherited entries are in `inherited(page, name)`. */
  get pages() {
    this.listed ??= [...this.pagesUnder(this.catalogue.get('Pages'), new Set(), 0)];
    return this.listed;
  }

  *pagesUnder(ref, seen, depth) {
    const dict = this.dict(ref);
    if (!dict) return;
    if (seen.size > MOST_PAGES || depth > 50 || (ref instanceof Ref && seen.has(ref.num))) {
      throw new Unreadable('it has too many pages, or they run in a circle');
    }
    seen.add(ref instanceof Ref ? ref.num : dict);
    if (nameIn(this.follow(dict.get('Type'))) === 'Page' || !dict.has('Kids')) yield { ref, dict };
    else for (const kid of this.list(dict.get('Kids'))) yield* this.pagesUnder(kid, seen, depth + 1);
  }

  inherited(page, name) {
    for (let node = page, depth = 0; node && depth < 64; node = this.dict(node.get('Parent')), depth++) {
      const value = this.follow(node.get(name));
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  }
}

/** Returns the objects of an object stream by number. */
export function packedObjects(file, stream) {
  if (!(stream instanceof Stream) || nameIn(file.follow(stream.dict.get('Type'))) !== 'ObjStm') {
    throw new Unreadable('a stream of objects is missing');
  }
  const [count, first] = ['N', 'First'].map((name) => file.follow(stream.dict.get(name)));
  const bytes = decoded(file, stream);
  const head = new Parser(bytes);
  const found = new Map();
  for (let place = 0; place < count; place++) {
    head.skip();
    const num = head.integer();
    head.skip();
    const at = head.integer();
    if (found.has(num)) throw new Unreadable(`a stream of objects has object ${num} twice`);
    found.set(num, new Parser(bytes, first + at).plain(0));
  }
  return found;
}

/** Returns the position of the newest cross-reference table, from the last lines of the file. */
function startOfXref(bytes) {
  const from = Math.max(0, bytes.length - 2048);
  const at = new TextDecoder('latin1').decode(bytes.subarray(from)).lastIndexOf('startxref');
  if (at < 0) throw new Unreadable('it does not end as a PDF does');
  const parser = new Parser(bytes, from + at + 9);
  parser.skip();
  return parser.integer();
}
