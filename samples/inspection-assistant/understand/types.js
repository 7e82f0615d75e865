const TYPES = ['Check-in', 'Check-out', 'Interim'];
const CHECK_IN = { type: 'checkin', name: 'check-in', waives: '' };
const CHECK_OUT = { type: 'checkout', name: 'check-out', waives: '' };
const INTERIM = { type: 'interim', name: 'interim', waives: ALL_SERVICE.join('|') };
/** A report without a type: nothing is outstanding on it. */
const NEUTRAL = { type: '', name: 'property inspection', waives: ALL_SERVICE.join('|') };

function typeOf(words) {
  if (
    /^\W*(?:(?:option|number|no\.?)\s*)?1\W*$|\bcheck(?:ing|ed)?[\s_-]*in\b|\bmov(?:e|ing)[\s_-]*in\b|\bcheckin\b|\bingoing\b|^\W*c\/i\W*$|^\W*(?:the )?(?:first|in)(?: one)?\W*$|\binventory\b/.test(
      words,
    )
  )
    return CHECK_IN;
  if (
    /^\W*(?:(?:option|number|no\.?)\s*)?2\W*$|\bcheck(?:ing|ed)?[\s_-]*out\b|\bmov(?:e|ing)[\s_-]*out\b|\bcheckout\b|\boutgoing\b|^\W*c\/o\W*$|\bend of tenancy\b|^\W*(?:the )?(?:second|out)(?: one)?\W*$/.test(
      words,
    )
  )
    return CHECK_OUT;
  if (
    /^\W*(?:(?:option|number|no\.?)\s*)?3\W*$|\binterim\b|\bmid[\s-]?term\b|\bperiodic\b|\broutine\b|\bproperty visit\b|^\W*(?:the )?third(?: one)?\W*$/.test(
      words,
    )
  )
    return INTERIM;
  if (
    /^(?:none of (?:these|them)|neither|other|another|something else|general|property inspection|none)\W*$/.test(
      words,
    )
  )
    return NEUTRAL;
  return undefined;
}

function withType(kind, next) {
  return { ...next, reportType: kind.type, reportName: kind.name, saidType: kind.name, waived: kind.waives };
}

function typed(kind, next) {
  const now = withType(kind, next);
  const details = { reportType: kind.type || null };
  if (next.stage === 'new' || next.stage === 'address' || !next.address)
    return {
      does: 'details',
      details,
      inspection: { ...now, stage: 'address' },
      message: `A ${kind.name} inspection, thank you. What is the address of the property?`,
    };
  if (next.stage !== 'type')
    return {
      does: 'details',
      details,
      inspection: now,
      message: `Thank you, the report type is now: ${kind.name}.`,
    };
  return nameNext(details, now, kind.name);
}

const TYPE_NAME =
  '(?:check(?:ing|ed)?[\\s_-]*(?:in|out)|mov(?:e|ing)[\\s_-]*(?:in|out)|ingoing|outgoing|end of tenancy|inventory|interim|mid[\\s-]?term|periodic|routine)';
const IS_TYPE = new RegExp(
  `^${TYPE_NAME}(?: (?:inspection|report|visit|one|this one|this time|today|now|here|actually|really|i think))*$`,
);
const NOT_TYPE = new RegExp(
  `^(?:(?:no,? )?(?:it|this|that)(?:'s| is| was| isn't| wasn't)? )?(?:not )?(?:an? |the )?${TYPE_NAME}(?: (?:inspection|report|visit))?[\\s,.;]*(?:(?:but|it's|it is|this is|that's|actually|rather) ?)*(?:an? |the )?(.*)$`,
);

/** “A check-out, not a check-in” is a check-out. */
function withoutDenied(words) {
  return words.replace(/,? (?:not|rather than|instead of) .*$/, '');
}

/** “It’s an interim”, “not a check-in, a check-out”. “It was broken at check-in” says nothing of the type. */
function typeSaid(next) {
  const isDenied =
    /^(?:no,? )?(?:(?:it|this|that)(?:'s| is| was)? not|(?:it|this|that) (?:isn't|wasn't)|not)\b/.test(said);
  const [, instead] = (isDenied && NOT_TYPE.exec(said)) || [];
  if (instead === '') return askType(next, false);
  const meant =
    /^(?:(?:no,? )?(?:it|this|that)(?:'s| is| was)?(?: actually| meant to be| supposed to be| should be)? (?:an? |the )?|(?:i (?:meant|mean|said|want|need|would like)|change(?: it| that| this)? to|make (?:it|this|that)|switch to) (?:an? |the )?)(.+)$/.exec(
      said,
    );
  const value = withoutDenied(instead ?? meant?.[1] ?? (/ not /.test(said) ? said : ''));
  return IS_TYPE.test(value) ? typed(typeOf(value), next) : undefined;
}
