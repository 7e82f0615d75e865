/** “yes” to “Did you mean …?”, and the other answers to it. */
function answerToGuess(next) {
  const { guess } = known;
  if (!guess) return undefined;
  const yes =
    /^(?:yes|y|yeah|yep|yup|correct|right|sure|ok|okay|exactly|i did|that's right|that's it|yes please)$/.test(
      bare(),
    );
  const opens = /^(?:no|n|nope)?[\s,]*(?:open|keep|use|it(?:'s| is)|call it)\s+"?(.+?)"?$/.exec(said);
  if (yes || said === guess.area.toLowerCase())
    return guess.moves
      ? moved('last-batch', guess.area, next)
      : { does: 'capture', area: guess.area, inspection: next };
  if (opens && opens[1] === guess.typed.toLowerCase())
    return guess.moves
      ? moved('last-batch', guess.typed, next)
      : { does: 'capture', area: guess.typed, inspection: next };
  if (/^(?:(?:as )?an? remark|remark|note(?: it)?|it(?:'s| is) a remark)$/.test(bare()))
    return { does: 'capture', remark: guess.typed, inspection: next };
  if (/^(?:no|n|nope|cancel|neither|wrong)$/.test(bare()))
    return {
      does: 'say',
      inspection: next,
      message: 'All right, nothing was opened. Which area is it?',
      choices: areaChoices(next),
    };
  return undefined;
}

/** A reading, a count of keys or where an alarm is, after the photograph of it. */
function awaited(next) {
  const { awaiting } = known;
  if (!awaiting) return undefined;
  if (
    /^(?:skip(?: (?:it|this|that))?|no|none|not now|later|pass|don't know|not sure|n\/?a|unreadable|can't read(?: it)?|-)$/.test(
      bare(),
    ) ||
    /^skip$/.test(said)
  )
    return {
      does: 'say',
      inspection: next,
      message: 'All right. Send the next area when you are ready, or “finish”.',
      choices: areaChoices(next),
    };
  const { kind, area, photographs } = awaiting;
  const cited = photographs?.length > 0 ? { photographs } : {};
  if (kind === 'reading') {
    const { serial, rest } = withoutSerial();
    const found =
      /^(?:the )?(?:meter )?(?:reading|reads?|it reads?|it says|it's|it is)?(?: is| at| was)?\s*[:=]?\s*(\d[\d\s.,]*\d|\d)\s*(m3|m³|kwh|units?|cubic met(?:re|er)s?|ft3)?$/.exec(
        saidIn(rest),
      );
    if (found)
      return {
        does: 'capture',
        area,
        reading: {
          value: found[1].replace(/\s+/g, ''),
          ...(found[2] ? { unit: found[2] } : {}),
          ...(serial ? { serial } : {}),
          ...cited,
        },
        inspection: next,
      };
  }
  if (kind === 'keys' && (isCountOfKeys(said) || !isAreaOnly(said) || isListOfLocks(said))) {
    const keys = keysIn(said);
    if (keys)
      return { does: 'capture', area, keys: keys.map((each) => ({ ...each, ...cited })), inspection: next };
  }
  if (kind === 'alarm') {
    const alarm = alarmIn(/^no\b/i.test(plain) ? bare() : said);
    if (alarm)
      return {
        does: 'capture',
        area,
        alarm: { kind: area, ...alarm, ...cited },
        inspection: next,
      };
  }
  return undefined;
}

const TEST =
  '(?:test(?:s|ed|ing)?|work(?:s|ed|ing)?|sound(?:s|ed|ing)?|beep(?:s|ed|ing)?|r[ai]ngs?|chirp(?:s|ed)?)';
const IS_TESTED = new RegExp(
  String.raw`^(?:(.*?)[\s,;.:-]+)??(?:(?:and|but|it|they|all|both|one|was|were|is|are|has|have|been|i|we|just|also|alarm|then|it's)[\s,]+)*` +
    `${TEST}(?:[\\s,&]+(?:and|it|was|is|then|all|ok|okay|fine|good|well|loud(?:ly)?|clear(?:ly)?|passed|today|now|too|when|on|order|in|correctly|normally|successfully|by|me|button|the|with|pressed|using|${TEST}))*$`,
);
const TESTED_AT =
  /^(?:(?:it was|i|all) )?tested(?: it)?(?: ok| okay| and working)?(?:(), ?| (?=in|on|at|by|outside|above|over))(.+)$/;
const UNTESTED =
  /\buntested\b|\b(?:not|never|isn't|wasn't|weren't|hasn't|haven't|didn't)(?: been| yet| be)* test(?:ed)?\b|\b(?:not|un)able\b.*\btest|\b(?:couldn't|could not|can't|cannot|can not|impossible)\b.*\b(?:test|reach)|\b(?:to (?:be )?test(?:ed)?|needs? test(?:ing|ed)?|not yet|no test|too high|out of reach)\b|\btest(?:ing)? (?:is )?(?:due|needed|required|pending|later)\b/;
const FAILED =
  /\bfail(?:s|ed|ing|ure)?\b|\bno (?:sound|beep|response|noise)\b|\bsilent\b|\b(?:doesn't|don't|does not|didn't|did not|not|isn't|won't|wouldn't|never)\b.*\b(?:work|works|working|sound|sounds|sounded|sounding|beep|beeps|beeped|beeping|ring|go off|respond)\b/;

/** “Exp 2029” after the test: the date on the alarm is its result. */
const EXPIRES =
  /^(.+?)[\s,;.]+((?:exp(?:iry|ires|iration)?|replace by|dated?|manufactured|made)\b[.:]?(?: (?:date|is|in|on|by))*:? (?:[a-z]{3,9} |\d{1,2}[/.-]){0,2}(?:19|20)?\d\d)$/;

/** Where an alarm is, and whether it was tested. A doubtful answer is never taken for a test that it passed. */
function alarmIn(words) {
  const [, before, expires] = EXPIRES.exec(words) ?? [];
  const dated = before && alarmIn(before);
  if (dated?.tested) return { ...dated, result: asTyped(expires) };
  return alarmTested(words);
}

function alarmTested(words) {
  if (UNTESTED.test(words) || FAILED.test(words)) {
    const [first, ...others] = words.split(/\s*[,;:]\s*|\s+-\s+|\.\s+/);
    const place = placeOfAlarm(first);
    const rest = place.place ? others.join(', ') : words;
    const isBare = /^(?:(?:it|was|wasn't|is|has|hasn't|been|not|un)[\s-]*)*tested$/.test(rest);
    return { ...place, tested: false, ...(isBare ? {} : { result: asTyped(rest) }) };
  }
  const [isTested, before = '', after = ''] = IS_TESTED.exec(words) ?? TESTED_AT.exec(words) ?? [];
  const place = placeOfAlarm(isTested === undefined ? words : before || after);
  if (isTested === undefined) return place.place ? place : undefined;
  return place.place || ALARM.test(before) ? { ...place, tested: true } : undefined;
}

/** The end of the message as it was typed, with a first capital. */
function asTyped(rest) {
  const from = plain.toLowerCase().lastIndexOf(rest);
  return capital(from < 0 ? rest : plain.slice(from, from + rest.length));
}

const ALARM = /^(?:the )?(?:(?:smoke|heat|co|carbon monoxide|fire)(?: and)? )*(?:alarms?|detectors?)?$/;

/** “Landing”, “ceiling in the hall”, “by the front door”; no place for words that are more than one. */
function placeOfAlarm(words) {
  const place = words
    .replace(/^(?:it's|it is|they're|they are|located|fitted|mounted)\s+/, '')
    .replace(/^(?:in|on|at)\s+(?:the\s+)?/, '')
    .replace(/^the\s+/, '')
    .trim();
  const isPlace =
    !ALARM.test(place) &&
    place.split(' ').length <= 6 &&
    !flawed.test(place) &&
    !sentence.test(place) &&
    (isAreaOnly(place.replace(/ (?:ceiling|wall)$/, '')) ||
      /^(?:(?:ceiling|wall)s?\b|(?:by|above|over|near|outside|inside|next to|beside|opposite|top of|bottom of|between|under)\s)/.test(
        place,
      ));
  return isPlace ? { place: capital(place) } : {};
}

const KEY_COUNT = String.raw`(?:\d{1,3}|${COUNT_WORDS}|an?)`;
const COUNTED = new RegExp(String.raw`^(${KEY_COUNT})(?:\s*[x×](?!\p{L}))?(?:\s+(\p{L}.*))?$`, 'u');
const KIND_FIRST = new RegExp(
  String.raw`^(\p{L}.*?)\s*(?:(?:[x×:=]|\s-|\s)\s*(${KEY_COUNT})|\(x?\s*(${KEY_COUNT})\))$`,
  'u',
);
const GIVEN_BACK = 'returned|handed back|given back';
const RETURNED = new RegExp(
  String.raw`^(${KEY_COUNT}) (?:out )?of (?:the )?(${KEY_COUNT})(?: (.+?))??(?: (?:were|was|are|have been))? (?:${GIVEN_BACK})$`,
);
const RETURNS = `(?:${GIVEN_BACK}|handed (?:over|in))`;
const RETURNED_FIRST = new RegExp(String.raw`^(?:(keys?|fobs?) )?(?:(?:were|are) )?${RETURNS}(?=[\s:])`);
const RETURNED_LAST = new RegExp(String.raw`(?: (?:were|was|are|is|have been))? ${RETURNS}$`);

/** At a check-out, the keys that are returned are those that are there. How many are in a set is not known. */
function areThere(words) {
  return known.reportType === CHECK_OUT.type && !/\bsets?\b|\bnot\b/.test(words);
}

/** “Keys returned: 2 yale”, without what was done with them. */
function withoutReturn(words) {
  return areThere(words) ? words.replace(RETURNED_FIRST, '$1').replace(/^(?::|\s-)?\s+/, '') : words;
}

const OWNED =
  /^(?:(?:there (?:are|is)|there's|i have|i've got|we have|we've got|received|collected|got|it's|they're|these are|just|only)\s+)+/;
const BETWEEN_KEYS = new RegExp(
  String.raw`\s*(?:[,;+&\n]|\band\b|\bplus\b)\s*|(?<!\bof)\s+(?=(?:\d{1,3}|${COUNT_WORDS})(?:\s*[x×])?\s+\p{L})`,
  'u',
);

/** The counts of keys in words that say nothing else: “2 front door, 1 window”, “yale x2 and a fob”, “2 of 3 returned”. */
function keysIn(words) {
  const [isReturned, back, all, returned = ''] = RETURNED.exec(words) ?? [];
  if (isReturned !== undefined) {
    const kind = kindOfKeys(returned);
    return kind && [{ kind, count: countOf(all), returned: countOf(back) }];
  }
  const keys = [];
  const counts = areThere(words) ? withoutReturn(words).replace(RETURNED_LAST, '') : words;
  for (const part of counts.replace(OWNED, '').split(BETWEEN_KEYS)) {
    const [isCounted, number, after = ''] = COUNTED.exec(part) ?? [];
    const [, before = '', last, inBrackets] = isCounted === undefined ? (KIND_FIRST.exec(part) ?? []) : [];
    const [kind, count] = [kindOfKeys(after || before), countOf(number ?? last ?? inBrackets)];
    if (!kind || !count) return undefined;
    keys.push({ kind, count });
  }
  return keys.length <= 20 ? keys : undefined;
}

/** “1 gate, 2 shed”: counts of what has a lock, though areas have such names. */
function isListOfLocks(words) {
  return words.split(/\s*[,;&]\s*|\s+and\s+/).every((part) => {
    const [, kind = ''] = /^\d{1,2}\s*x?\s+(\p{L}.*)$/u.exec(part) ?? [];
    return LOCKED.has(kind.split(' ').at(-1));
  });
}

/** “2 front door keys”, which is no name of an area. */
function isCountOfKeys(words) {
  return new RegExp(String.raw`^${KEY_COUNT}\b.*\b(?:keys?|fobs?)\b`).test(words.replace(OWNED, ''));
}

function countOf(word) {
  return NUMBER_WORDS[word] ?? Number(word);
}

/** Things that have a lock, so that their name alone is a kind of keys. */
const LOCKED = words(
  'door doors window windows lock locks latch bolt gate gates shed sheds cupboard cupboards letterbox wardrobe wardrobes drawer drawers cabinet cabinets meter meters panel set sets key keys fob fobs frame garage garages chain store box',
);

/** “4 sockets” and “2 photos” are no keys, whichever area is open. */
function isNoKey(kind) {
  const last = kind.split(' ').at(-1);
  return (
    (OBJECTS.has(last) && !LOCKED.has(last)) ||
    META.test(kind) ||
    /^(?:undo|redo|delete|remove|cancel|help|finish|skip|stop)\b/.test(kind)
  );
}

const NO_KIND =
  /\b(?:of(?! (?:two|three|four|five)\b)|returned|handed|given|held|with|on|in|at|by|from|per|each|both|all|none|more|less|tenants?|agents?|landlord|office|tags?|ring)\b/;

/** A kind of keys, “Key” for no words; undefined for words that are none. */
function kindOfKeys(words) {
  const kind = words
    .replace(/^sets?(?= of (?:two|three|four|five)$|$)/, 'set')
    .replace(/\b(?:keys?|sets? of (?!two|three|four|five))\b/g, '')
    .trim()
    .replace(/^(?:for|to) (?:the )?|^the /, '');
  if (kind === '') return 'Key';
  const isKind =
    /^\p{L}[\p{L}' /-]{0,39}$/u.test(kind) &&
    kind.split(' ').length <= 5 &&
    !NO_KIND.test(kind) &&
    (kind !== words.trim() || !isNoKey(kind)) &&
    !sentence.test(kind) &&
    !flawed.test(kind);
  return isKind ? capital(kind) : undefined;
}
