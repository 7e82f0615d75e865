const METER_NAME = '(?:gas|elec(?:tric(?:ity|al)?)?|water)';
/** Ends one part of a list: a comma, a line, or the next meter after a number. */
const BETWEEN_FACTS = new RegExp(
  String.raw`\s*[;\n]\s*|\s*,\s+(?:and )?|(?<=\d|n\/a),?\s+(?:and\s+)?(?=(?:the )?${METER_NAME}\b)`,
  'i',
);

/** “Elec 12345 gas 6789.5, 2 keys”: facts of several kinds in one message, each of which is offered by itself. */
function severalFacts(next) {
  const parts = withoutCourtesies(text).split(BETWEEN_FACTS).filter(Boolean);
  if (parts.length < 2 || parts.length > 8 || text.length > LONGEST) return undefined;
  const found = joinedKeys(parts).map((part) => ({ part, then: factIn(part.trim(), next) }));
  if (new Set(found.flatMap(({ then }) => (then ? kindOfFact(then) : []))).size < 2) return undefined;
  const options = found.map(({ part, then }) =>
    then
      ? { chip: capital(part), then: { ...then, inspection: undefined }, isPart: true }
      : { ...asRemark(part), chip: `Note “${part}”`, isPart: true },
  );
  return askBack(next, 'One thing at a time, please. Which first?', [...options, asRemark(text)]);
}

/** “2x front, 1x mortice” is one list of keys. */
function joinedKeys(parts) {
  const isCount = (part = '') => /^\d{1,2}\s*(?:[x×]|\p{L})/iu.test(part);
  return parts.reduce(
    (all, part) =>
      isCount(part) && isCount(all.at(-1)) ? [...all.slice(0, -1), `${all.at(-1)}, ${part}`] : [...all, part],
    [],
  );
}

/** The reading, the absence, the keys or the alarm that a part of a message is. */
function factIn(part, next) {
  const fact = within(part, () => {
    const counted = /\b(?:keys?|fobs?)\b/.test(said) ? (listedKeys() ?? keysIn(said)) : undefined;
    return (
      reading(next) ??
      skipping(next) ??
      (counted && { does: 'capture', area: knownArea('keys') ?? 'Keys', keys: counted }) ??
      alarmTest(next)
    );
  });
  return fact && !fact.asks && kindOfFact(fact) ? fact : undefined;
}

/** Tells the facts apart that one capture cannot hold together; undefined for none. */
function kindOfFact({ area, reading: value, keys, alarm, details }) {
  if (details) return `absent ${details.skippedAreas}`;
  if (value) return `reading ${area}`;
  return keys ? 'keys' : alarm && `alarm ${alarm.kind} ${alarm.place}`;
}

/** The meter of a number: the one named before it, else the only one that is named. */
function meterOf(value, lower) {
  const named = (words) => words.match(/\b(?:gas|elec(?:tric(?:ity|al)?)?|lec(?:cy|ky)|water)\b/g) ?? [];
  const before = named(lower.slice(0, lower.indexOf(value))).at(-1);
  const all = new Set(named(lower).map(meterIn));
  return before ? meterIn(before) : all.size === 1 ? [...all][0] : undefined;
}

const LABELLED = /(?:^|[\n.;][ \t]{0,3})([^:.;,\n]{2,40}?)[ \t]{0,3}:\s*/g;

/** “Bedroom 2: carpet stained. Hall: walls scuffed”: remarks of several rooms, each of which is offered by itself. */
function severalRooms(next) {
  const isRoom = (name) => ROOMS.test(name) && isAreaOnly(name);
  const heads = [...text.slice(0, 4000).matchAll(LABELLED)].filter(([, name]) => isRoom(name.toLowerCase()));
  if (new Set(heads.map(([, name]) => slug(name))).size < 2 || heads.length > 8) return undefined;
  const start = text.slice(0, heads[0].index).trim();
  const options = heads.map(({ 0: head, 1: name, index }, at) => {
    const words = text.slice(index + head.length, heads[at + 1]?.index ?? text.length).trim();
    const area = written(name);
    const chip = `Note “${words.length > 40 ? `${words.slice(0, 40)}…` : words}” under ${area}`;
    return { chip, then: { does: 'capture', area, remark: words }, isPart: true };
  });
  if (options.some(({ then }) => then.remark === '')) return undefined;
  const first = start ? [{ ...asRemark(start), isPart: true }] : [];
  return askBack(next, 'One area at a time, please. Which first?', [...first, ...options]);
}

/** The area with which a long remark begins, and the words after it: “Bedroom 2: …”, “moving on to the bathroom the …”. */
function underHead() {
  const named = /^\s*([^:;\n]{2,60}?)\s*(?::|\s[-\u2013\u2014]\s|\n)\s*(\S[^]*)$/.exec(text);
  const isArea = (words) => {
    const area = areaAfterWords(saidIn(words.replace(/\s+/g, ' ')));
    return area && isAreaOnly(area.toLowerCase()) ? area : undefined;
  };
  if (named && isArea(named[1])) return { area: written(isArea(named[1])), remark: named[2] };
  const [, head, rest] = /^\s*([^,.]{3,60})[,.]\s*(\S[^]*)$/.exec(text) ?? [];
  const area = head && isArea(head);
  // “Hall, kitchen and lounge need painting” is of none of them, “bath, sink and toilet stained” of the room.
  const isOne =
    area && (knownArea(area) || ROOMS.test(area.toLowerCase())) && !ROOMS.test(rest.toLowerCase());
  if (isOne) return { area: written(area), remark: rest };
  const before = areaBefore(plain.slice(0, 120).replace(/\s\S*$/, ''));
  const at = before?.isSure ? text.indexOf(before.rest.slice(0, 20)) : -1;
  return at < 0 ? {} : { area: before.area, remark: text.slice(at) };
}

/** “Bath, sink and toilet dirty”, “hall, kitchen and lounge need painting”: the first word names no area of the rest. */
function isFirstOfList([, first, rest]) {
  const isList = new RegExp(
    String.raw`^[\p{L} ,]{2,40}? (?:and|&) (?:the )?\p{L}+(?: \p{L}+)? (?:both|all|each|are|were|need|have|${FLAW})\b`,
    'u',
  ).test(rest.toLowerCase());
  const isThing = OBJECTS.has(first.toLowerCase().replace(/^the /, ''));
  return isList && (isThing || ROOMS.test(rest.toLowerCase()));
}
