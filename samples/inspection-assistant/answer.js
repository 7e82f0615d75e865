/**
 * What is said after something was done. Reads `$did` (capture, status, finish, render, correct), `$result` (the output of
 * the node that did it), `$understood` (the output of `understand`) and `$uploads`, before the report also `$record` (the
 * details in the record) and `$now`; returns `{ message, choices, inspection, asks }`.
 */
const { inspection } = $understood;
const session = ($result && $result.session) || {};
const areas = (session.areas || []).map(({ area }) => area);
const outstanding = (session.outstandingAreas && session.outstandingAreas.slice()) || [];
const now = {
  ...inspection,
  pending: session.pending ?? inspection.pending ?? 0,
  areas: session.areas ? areas : inspection.areas,
};
const NAMES = {
  'electricity-meter': 'Electricity Meter',
  'gas-meter': 'Gas Meter',
  'water-meter': 'Water Meter',
  keys: 'Keys',
  detectors: 'Detectors',
};
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** Lines of an answer that name things. */
const ADD = 'Add to this report';
const NEXT = 'Start the next inspection';
const MOST_NAMED = 6;
const MOST_THINGS = 20;
const FLAW = /^The photograph (is .*)$/;

const said = { capture: captured, status, finish: readBack, render: rendered, correct: corrected }[$did]();
// Every member is there, so that the flow's templates find it.
return { message: '', choices: [], asks: false, inspection, ...said };

function inWords(names) {
  const list = names.map((name) => NAMES[name] ?? name);
  return list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} and ${list[list.length - 1]}`;
}

function captured() {
  const { recorded = [], rejected = [], duplicates = [], warnings = [] } = $result;
  const lines = [];
  const first = recorded[0];
  if (recorded.length === 1)
    lines.push(
      `Thank you, I have recorded 1 photograph in ${first.area}. Photographs so far: ${session.pending}.`,
    );
  else if (recorded.length > 1)
    lines.push(
      `Thank you, I have recorded ${recorded.length} photographs in ${first.area}. Photographs so far: ${session.pending}.`,
    );
  else if (duplicates.length > 0)
    lines.push(`I have recorded these photographs already. Photographs so far: ${session.pending}.`);
  else if ($uploads > 0 && rejected.length === 0)
    lines.push('I found no photograph in that message. Please send pictures, for example JPEG, PNG or HEIC.');
  const { remark, reading, keys, alarm, observations, message } = $understood;
  if (remark) lines.push(`Noted under ${$result.area}: “${shortened(remark)}”.`);
  if (observations) lines.push(`Noted under ${$result.area}: ${observations.map(observed).join('; ')}.`);
  if (reading) lines.push(`The reading ${reading.value} is noted under ${$result.area}.`);
  if (keys) lines.push(`Noted: ${keys.map(counted).join(', ')}.`);
  if (alarm) lines.push(`Noted: ${inspected(alarm)}.`);
  if (inspection.opens) lines.push(`Next is ${inspection.opens}: what you send now goes there.`);
  const isAreaAlone = $uploads === 0 && !remark && !reading && !keys && !alarm && !observations;
  if (isAreaAlone) lines.push(`${$result.area}: please send the photographs, and any remark as “remark: …”.`);
  if (rejected.length === 1) lines.push(`One file could not be used: ${rejected[0].message}`);
  else if (rejected.length > 1)
    lines.push(`${rejected.length} files could not be used. The first of them: ${rejected[0].message}`);
  // Pictures that are used in many inspections would warn in every answer.
  const isNews = (code) => code !== 'same_picture_elsewhere' || !inspection.warnedOfSame;
  const warning = warnings.find(
    ({ code }) =>
      /^(?:same_picture_elsewhere|too_large_to_draw|partly_read|camera_time_differs|place_differs)$/.test(
        code,
      ) && isNews(code),
  );
  const flaw = warnings.find((each) => FLAW.test(each.message));
  if (flaw) lines.push(flawIn(flaw));
  else if (warning) lines.push(`About ${concerned(warning)}: ${warning.message}`);
  const fact = message ? undefined : factOf(recorded);
  const then = next(isAreaAlone);
  // A question comes last, and its answers are what is offered.
  const question = message || fact?.question;
  const isNoted = Boolean(remark || reading || keys || alarm || observations);
  // What is said of a meter, of keys or of an alarm opens its area: the one before is a tap away.
  const before = inspection.current;
  const back = isNoted && before && slug(before) !== slug($result.area ?? '') ? [before] : [];
  const late = isLate() ? unreported() : undefined;
  // An area named together with a remark.
  const offered = message ? [] : (inspection.asked ?? []).map(({ chip }) => chip);
  const choices = message
    ? $understood.choices
    : [
        ...offered,
        ...(isNoted ? ['Undo', ...back] : []),
        ...(late && !fact ? [ADD] : []),
        ...(fact?.choices ?? then.choices),
      ];
  return {
    message: [...lines, late ?? then.message, question].filter(Boolean).join('\n'),
    choices: [...new Set(choices)],
    inspection: {
      ...now,
      awaiting: fact?.awaiting ?? (message ? inspection.awaiting : undefined),
      current: session.currentArea ?? $result.area ?? inspection.current,
      warnedOfSame: inspection.warnedOfSame || warning?.code === 'same_picture_elsewhere',
      last: { photographs: recorded.length + duplicates.length, remark: Boolean(remark) },
      ...(reading ? readNow($result) : {}),
    },
  };
}

function counted({ kind, count, returned }) {
  return `${count} × ${kind}${returned === undefined ? '' : ` (${returned} returned)`}`;
}

function inspected({ kind, place, tested, result }) {
  const outcome = tested === undefined ? '' : tested ? 'tested' : 'not tested';
  return [kind, place, outcome, result && `“${result}”`].filter(Boolean).join(', ');
}

function observed({ item, condition, cleanliness }) {
  return `${item} (${[condition, cleanliness].filter(Boolean).join(', ')})`;
}

/** Photographs that came after the report of this inspection. */
function isLate() {
  return Boolean(inspection.reported) && session.pending > 0;
}

function unreported() {
  return session.pending === 1
    ? '1 photograph is not in the report yet.'
    : `${session.pending} photographs are not in the report yet.`;
}

/** The meter that was read last, and the reading of each meter by its id. */
function readNow({ area, recordedFacts = [] }) {
  const found = recordedFacts.find(({ kind }) => kind === 'reading');
  return { read: area, ...(found ? { readings: { ...inspection.readings, [slug(area)]: found.id } } : {}) };
}

function shortened(words) {
  return words.length > 200 ? `${words.slice(0, 200)}…` : words;
}

/** The photographs that a warning is about: each counts, since equal warnings are told once. */
function concerned({ count = 1 }) {
  return $uploads === 1 ? 'this photograph' : `${COUNTS[count - 1] ?? count} of these photographs`;
}

/** Its sentence is about one photograph, and so it is said of each where there are several. */
function flawIn(warning) {
  const flaw = FLAW.exec(warning.message)[1];
  const subject = concerned(warning);
  return warning.count > 1
    ? `About ${subject}: each ${flaw}`
    : `${subject[0].toUpperCase()}${subject.slice(1)} ${flaw}`;
}

/** The question that a photograph of a meter, of keys or of an alarm leads to. It may be skipped by a tap. */
function factOf(recorded) {
  if (recorded.length === 0 || $understood.reading || $understood.keys || $understood.alarm) return undefined;
  const { area } = recorded[0];
  const name = slug(area);
  const photographs = recorded.filter((each) => each.area === area).map(({ id }) => id);
  const awaiting = (kind) => ({ kind, area, photographs });
  if (/\b(?:gas|elec\w*|water)\b.*\bmeter/.test(name))
    return { awaiting: awaiting('reading'), question: 'What does the meter read?', choices: ['Skip'] };
  if (/^keys?\b|\bfobs?\b/.test(name))
    return {
      awaiting: awaiting('keys'),
      question: 'How many keys are there, for example “2 front door, 1 window”?',
      choices: ['Skip'],
    };
  if (/\b(?:smoke|co|heat|carbon)\b.*\balarms?\b|\bdetectors?\b/.test(name) && !/burglar|intruder/.test(name))
    return {
      awaiting: awaiting('alarm'),
      question: 'Where is it, and was it tested?',
      choices: ['Tested', 'Not tested', 'Skip'],
    };
  return undefined;
}

/** What comes after the photographs: the question that is open, or what is outstanding. */
function next(isAreaAlone) {
  const choices = isAreaAlone ? [] : areaChoices();
  if ($understood.began) {
    const { recorded = [], duplicates = [] } = $result;
    const safe = recorded.length + duplicates.length > 0 ? ' Your photographs are safe.' : '';
    return {
      message: `Hello, and welcome.${safe}\n\nTo begin the report, what is the address of the property?`,
      choices: [],
    };
  }
  if (now.stage === 'address')
    return { message: 'For the report I still need the address of the property. What is it?', choices: [] };
  if (now.stage === 'type')
    return {
      message: 'Which report do you need?\n1. Check-in\n2. Check-out\n3. Interim',
      choices: ['Check-in', 'Check-out', 'Interim'],
    };
  if (outstanding.length > 0) return { message: `Still outstanding: ${inWords(outstanding)}.`, choices };
  if (/^check/.test(now.reportType || ''))
    return {
      message: 'All the meters, keys and detectors are covered. Carry on with the rooms, or send “finish”.',
      choices,
    };
  return { message: 'Send the next area when you are ready, or “finish”.', choices };
}

function areaChoices() {
  if (now.stage !== 'areas') return [];
  const there = new Set((now.areas || []).map(slug));
  const services = outstanding.map((name) => NAMES[name] ?? name);
  const rooms = USUAL_ROOMS.filter((area) => !there.has(slug(area)));
  return [...rooms.slice(0, 4), ...services.slice(0, 3), 'What is missing?', 'Finish'];
}

function status() {
  const lines = [];
  const skipped = $understood.skipped;
  if (skipped === 'all') lines.push('Understood. Everything still outstanding is left out of this report.');
  else if (skipped) lines.push(`Understood. The report will say that it is not available: ${skipped}.`);
  const { pending = 0, currentArea } = session;
  const ready =
    pending === 0
      ? 'No photographs are waiting for a report.'
      : isLate()
        ? unreported()
        : pending === 1
          ? '1 photograph is ready for the report.'
          : `${pending} photographs are ready for the report.`;
  const contents = contentsOfAreas();
  lines.push(contents ? `${ready} Recorded: ${contents}.` : ready);
  if (currentArea) lines.push(`The current area is ${currentArea}.`);
  if (now.stage === 'address') lines.push('I still need the address of the property. What is it?');
  else if (now.stage === 'type') lines.push('I still need the report type: check-in, check-out or interim?');
  else if (outstanding.length > 0)
    lines.push(`Still outstanding: ${inWords(outstanding)}. Send “skip …” for any that is not there.`);
  else if (/^check/.test(now.reportType || ''))
    lines.push('All the meters, keys and detectors are covered. Send “finish” when the rooms are done.');
  else lines.push('Nothing is outstanding. Send “finish” when the rooms are done.');
  const offered = (skipped && inspection.asked ? inspection.asked : []).map(({ chip }) => chip);
  const skips =
    now.stage === 'areas' ? outstanding.slice(0, 4).map((name) => `Skip ${NAMES[name] ?? name}`) : [];
  return {
    message: lines.join('\n'),
    choices: [...offered, ...(isLate() ? [ADD] : []), ...skips, ...(now.stage === 'areas' ? ['Finish'] : [])],
    inspection: { ...now, finishing: inspection.finishing },
  };
}

/** “Kitchen (2 photographs, 1 remark), Hall (1 photograph)”: the newest areas; "" where there is nothing. */
function contentsOfAreas() {
  const named = (session.areas || []).flatMap(({ area, photographs, remarks, facts = 0 }) => {
    const counts = [
      [photographs, 'photograph'],
      [remarks, 'remark'],
      [facts, 'detail'],
    ].filter(([count]) => count > 0);
    const words = counts.map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`);
    return words.length === 0 ? [] : [`${area} (${words.join(', ')})`];
  });
  const earlier = named.length - MOST_THINGS;
  return (earlier > 0 ? [`${earlier} earlier areas`] : []).concat(named.slice(-MOST_THINGS)).join(', ');
}

function rendered() {
  const { file, reason, edition, claimed, outstandingAreas = [] } = $result;
  if (!file) {
    if (reason === 'render_in_progress')
      return {
        message: 'Your report is being written at this moment. Please send “finish” again in a few seconds.',
        inspection,
      };
    if (inspection.lastReport)
      return {
        message: `No new photographs since your last report. Here it is again: ${inspection.lastReport}`,
        choices: [NEXT],
        inspection,
      };
    return {
      message: 'There are no photographs to report on yet. Name an area, then send its photographs.',
      inspection,
    };
  }
  // What the report has can no longer be corrected.
  const reported = { read: undefined, readings: undefined, listed: undefined };
  const lines = [
    `${edition ? `Edition ${edition} of your report, with ${claimed === 1 ? '1 more photograph' : `${claimed} more photographs`}, is ready` : 'Your report is ready'}: ${file.url}\n\nPhotographs: ${file.photographs}\nPages: ${file.pages}\nFile: ${file.filename}`,
  ];
  if (outstandingAreas.length > 0)
    lines.push(
      `\nNot covered in this report: ${inWords(outstandingAreas.slice())}. If you send them now, “add to this report” makes a new edition of it.`,
    );
  return {
    message: lines.join('\n'),
    // A client that keeps a chat for each inspection would open one at once if it were the only choice.
    choices: typeof $vars.newChat === 'string' && $vars.newChat ? [$vars.newChat, 'Help'] : [NEXT],
    inspection: {
      ...inspection,
      reported: true,
      lastReport: file.url,
      ...reported,
      pending: 0,
      stage: 'areas',
      finishing: false,
    },
  };
}

function corrected() {
  const { undo, fact, list, target } = $understood.correction;
  const { corrected = 0, message, code, things } = $result;
  if (list && things) return recorded(things);
  if (corrected === 0 && fact)
    return {
      message: message || `It says so already: the reading is ${fact.value}.`,
      choices: areaChoices(),
    };
  if (corrected === 0) {
    const unasked = { ...inspection, asked: undefined };
    if (undo && code === 'already_claimed')
      return {
        message: 'That is in a finished report and stays in it. What you send now goes into the next report.',
        choices: areaChoices(),
        inspection: unasked,
      };
    const why = undo
      ? 'There is nothing that could be taken back.'
      : 'There is no photograph that could be corrected: what is in a finished report stays as it is.';
    const isOfPhotographs = undo || /^last(?:-batch)?$/.test(target ?? '');
    return {
      message: (code === 'nothing_to_correct' && isOfPhotographs) || !message ? why : message,
      choices: areaChoices(),
      inspection: unasked,
    };
  }
  if (undo)
    return {
      message: undoneInWords($result.undone),
      choices: areaChoices(),
      inspection: { ...now, ...unread($result.undone), undone: withdrawnBy($result.undone) },
    };
  const { text, area } = $result;
  const also = (inspection.asked ?? []).map(({ chip }) => chip);
  if (target === 'last-remark' && $understood.correction.withdrawn)
    return {
      message: `Removed your remark “${shortened(text)}” from ${area}. Send “undo” to take that back.`,
      choices: ['Undo'],
    };
  if (/^last-/.test(target ?? '') && $understood.correction.withdrawn && $result.fact)
    return {
      message: `Removed your ${$result.kind} from ${area}. Send “undo” to take that back.`,
      choices: [...also, 'Undo'],
    };
  const stays = also.length > 0 ? ' The remark that came with them stays where it was.' : '';
  return {
    message: `${$understood.said}${stays} Send “undo” to take that back.`,
    choices: [...also, 'Undo'],
  };
}

/** Counts the photographs that an undo took out of the report. */
function withdrawnBy(undone) {
  return undone.filter(({ kind, corrected }) => kind === 'photograph' && !corrected).length;
}

/** Readings that were taken back can no longer be corrected. */
function unread(undone) {
  const gone = new Set(undone.filter((each) => !each.corrected).map(({ id }) => id));
  const readings = Object.entries(inspection.readings ?? {}).filter(([, id]) => !gone.has(id));
  const isRead = readings.some(([name]) => name === slug(inspection.read ?? ''));
  return { readings: Object.fromEntries(readings), read: isRead ? inspection.read : undefined };
}

/** The things that no report has, by number, so that “delete 3” names one. */
function recorded(things) {
  const shown = things.filter(({ kind }) => kind !== 'detail').slice(0, MOST_THINGS);
  if (shown.length === 0)
    return { message: 'Nothing is recorded that is not in a report.', inspection: { ...now, listed: [] } };
  const listed = shown.map((each) => ({
    id: each.id,
    kind: each.kind,
    words: thingInWords(each),
    service: serviceOf(each),
  }));
  const lines = listed.map(({ words }, index) => `${index + 1}. ${words}`);
  return {
    message: `This is recorded, the newest first:\n${lines.join('\n')}\nSend “delete 1” to remove one of them.`,
    choices: ['Undo', 'What is missing?'],
    inspection: { ...now, listed },
  };
}

function thingInWords({ kind, area, text }) {
  if (kind === 'photograph') return `Photograph in ${area}${text ? `: “${shortened(text)}”` : ''}`;
  if (kind === 'absence') return `${area}: not available`;
  return `${kind[0].toUpperCase()}${kind.slice(1)} in ${area}: “${shortened(text)}”`;
}

function serviceOf({ kind, area }) {
  return kind === 'absence' ? area.toLowerCase().replace(/ /g, '-') : '';
}

/** What an undo took back, each by its words. */
function undoneInWords(undone) {
  const lines = [
    ...photographsUndone(undone.filter(({ kind }) => kind === 'photograph')),
    ...undone.filter(({ kind }) => kind !== 'photograph').map(undoneThing),
  ];
  const more = lines.length - MOST_NAMED;
  return [...lines.slice(0, MOST_NAMED), ...(more > 0 ? [`And ${more} more.`] : [])].join('\n');
}

function photographsUndone(photographs) {
  const groups = new Map();
  for (const { area, corrected: reversed } of photographs) {
    const name = JSON.stringify([area, Boolean(reversed)]);
    groups.set(name, (groups.get(name) ?? 0) + 1);
  }
  return [...groups].map(([name, count]) => {
    const [area, reversed] = JSON.parse(name);
    const these = count === 1 ? 'the photograph' : `${count} photographs`;
    return reversed
      ? `Put back as before: ${these} in ${area}.`
      : `Removed ${count === 1 ? 'your photograph' : these} from ${area}.`;
  });
}

function undoneThing({ kind, area, text, corrected: reversed }) {
  if (kind === 'absence') return `${area} is ${reversed ? 'left out again' : 'no longer left out'}.`;
  if (kind === 'detail') return `Undone: ${text}.`;
  if (reversed) return `Put back as before: the ${kind} “${text}” in ${area}.`;
  return `Removed your ${kind} “${text}” from ${area}.`;
}
