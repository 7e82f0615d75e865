function skipping(next) {
  const found =
    /^(?:skip|no|0|zero|without|(?:this|the) (?:property|flat|house|place) (?:has|have) no|there(?:'s| is| are| was| were| isn't an?| aren't any| is not an?)(?: no| not any)?|(?:the )?property (?:has|have) no|(?:it|they|we|i) (?:has|have|had|got)(?: no| not got)?(?: any| a)?|(?:(?:it|they|we|i) )?(?:don't|doesn't|haven't|hasn't) (?:have|got)(?: any| a)?|leave out|not? available|n\/a|(?:(?:i|we) )?(?:couldn't|could not|can't|cannot|(?:was |were |am |are )?(?:unable|not able) to) (?:find|see|access|get to|get at|reach|locate)|no access to)[\s:,-]+(?:an?\s|any\s|the\s|to the\s)?(.+)$/.exec(
      /^no\b/i.test(plain) && !/^no[,.!;]/i.test(plain) ? plain.toLowerCase().replace(/[\s.!?]+$/, '') : said,
    ) ??
    /^(?:the )?(.+?) (?:(?:(?:is|are|was|were) not|(?:is|are|was|were)n't) (?:available|there|present|accessible|found|located)|(?:is|are|was|were) (?:n\/a|missing|unavailable|inaccessible)|(?:could not|couldn't|cannot|can't) be (?:found|located|accessed|reached|seen))$/.exec(
      said,
    ) ??
    /^(?:the )?(.*?(?:meters?|keys?|alarms?|detectors?|gas|elec(?:tric(?:ity)?)?|water))(?: |\s*[:,-]\s*)(?:not (?:available|there|present|accessible|found|located|supplied|provided|given|handed over)|n\/a|unavailable|inaccessible)$/.exec(
      said,
    );
  if (!found) return undefined;
  const rest = found[1]
    .replace(
      /\b(?:here|at (?:the |this )?property|in (?:the|this) property|on (?:the )?(?:site|premises)|at (?:this|the) (?:address|flat|house)|to (?:the )?property|today|present|available|to be seen|found|provided|supplied|given|handed over|fitted|installed)\b/g,
      '',
    )
    .trim();
  const negates =
    /^(?:skip|no|0|zero|without|leave out|n\/a|not? available|couldn't|can't|no access)/.test(said) ||
    /^no\b/i.test(plain) ||
    /\bno\b|n't|\bnot\b|\bcannot\b|\bunable\b|\bn\/a\b|missing|unavailable|inaccessible/.test(said);
  if (!negates) return undefined;
  if (
    /^skip\b/.test(said) &&
    /^(?:all|everything|(?:all )?the (?:rest|others|outstanding.*)|rest|others|all (?:of )?(?:them|areas|these|those|outstanding.*)|them all|outstanding.*)$/.test(
      rest,
    )
  )
    return {
      does: 'status',
      skipped: 'all',
      inspection: { ...next, waived: ALL_SERVICE.join('|'), forced: true },
    };
  const meters = /\bmeters\b/.test(rest) && !/\b(?:gas|electric\w*|elec|water)\b/.test(rest);
  const isMeter = (slug) => slug.endsWith('-meter');
  const named = SERVICE.filter(({ slug, pattern }) => pattern.test(rest) || (meters && isMeter(slug)));
  // “no gas meter” is about the meter; “no water in the tap” is a remark.
  const isOfMeter = (slug) =>
    !isMeter(slug) ||
    /\bmeters?\b/.test(rest) ||
    /^(?:the )?(?:gas|electric(?:ity)?|elec|water)(?:(?:,| and|,? or)* (?:the )?(?:gas|electric(?:ity)?|elec|water|keys?|detectors?|alarms?))*$/.test(
      rest,
    );
  const skipped = named
    .filter(({ slug }) => isOfMeter(slug))
    .filter(({ slug }) => slug !== 'detectors' || !/\bburglar|intruder|security\b/.test(rest));
  // “no smoke stains”, “the window key is missing” and “no smoke alarm in the hall” say more than that an area is absent.
  const isWhole = /^(?:skip|leave out)\b/.test(said)
    ? rest.split(' ').length <= 8
    : rest.split(/[\s,/&]+/).every((word) => word === '' || ABSENT.has(word)) &&
      (!/\b(?:smoke|heat|co|carbon)\b/.test(rest) || /\b(?:alarm|detector)s?\b/.test(rest));
  if (isWhole && skipped.length === 1 && isOtherAlarm(rest) && !/^(?:skip|leave out)\b/.test(said))
    return { does: 'capture', remark: text, ...areaOfRemark(rest), inspection: next };
  if (skipped.length > 0 && isWhole)
    return {
      does: 'status',
      skipped: rest,
      ...skippedToo(skipped, next),
    };
  const { isStrong, isObject } = evidenceIn(rest);
  if (/^skip\b/.test(said) && !isStrong && !isObject)
    return {
      does: 'say',
      inspection: next,
      message:
        'Only these five can be skipped: electricity meter, gas meter, water meter, keys and detectors, for example “skip gas meter”. A room without photographs simply does not appear in the report.',
    };
  return undefined;
}

/** The words of an absent area, and those that may stand between them. */
const ABSENT = words(
  'gas electric electricity electrical elec water meter meters keys fob fobs set sets smoke heat fire co carbon monoxide alarm alarms detector detectors ' +
    'a an the any all of or and nor either also other for to in at this it property flat house place access',
);

/** The record names what is not there, whoever said so: here, or beside the chat. */
function skippedToo(areas, next) {
  const skipped = [...new Set([...(next.skipped ?? []), ...areas.map(({ slug }) => slug)])];
  return { details: { skippedAreas: skipped.join('|') }, inspection: { ...next, skipped } };
}

/** A remark, an area, or both in one line. */
function recording(next) {
  const remark =
    /^\s*(?:(?:please|pls|can you|could you)\s+)*(?:(?:add|make|record|take) (?:an? )?)?(?:remarks?|notes?|comments?|nb|n\.b\.)\b\s*(?:that\b|[:,-]|\bof\b)?\s*(\S.*?)\s*$/is.exec(
      text,
    );
  if (remark && !/^(?:that|it|this)$/i.test(remark[1]) && !/^notes? (?:is|are|was|were)\b/.test(said))
    return /^[^:]*?(?:remarks?|notes?|comments?|nb|n\.b\.)\s*[:,-]/i.test(text)
      ? { does: 'capture', remark: remark[1], inspection: next }
      : remarked(remark[1], next);
  const areKeys = isCountOfKeys(said) || (/\b(?:keys?|fobs?)\b/.test(said) && !isAreaOnly(said));
  const keys = flawed.test(said) ? undefined : (listedKeys() ?? (areKeys ? keysIn(said) : undefined));
  if (keys) return keysCounted(keys, knownArea('keys') ?? 'Keys', next);
  const tested = alarmTest(next);
  if (tested) return tested;
  const several = twoRates(next) ?? severalFacts(next) ?? severalRooms(next);
  if (several) return several;
  const counted = countedKeys();
  if (counted) return keysCounted(counted, known.current, next);
  if (/^(?:(?:next|new|another|other) (?:area|room|one)|next)$/.test(said))
    return { does: 'say', inspection: next, message: 'Which area is it?', choices: areaChoices(next) };
  if (/^(?:another|more|next|new) (?:photos?|pictures?|one)$/.test(said))
    return { does: 'say', inspection: next, message: 'Send it whenever you are ready.' };
  const labelled = underLabel(next);
  if (labelled) return labelled;
  const lined = /^\s*([^\n]{2,40}?)[\s.,]*\n\s*(\S[^]*)$/.exec(text);
  const top = lined && areaAfterWords(saidIn(lined[1]));
  if (top && isAreaOnly(top.toLowerCase()) && !isAreaOnly(tidied(lined[2])))
    return remarkIn(lined[2], written(top), next) ?? remarked(lined[2], next, written(top));
  const closed = afterClosing(next);
  if (closed) return closed;
  const both = /^\s*([^:;\n]{2,40}?)\s*(?::|\s-\s|;|(?<!^\s*(?:ext|int)|\bno)\.\s)\s*(\S.*)$/is.exec(plain);
  if (both && (isAreaOnly(stripLead(both[1].toLowerCase())) || areaAfterWords(both[1].toLowerCase()))) {
    const area = areaAfterWords(both[1].toLowerCase()) ?? stripLead(both[1].toLowerCase());
    const noted = within(both[2], () => remarkThenNext(next));
    if (noted) return { ...noted, area: written(area, both[1]) };
    if (isSentence(both[2].toLowerCase()) || both[2].split(' ').length > 1)
      return remarked(both[2], next, written(area, both[1]));
  }
  const inside = /^(?:in|on|at) (?:the )?(.+?),\s*(.+)$/.exec(plain.toLowerCase());
  if (inside && isAreaOnly(inside[1]))
    return remarked(text.slice(plain.indexOf(',') + 1).trim() || text, next, written(inside[1]));
  if (/,.* (?:and|&) /.test(said) && said.split(/\s*,\s*|\s+(?:and|&)\s+/).every((part) => WAYS.test(part)))
    return { does: 'capture', area: written(said), inspection: next };
  const listed = /^((?:ext|int)\.[^,.]{2,50}?|[^,.]{3,60}?)(?:,|(?<!\bno)\.)\s*(.{4,})$/i.exec(plain);
  const first = listed && !isFirstOfList(listed) ? areaAfterWords(saidIn(listed[1])) : undefined;
  const noted = first && remarkIn(listed[2], written(first), next);
  if (noted) return noted;
  const names = text.split(/\s*[,\n]\s*/).filter(Boolean);
  if (names.length > 1 && names.length < 6 && names.every((part) => isAreaOnly(part.toLowerCase())))
    return askBack(
      next,
      'One area at a time, please. Which first?',
      names.map((part) => ({
        chip: `Open ${written(part)}`,
        then: { does: 'capture', area: written(part) },
      })),
    );
  const area = areaAfterWords(said) ?? areaAfterWords(plain.toLowerCase().replace(/[\s.!]+$/, ''));
  if (area && /^(?:no|nope|actually|sorry|oops|i meant?)\b/i.test(plain) && Number(known.pending ?? 0) > 0) {
    const { message, options } = areaOrRemark(area, asRemark(text));
    return askBack(next, message, options);
  }
  if (area) return { does: 'capture', area: written(area), inspection: next };
  const two = twoAtOnce(next);
  if (two) return two;
  const before = areaBefore(plain);
  if (before?.isSure)
    return remarkIn(before.rest, before.area, next) ?? remarked(before.rest, next, before.area);
  if (before) {
    const notes = [before.area, known.current].filter(Boolean).map((under) => asRemark(text, under));
    return askBack(next, `Which area is that about: ${before.area} or the one before?`, notes);
  }
  // Doubtful words are asked about under the area that they name.
  if (first) return remarked(listed[2], next, written(first));
  if (/\?\s*$/.test(plain)) return undefined;
  if (AS_BEFORE.test(tidied(text))) return remarked(text, next);
  if (isChat() || isCommandLike()) return undefined;
  if (/^no \p{L}+ /u.test(plain.toLowerCase()) || /^no \p{L}{3,}$/u.test(plain.toLowerCase()))
    return remarked(text, next);
  const withNext = remarkThenNext(next);
  if (withNext) return withNext;
  if (isSentence(said) || isSentence(plain.toLowerCase()) || /^[^:]+:\s*\S/.test(said) || isPlainRemark(text))
    return remarked(text, next);
  return nearMiss(next);
}

/** “Hall, stairs and landing” is one area. */
const WAYS =
  /^(?:(?:entrance|front|rear|communal|shared|upper|lower|first floor|ground floor) )?(?:hall(?:way)?|stairs?|stairway|staircase|landings?|lobby|porch|entrance|corridor)$/;

/** “3x yale 2x chubb”, while the keys are inspected. */
function countedKeys() {
  const isKeys = SERVICE.find(({ slug }) => slug === 'keys').pattern.test(
    (known.current ?? '').toLowerCase(),
  );
  const isCount =
    new RegExp(String.raw`^(?:\d{1,3}|${COUNT_WORDS})(?:\b|x)|[x×:=(-]\s*\d`).test(withoutReturn(said)) &&
    /\p{L}{2}/u.test(said);
  const isArea = isAreaOnly(said) && !isListOfLocks(said);
  if (!isKeys || !isCount || flawed.test(said) || sentence.test(said) || isArea) return undefined;
  return keysIn(said);
}

const isPlainRemark = (words) => doubtOf(words) === undefined;

/** “Did you mean Bedroom 1?” for what is nearly an area; a question for what may be one. */
function nearMiss(next, moves = false) {
  const typed = plain.replace(/[\s.!,;:]+$/, '').replace(/^(?:the|my)\s+/i, '');
  const words = stripLead(said).split(' ').filter(Boolean);
  if (words.length > 5) return remarked(text, next);
  if (words.length === 0 || typed.length > 60 || !/\p{L}{2}/u.test(typed) || /[?!{}<>@#]|https?:/.test(typed))
    return undefined;
  const near = nearestArea(stripLead(said));
  if (near)
    return {
      does: moves ? 'capture' : 'say',
      asks: true,
      inspection: { ...next, guess: { area: near, typed, moves } },
      message: `Did you mean ${near}?`,
      choices: ['Yes', `No, open “${typed}”`, 'No'],
    };
  // “That’s fine”, “job done”: no area is called that.
  if (/^(?:(?:that|it|there|here)'s|i'm|job)\b/.test(tidied(plain))) return undefined;
  const odd = [TYPE_WORDS, CORRECTS, META, ASKED, ORDERS, PERSON, NO_REMARK];
  if (words.length > 2 || odd.some((pattern) => pattern.test(tidied(plain)))) return remarked(text, next);
  return {
    does: moves ? 'capture' : 'say',
    asks: true,
    inspection: { ...next, guess: { area: typed, typed, moves } },
    message: `I do not know “${typed}”. Shall I open an area of that name?`,
    choices: ['Yes', 'No', 'As a remark'],
  };
}

function smallTalk(next) {
  if (!isChat()) return undefined;
  return {
    does: 'say',
    inspection: { ...next, ...kept() },
    message: 'Whenever you are ready: send the name of an area, photographs, “status” or “finish”.',
    choices: areaChoices(next),
  };
}

function unclear(next) {
  if (next.stage !== 'areas')
    return {
      does: 'say',
      asks: true,
      inspection: { ...next, ...kept() },
      message: 'Sorry, I am not sure what you mean. Send “help” to see what you can do.',
      choices: ['Help'],
    };
  const doubt = doubtOf(text);
  const options = doubt?.options ?? [asRemark(text), NOT_NOTED];
  return askBack(
    next,
    doubt?.message ?? 'Sorry, I am not sure what you mean. Shall I note it as a remark?',
    options,
  );
}

/** Words beside photographs: an area, a remark, an address, or nothing that matters. Photographs are always recorded. */
function withPhotographs(next) {
  const early =
    next.stage === 'new' || next.stage === 'address' || next.stage === 'type' || next.stage === 'name';
  const began = next.stage === 'new';
  if (next.stage === 'name') next = { ...next, stage: 'areas', assessor: next.assessor ?? '' };
  if (next.stage === 'new') next = { ...next, stage: 'address' };
  const base = { does: 'capture', began, inspection: next };
  if (
    said === '' ||
    isChat() ||
    finishing(known) ||
    isStatus() ||
    /^(?:help|undo|oops|here (?:they|it|you) .*|(?:more|another|next)(?: (?:one|photos?|pictures?))?|(?:these|those|this|here) ?(?:are|is)?(?: (?:the|my|some|more))? ?(?:photos?|pictures?|images?|it|one|ones)?)$/.test(
      said,
    )
  )
    return base;
  if (early && !next.address) {
    const address = addressIn(plain) ?? (/^(?:\d\S*\s+\S.{4,})$/s.test(text) ? text : undefined);
    if (address)
      return {
        ...base,
        details: { address, ...partsOf(address) },
        inspection: { ...next, address, stage: next.reportName ? 'areas' : 'type' },
      };
  }
  const skips = skipping(next);
  if (skips?.remark) return { ...skips, began };
  if (skips?.details) {
    const leaveOut = { chip: capital(plain), then: { ...skips, inspection: undefined } };
    return {
      ...askBack(next, 'Your photographs are recorded. Is it not there all the same?', [leaveOut, NOT_NOTED]),
      began,
    };
  }
  // “Same as before” answers the question for the address.
  const isAnswer = next.stage === 'address' && AS_BEFORE.test(tidied(text));
  const opened = isAnswer ? undefined : (observing(next) ?? reading(next) ?? recording(next));
  const label = areaAsLabel();
  if (opened?.does === 'capture' && !(label && opened.asks)) return { ...opened, began };
  if (label) return { ...filedUnder(label, next), began };
  const near = isAnswer || isCommandLike() ? undefined : nearMiss(next, true);
  if (near) return { ...near, began };
  if (!/\p{L}/u.test(text)) return base;
  return {
    ...askBack(next, 'Your photographs are recorded. Shall I note your words as a remark?', [
      asRemark(text),
      NOT_NOTED,
    ]),
    began,
  };
}
