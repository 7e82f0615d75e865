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
