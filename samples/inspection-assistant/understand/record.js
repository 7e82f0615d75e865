/**
 * Puts the record of the inspection before what was said here: beside the chat it may have been changed, and
 * the report is filled from it. What was asked and has been answered there is not asked again.
 */
function withRecord(state) {
  const record = $record ?? {};
  const kind = kindOf(record, state);
  const now = {
    ...state,
    ...(kind ? { reportType: kind.type, reportName: kind.name, waived: waivedBy(kind, state) } : {}),
    address: record.address ?? '',
    assessor: record.assessor ?? (state.assessor === undefined ? undefined : ''),
    skipped: skippedIn(record),
  };
  const answered = { address: now.address, type: now.reportName, name: now.assessor };
  if (now.stage === 'address' && answered.address) now.stage = 'type';
  if (now.stage === 'type' && answered.type) now.stage = 'name';
  if (now.stage === 'name' && answered.name) now.stage = 'areas';
  return now;
}

/** The type in the record; undefined while neither it nor the chat says one. */
function kindOf({ reportType }, { reportName }) {
  const known = [CHECK_IN, CHECK_OUT, INTERIM].find(({ type }) => type === reportType);
  return known ?? (reportName || reportType ? NEUTRAL : undefined);
}

/** “Skip everything” outlives a change that leaves the type as it is. */
function waivedBy(kind, { reportName, waived }) {
  return kind.name === reportName ? waived : kind.waives;
}

/** The areas that the record says are not there, in its words: the service reads more names than those five. */
function skippedIn({ skippedAreas = '' }) {
  return skippedAreas
    .split('|')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/**
 * Puts the things recorded, the newest fifty, before what was said here: beside the chat they may have been moved and
 * deleted. A question goes with its photographs, and ends with them; a reading that is gone is not corrected.
 */
function withThings(state) {
  const things = Array.isArray($things) ? $things : [];
  const areaOf = new Map(things.map(({ id, area }) => [id, area]));
  const isGone = (id) => things.length < MOST_THINGS && !areaOf.has(id);
  const { awaiting, readings = {} } = state;
  const left = Object.entries(readings).filter(([, id]) => !isGone(id));
  // An area that was renamed has its things under the new name.
  const recorded = things.flatMap(({ area, kind }) => (area && kind !== 'absence' ? [area] : []));
  const named = new Map([...(state.areas ?? []), ...recorded].map((area) => [slug(area), area]));
  return {
    ...state,
    ...(state.areas || recorded.length > 0 ? { areas: [...named.values()] } : {}),
    ...(awaiting ? { awaiting: questionNow(awaiting, { areaOf, isGone }) } : {}),
    ...(state.readings ? { readings: Object.fromEntries(left) } : {}),
  };
}

const MOST_THINGS = 50;

function questionNow(awaiting, { areaOf, isGone }) {
  const { photographs = [], area } = awaiting;
  if (photographs.length === 0) return awaiting;
  if (photographs.every(isGone)) return undefined;
  const areas = photographs.flatMap((id) => areaOf.get(id) ?? []);
  return areas.length === 0 || areas.some((each) => slug(each) === slug(area))
    ? awaiting
    : { ...awaiting, area: areas[0] };
}
