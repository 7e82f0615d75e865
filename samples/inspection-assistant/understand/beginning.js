/** Address, type and name, in this order; what comes early is kept and not asked again. */
function beginning(next) {
  if (next.stage === 'new') {
    const told = beginningOf(plain, next);
    if (told) return told;
    return {
      does: 'say',
      inspection: { ...next, stage: 'address' },
      message:
        'Hello, and welcome. I will help you with this inspection and write the report at the end.\n\nWhat is the address of the property?',
    };
  }
  if (next.stage === 'address') return addressStage(next);
  if (next.stage === 'type') return typeStage(next);
  if (next.stage === 'name') return nameStage(next);
  return undefined;
}

/** A first message that holds an address, a type, or both. */
function beginningOf(words, next) {
  const address = addressIn(words);
  const kind = typeOf(
    address ? words.toLowerCase().replace(address.toLowerCase(), ' ') : words.toLowerCase(),
  );
  if (address) return addressed(address, kind && kind !== NEUTRAL ? withType(kind, next) : next);
  if (kind && kind !== NEUTRAL && /check|move|inventory|interim|mid|periodic|routine/.test(said)) {
    const known = withType(kind, next);
    return {
      does: 'details',
      details: { reportType: kind.type || null },
      inspection: { ...known, stage: 'address' },
      message: `A ${kind.name} inspection, thank you. What is the address of the property?`,
    };
  }
  return undefined;
}

function addressStage(next) {
  const told = beginningOf(plain, next);
  if (told) return told;
  const label = /^\s*address\s*[:-]\s*/i;
  const words = text.replace(label, '').trim();
  const isPhrase =
    /\p{L}/u.test(words) && words.length >= 3 && !/\?\s*$/.test(words) && !isChat() && !isAreaOnly(said);
  if (isPhrase && !isCommandLike() && !/^(?:skip|none|later|n\/?a|don't know|not sure)\b/.test(said)) {
    if (looksLikeAddress(words)) return addressed(words, next);
    const option = {
      chip: 'Yes, that is the address',
      then: { call: 'address', address: words.slice(0, 300) },
    };
    return askBack(next, `“${words}” does not look like an address. Is it the address of the property?`, [
      option,
      { chip: 'No', then: { call: 'askAddress' } },
    ]);
  }
  return {
    does: 'say',
    inspection: next,
    message: 'Please send me the address of the property, for example “14 Acacia Avenue, Leeds LS1 4AP”.',
  };
}

function addressed(value, next) {
  const address = value.trim();
  const details = {
    address,
    ...partsOf(address),
    ...(next.reportName ? { reportType: next.reportType || null } : {}),
  };
  const changed = known.address !== undefined && known.address !== '' && known.stage !== 'address';
  const now = {
    ...next,
    address,
    stage: next.stage === 'new' || next.stage === 'address' ? 'type' : next.stage,
  };
  if (changed || now.stage === 'areas' || now.stage === 'name')
    return {
      does: 'details',
      details,
      inspection: now,
      message: `Thank you, the address is now: ${address}`,
    };
  if (now.reportName) return nameNext(details, now, `${now.reportName} at ${address}`);
  return {
    does: 'details',
    details,
    inspection: now,
    message: 'Thank you. Which report do you need?\n1. Check-in\n2. Check-out\n3. Interim',
    choices: TYPES,
  };
}

function typeStage(next) {
  const kind = typeOf(said) ?? typeOf(plain.toLowerCase());
  if (kind) return typed(kind, next);
  const address = addressIn(plain);
  if (address) return addressed(address, next);
  return askType(next, true);
}

/** Address and type are known: the name is asked for, unless it was said already. */
function nameNext(details, now, understood) {
  if (now.assessor !== undefined) return begun(details, now);
  const message = `Thank you: ${understood} it is. ${ASK_NAME}`;
  const lastName = now.lastName || givenByClient('inspector');
  const choices = [...(lastName ? [lastName] : []), 'Skip'];
  return { does: 'details', details, inspection: { ...now, stage: 'name' }, message, choices };
}

function begun(details, now) {
  const inspection = { ...now, stage: 'areas' };
  return { does: 'details', details, inspection, message: beginText(now), choices: areaChoices(now) };
}

function askType(next, again) {
  if (next.stage === 'areas') {
    const options = [CHECK_IN, CHECK_OUT, INTERIM].map(({ type }, index) => ({
      chip: TYPES[index],
      then: { call: 'type', type },
    }));
    return askBack(next, 'Which report do you need?', options);
  }
  const first = again
    ? 'Sorry, I did not recognise that. Which report do you need? Please answer 1, 2 or 3:'
    : 'Which report do you need?';
  return {
    does: 'say',
    inspection: { ...next, stage: 'type' },
    message: `${first}\n1. Check-in\n2. Check-out\n3. Interim`,
    choices: TYPES,
  };
}

/** Commands that are no names of people. */
const NO_NAME = /^(?:undo|oops|whoops|back|go back|cancel|stop|quit|exit|what|who|why|wrong name)$/;

function nameStage(next) {
  if (
    /^(?:skip(?: (?:it|this|name|that))?|none|no name|not now|later|n\/?a|-|nobody|no one|leave (?:it )?(?:blank|out|empty)|blank|anonymous|no inspector)$/.test(
      said,
    ) ||
    /^(?:no|-|no name)(?: (?:thanks|thank you|please|needed|ta))*$/.test(bare())
  )
    return nameGiven('', next);
  const labelled =
    /^(?:(?:hi|hello)[, ]+)?(?:my name(?:'s| is)|i'?m|i am|it'?s|this is|name'?s)\s+(.+)$/i.exec(plain);
  const name = (labelled ? labelled[1] : text)
    .trim()
    .replace(/\s*[.;]$/, '')
    .replace(COURTESIES_AFTER, '');
  const kind = typeOf(said);
  if (kind && kind !== NEUTRAL && /check|mov|interim|mid/.test(said))
    return typed(kind, { ...next, stage: 'type' });
  if (labelled && !isAreaOnly(name.toLowerCase()) && !isSentence(name.toLowerCase()))
    return nameGiven(name.slice(0, 200), next);
  if (isAreaOnly(said) || areaAfterWords(said) || corrects() || isSentence(said) || /\?\s*$/.test(plain)) {
    const areas = { ...next, stage: 'areas', assessor: '' };
    if (isAreaOnly(said) || areaAfterWords(said)) return recording(areas);
    const message = isSentence(said) ? `That is not noted yet: we begin after this. ${ASK_NAME}` : ASK_NAME;
    return { does: 'say', inspection: next, message, choices: ['Skip'] };
  }
  if (isChat() || !/\p{L}/u.test(name) || NO_NAME.test(said))
    return { does: 'say', inspection: next, message: ASK_NAME, choices: ['Skip'] };
  return nameGiven(name.slice(0, 200), next);
}

function nameGiven(assessor, next) {
  return begun({ assessor: assessor || null }, { ...next, assessor });
}

/** Reads back what was understood, so that a mistake is seen before the first photograph. */
function beginText({ assessor, address, reportName }) {
  const { propertyNo, postcode } = partsOf(address ?? '');
  const named = [propertyNo && `number ${propertyNo}`, postcode && `postcode ${postcode}`]
    .filter(Boolean)
    .join(', ');
  const line = `${reportName[0].toUpperCase()}${reportName.slice(1)}: ${address.replace(/\s*\n\s*/g, ', ')}${named ? ` (${named})` : ''}`;
  const first = assessor
    ? `Thank you, ${assessor}. We can begin.`
    : 'No problem, the report will carry no name. We can begin.';
  return `${first}\n${line}. If that is wrong, send for example “address: …” or “type: check-out”.\nName an area (for example “Kitchen”), then send its photographs. Send “help” at any time to see what else you can do.`;
}

/** Photographs that no report has stay in their inspection: they are reported first, or left out. */
function restarted(next) {
  const pending = Number(known.pending ?? 0);
  if (pending === 0) return fresh(next);
  const isOne = pending === 1;
  const these = `${isOne ? '1 photograph' : `${pending} photographs`}${known.address ? ` of ${known.address}` : ''}`;
  const newChat = givenByClient('newChat');
  return askBack(
    next,
    newChat
      ? `${these} ${isOne ? 'is' : 'are'} in no report yet, and ${isOne ? 'stays' : 'stay'} in this inspection. Shall I make that report first? You can also come back to it from the list.`
      : `${these} ${isOne ? 'is' : 'are'} in no report yet. Shall I make that report first, or leave ${isOne ? 'it' : 'them'} out? What is left out stays stored, and is never printed for another property.`,
    [
      { chip: 'Make their report first', then: { call: 'finish' } },
      { chip: newChat || 'Leave them out', then: { call: 'fresh' } },
      { chip: 'Carry on here', then: { call: 'nothing' } },
    ],
  );
}

/**
 * The next inspection: nothing moves from one to the other. A client that keeps a chat for each inspection opens one, because
 * this answer offers nothing else. In any other chat it has a session of its own.
 */
function fresh(next) {
  const newChat = givenByClient('newChat');
  const isBegun = Boolean(known.address || known.lastReport || known.areas?.length > 0);
  if (newChat && isBegun)
    return {
      does: 'say',
      inspection: { ...next, stage: known.stage },
      message: 'The next inspection has a chat of its own. This one stays as it is.',
      choices: [newChat],
    };
  return {
    does: 'say',
    inspection: {
      stage: 'address',
      session: newChat ? '' : $flow.executionId,
      pending: 0,
      areas: [],
      lastReport: known.lastReport,
      lastName: known.assessor || known.lastName,
    },
    message: 'Of course, let us start a new inspection.\n\nWhat is the address of the property?',
  };
}

/** A variable that the client gives with each message; empty without one. */
function givenByClient(name) {
  const value = $vars[name];
  return typeof value === 'string' ? value.trim().slice(0, 200) : '';
}
