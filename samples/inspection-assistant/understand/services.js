/** The subject of a sentence about an alarm, and what is said of it. */
const ALARM_SUBJECT =
  /^(?:the |both |all |test(?:ed)? )*((?:(?:smoke|heat|co|carbon monoxide|fire)(?:(?: and|\/| &) (?:smoke|heat|co|carbon monoxide))? )(?:alarm|detector)s?)\b[\s,:-]*(.*)$/;

const NOISE = /\b(?:beep(?:s|ing)|sound(?:s|ing)|rings|chirp(?:s|ed))\b/;
const CONFIRMED =
  /\b(?:test(?:s|ed|ing)?|work(?:s|ed|ing)?|pressed|button|passed|ok|okay|fine|good|well|loud(?:ly)?|clear(?:ly)?|correctly|normally|successfully|order)\b/;

/** “Smoke alarm on the landing tested and working”: the alarm itself, in whichever area it is said. */
function alarmTest(next) {
  const [, kind, rest] = ALARM_SUBJECT.exec(said) ?? [];
  if (kind === undefined) return undefined;
  // “Tested smoke alarm in hall” and “smoke alarm in hall, tested” are the same.
  const isTestedFirst = /^(?:the )?tested\b/.test(said);
  // “Smoke alarm tested, CO alarm not tested” is about two.
  if (/\b(?:smoke|heat|co|carbon monoxide|fire) (?:alarm|detector)s?\b/.test(rest)) return undefined;
  const tested =
    isTestedFirst && !/\btested\b/.test(rest) ? [rest, 'tested'].filter(Boolean).join(', ') : rest;
  const alarm = alarmIn(tested.replace(/(\S) ((?:(?:was|were|is|are) )?(?:not |un)tested)$/, '$1, $2'));
  if (alarm?.tested === undefined || (!alarm.tested && !UNTESTED.test(rest))) return undefined;
  // “The smoke alarm beeps” speaks of a flat battery, “beeps when pressed” of a test.
  if (alarm.tested && NOISE.test(tested) && !CONFIRMED.test(tested)) return undefined;
  const name = capital(kind.replace(/\bco\b/, 'CO'));
  return { does: 'capture', area: areaOfAlarms(kind), alarm: { kind: name, ...alarm }, inspection: next };
}

/** The area of the session for an alarm of this kind. */
function areaOfAlarms(kind) {
  const isOfAlarms = (area) => serviceIn(area) === 'detectors';
  return knownArea(kind) ?? (known.areas ?? []).find(isOfAlarms) ?? 'Detectors';
}

/** The service area that an area of the session is. */
function serviceIn(area = '') {
  const lower = area.toLowerCase();
  if (/\b(?:burglar|intruder|security)\b/.test(lower)) return undefined;
  if (meterIn(lower) && /\bmeter\b/.test(lower)) return slug(meterIn(lower));
  return SERVICE.find(({ slug: name, pattern }) => !name.endsWith('-meter') && pattern.test(lower))?.slug;
}

/** “3 keys: 2 yale, 1 mortice”, where the counts are as many as the total, “keys 2 yale 1 mortice”, “keys received: 2 yale”. */
function listedKeys() {
  const list =
    /^(?:keys?|fobs?)(?: (?:were |are )?(?:received|supplied|provided|issued|collected))?(?:\s*(?::|\s-\s|,)\s*|\s+(?=\d))(.+)$/.exec(
      withoutReturn(said),
    )?.[1];
  if (list) return keysIn(list);
  const [, total, named] =
    /^(\d{1,3}|[a-z]+) keys?(?: in total| altogether)?\s*(?::|\s-\s)\s*(.+)$/.exec(said) ?? [];
  const keys = named && !/\bfobs?\b/.test(named) ? keysIn(named) : undefined;
  return keys?.reduce((count, each) => count + each.count, 0) === countOf(total) ? keys : undefined;
}

/** Counts of keys. “No, 3 keys” after a count is either instead of it or besides it. */
function keysCounted(keys, area, next) {
  const then = { does: 'capture', area, keys };
  const isAgain = /^(?:no|nope|sorry|oops|wait|actually|wrong|i meant?|correction)\b/i.test(plain);
  const isCounted = Array.isArray($things) && $things.some(({ kind }) => kind === 'keys');
  if (!isAgain || !isCounted) return { ...then, inspection: next };
  const words = keys.map(({ kind, count }) => `${count} × ${kind}`).join(', ');
  const removes = { does: 'correct', correction: { target: 'last-keys', withdrawn: true }, said: '' };
  return askBack(next, `Is ${words} instead of the last count, or besides it?`, [
    { chip: 'Remove the last count first', then: removes, isPart: true },
    { chip: `Note ${words}`, then, isPart: true },
    NOT_DELETED,
  ]);
}

/**
 * The service area that a remark is about, if that is not the open one. A remark about a meter is filed there from anywhere. In
 * a room so is one about all keys, or about keys that change hands; “the window key is missing” and “the smoke alarm beeps” stay
 * in the room. In another service area they go to Keys and Detectors.
 */
function subjectOf(lower) {
  const meter =
    /^(?:the )?(?:(?!no|by|near|under|behind|above|below|beside|inside|from|with|at|in|on)[a-z-]+ )?(?:gas|elec(?:tric(?:ity)?)?|water) meter\b(?! (?:keys?|cupboard|box|door)\b)/.test(
      lower,
    )
      ? meterIn(lower)
      : undefined;
  if (meter) return serviceIn(known.current) === slug(meter) ? undefined : areaOfMeter(meter);
  if (!known.current) return undefined;
  const here = serviceIn(known.current);
  const areKeys =
    /^(?:(?:the|all|all the|both) )?(?:keys|fobs)\b/.test(lower) ||
    (isCountOfKeys(lower) && /\b(?:returned|handed|given|collected|received)\b/.test(lower)) ||
    (here && /^(?:the )?(?:[a-z]+ ){0,3}keys?\b/.test(lower));
  if (areKeys) return here === 'keys' ? undefined : (knownArea('keys') ?? 'Keys');
  const [, alarm] = ALARM_SUBJECT.exec(lower) ?? [];
  return alarm && here && here !== 'detectors' ? areaOfAlarms(alarm) : undefined;
}

/** “No CO alarm” says nothing of the smoke alarms, which are detectors as well. */
function isOtherAlarm(words) {
  return /\b(?:co|carbon|heat)\b/.test(words) && !/\bsmoke\b/.test(words);
}

/** A remark about an alarm stays in its room; without one it is filed with the alarms. */
function areaOfRemark(alarm) {
  return known.current && serviceIn(known.current) === undefined ? {} : { area: areaOfAlarms(alarm) };
}
