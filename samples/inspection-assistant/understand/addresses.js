/** Words for a part of a house, before its number. */
const DWELLING = '(?:flat|apartment|apt|unit|room|studio|suite|plot|penthouse)(?:\\s+(?:no\\.?|number))?';
/** “12a”, “4.02” and “3/2”. */
const HOUSE_NUMBER = '\\d{1,5}(?:\\.\\d{1,3})?[a-z]?(?:\\s*[-/]\\s*\\d+[a-z]?)?';

/** An address in a sentence: from the house's number or name to its postcode or the end of the phrase. */
function addressIn(words) {
  const postcode = String.raw`\b[A-Za-z]{1,2}\d[A-Za-z\d]?\s*\d[A-Za-z]{2}\b`;
  const street = String.raw`(?:street|st|road|rd|avenue|ave|lane|ln|close|drive|way|court|ct|crescent|cres|place|pl|square|sq|terrace|gardens?|gdns|grove|hill|park|mews|row|walk|green|rise|view|parade|house|cottage|mansions?|quay|wharf|buildings?|circus|embankment|broadway|gate|yard|villas?|lodge|farm|heights|tower|vale|croft|fold|mount|bank|field|meadows?|orchard|high street)`;
  const numbered = new RegExp(
    String.raw`(?:(?:\b${DWELLING}\s+[\w./-]+|(?<![\w./])\d{1,2}/\d{1,2})[\s,]+(?:[\p{L}'. ]{2,40}[\s,]+)?)?(?:\b${DWELLING}\s+)?(?<![\w./])${HOUSE_NUMBER}[\s,]+(?:\p{L}[\p{L}'.-]*\s+){0,4}?${street}\b(?:[\s,]+(?!(?:for|on|today|tomorrow|please|with|this|at|is|the|check|move|interim|and|tenant|inspector)\b)[\p{L}\d'.-]+)*`,
    'iu',
  );
  const coded = new RegExp(
    String.raw`(?:^|\b(?:at|for|of|is|in|to)\s+|[,:;-]\s*)((?:\p{Lu}|\d)[\p{L}\d'’. /-]*(?:,[\p{L}\d'’. /-]*)*${postcode}(?:,\s*\p{L}+)?)`,
    'u',
  );
  const byCode = coded.exec(words);
  const byNumber = withName(numbered.exec(words), words);
  const found =
    byNumber && (!byCode || byNumber.index <= byCode.index + byCode[0].length) ? byNumber[0] : byCode?.[1];
  if (!found) return undefined;
  if (byNumber && byCode && found === byNumber[0]) {
    const end = words.search(new RegExp(postcode, 'u'));
    const code = new RegExp(postcode, 'u').exec(words);
    if (
      code &&
      end >= byNumber.index &&
      end - (byNumber.index + found.length) < 40 &&
      end + code[0].length > byNumber.index + found.length
    )
      return trimmed(words.slice(byNumber.index, end + code[0].length));
  }
  return trimmed(found);
}

/** Words of a flat's name: “top floor flat”, “GFF”, “basement”. */
const FLOOR =
  '(?:(?:the|top|ground|first|second|third|fourth|lower|upper|raised|basement|garden|front|rear|attic|floor|flat|apartment|maisonette|studio|penthouse|annexe?|[gft1-4]ff|[gbft]f|1st|2nd|3rd|4th)\\b[\\s,]*)+';
const NAME_BEFORE = new RegExp(
  `(?:^|[.:;]\\s+|\\b(?:at|for|of|is|in|to)\\s+)(${FLOOR}|(?:(?:The|\\p{Lu}[\\p{L}'-]*) ){0,3}\\p{Lu}[\\p{L}'-]*,\\s*)$`,
  'u',
);

/** Puts the name of the house or flat that stands before its number: “Top Floor Flat, 9 Park Row”. */
function withName(found, words) {
  if (!found) return found;
  const before = words.slice(0, found.index);
  const [, name] = NAME_BEFORE.exec(before) ?? NAME_BEFORE.exec(before.toLowerCase()) ?? [];
  const isName =
    name && !TYPE_WORDS.test(name.toLowerCase()) && withoutCourtesies(`${name}.`).length === name.length + 1;
  if (!isName || within(name, isChat)) return found;
  const index = before.length - name.length;
  return { 0: words.slice(index, found.index + found[0].length), index };
}

function trimmed(address) {
  return address
    .trim()
    .replace(/[\s,.;:-]+$/, '')
    .replace(/^(?:property|address)\s*[:-]?\s*/i, '');
}

function partsOf(address) {
  const postcode = /\b([A-Za-z]{1,2}\d[A-Za-z\d]?)\s*(\d[A-Za-z]{2})\b/.exec(address);
  const inside = new RegExp(String.raw`^\s*${DWELLING}\s+([^\s,]+)`, 'i').exec(address);
  const floor = new RegExp(`^\\s*${FLOOR}`, 'i').exec(address);
  const rest = address.slice((inside ?? floor)?.[0].length ?? 0);
  const number =
    /(?:^|,)\s*(\d+[a-z]?)\b(?![./]\d)/i.exec(rest) ??
    (/^(?:\d+(?:[./]\d+)?[a-z]?|[a-z]\d*)$/i.test(inside?.[1] ?? '') ? inside : null) ??
    /(?:^|,)\s*(\d+(?:\.\d+)?[a-z]?)\b/i.exec(rest);
  return {
    postcode: postcode ? `${postcode[1]} ${postcode[2]}`.toUpperCase() : null,
    propertyNo: number?.[1] ?? null,
  };
}

/** A number or name with a street, a postcode, or parts that are written as names. */
function looksLikeAddress(words) {
  const lower = words.toLowerCase();
  if (
    /\b(?:i|i'm|meant?|sorry|oops|actually|please|undo|report|inspection|photos?|kitchen|bathroom)\b/.test(
      lower,
    )
  )
    return addressIn(words) !== undefined && !/\b(?:meant?|undo)\b/.test(lower);
  if (addressIn(words)) return true;
  if (/\b[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}\b/.test(lower)) return true;
  if (
    /^(?:(?:flat|apartment|apt|unit|room|plot|no\.?|number)\s+)?\d{1,5}[a-z]?\b[\s,]+\p{L}{3}/u.test(lower) &&
    !sentence.test(lower)
  )
    return true;
  const parts = words.split(/\s*[,\n]\s*/).filter(Boolean);
  return parts.length > 1 && parts.every((part) => /^[\p{Lu}\d]/u.test(part)) && !sentence.test(lower);
}
