const READING_FILLERS = words(
  "the a my our on of for in at is it it's its was now current so please reads read reading reads: says shows showing showed meter meters no number = : - and that should be say not instead rather really actually sorry oops wait i meant mean correct correction change to here taken today a new one final opening closing last wrong incorrect thanks thank you cheers ta pls mate",
);
const UNIT = /^(?:m3|m³|kwh|kw|units?|ft3|cubic|metres?|meters?|feet)$/;

/** “Serial G4A12345” after a reading, or before “reading 00123”. */
const SERIAL =
  /[\s,;.]+(?:meter )?(?:serial(?: (?:number|no|nr))?|msn|s\/n|s\.n)\.?(?: is)?[\s:=#]*((?=[\da-z/-]*\d)[\da-z][\da-z/-]{2,24})(?=$|[\s,;]+(?:the )?(?:reading|reads?)\b)/i;

/** The serial number in the message, if it names one, and the words without it. */
function withoutSerial() {
  const words = ` ${plain.replace(/[\s,.!]+(?:please|thanks|thank you|cheers|ta)?[\s.!]*$/i, '')}`;
  return { serial: SERIAL.exec(words)?.[1], rest: words.replace(SERIAL, ' ') };
}

/** A reading of a meter, said with nothing else but its serial number: “gas meter: 02846”, “the reading is 04713 m3”. */
function reading(next) {
  const { serial, rest } = withoutSerial();
  const found = readingIn(tidied(rest).replace(/\?+$/, ''));
  if (!found) return serialOfMeter(next);
  const { value, unit, meter, isAgain } = found;
  const fact = { value, ...(unit ? { unit } : {}), ...(serial ? { serial } : {}) };
  const area = meter ?? meterIn((known.current ?? '').toLowerCase()) ?? (isAgain ? known.read : undefined);
  if (area === undefined) {
    if (known.read) return askBack(next, ...Object.values(changeOrNew(value, fact)));
    const { message, options } = whichMeter(value, asRemark(text));
    return askBack(next, message, options);
  }
  const name = areaOfMeter(area);
  const before = known.readings?.[slug(name)];
  if (before) return rereading(before, name, fact, next);
  if (isAgain && (meter || !known.read)) {
    const { message, options } = whichMeter(value, NOT_NOTED, area);
    return askBack(next, message, options);
  }
  if (isAgain && known.readings && Object.keys(known.readings).length > 0 && !meter)
    return askBack(next, ...Object.values(changeOrNew(value, fact)));
  return { does: 'capture', area: name, reading: fact, inspection: next };
}

/** “Serial G4A12345” after the reading of this meter: it is stored with the reading. */
function serialOfMeter(next) {
  const { serial, rest } = withoutSerial();
  if (!serial) return undefined;
  const words = tidied(rest);
  const isAlone = words.split(' ').every((word) => word === '' || word === 'the' || NAMES_METER.test(word));
  const meter = meterIn(words) ?? meterIn((known.current ?? '').toLowerCase());
  const name = meter && areaOfMeter(meter);
  const isOfIt = ({ kind, area }) => kind === 'reading' && slug(area) === slug(name);
  const id = name && Array.isArray($things) && $things.find(isOfIt)?.id;
  return isAlone && id
    ? correction({ target: id, fact: { serial } }, `The serial number of ${name} is now ${serial}.`, next)
    : undefined;
}

function rereading(id, name, fact, next) {
  return correction({ target: id, fact }, `The reading of ${name} is now ${fact.value}.`, next);
}

function changeOrNew(value, fact) {
  const id = known.readings?.[slug(known.read)] ?? 'last-reading';
  const others = METERS.filter((meter) => slug(areaOfMeter(meter)) !== slug(known.read)).slice(0, 2);
  return {
    message: `Is ${value} the reading of ${known.read}, or of another meter?`,
    options: [
      {
        chip: `Change the reading of ${known.read}`,
        then: {
          does: 'correct',
          correction: { target: id, fact },
          said: `The reading of ${known.read} is now ${value}.`,
        },
      },
      ...others.map((meter) => readingOption(meter, value)),
    ],
  };
}

const RATE = String.raw`(?<rate>off[\s-]?peak|peak|day|night|low|normal|high|rate [12])\b(?: rate)?`;
const RATE_VALUE = String.raw`(?<value>\d[\d.,]*\d)(?: ?(?<unit>kwh))?\b`;
/** “Day: 12345” and “1234 kwh day”. */
const RATES = [
  String.raw`\b${RATE}(?: (?:is|reads|reading))?[\s:=-]{1,3}${RATE_VALUE}`,
  String.raw`\b${RATE_VALUE} (?:on )?${RATE}`,
].map((pattern) => new RegExp(pattern, 'g'));

/** “Day 12345 night 54321”: the two readings of one electricity meter, each of which is offered by itself. */
function twoRates(next) {
  const lower = tidied(plain);
  for (const pattern of RATES) {
    const found = [...lower.matchAll(pattern)].map(({ groups }) => groups);
    const rest = lower
      .replace(pattern, ' ')
      .split(/[\s,;:]+/)
      .filter(Boolean);
    const isAll = rest.every(
      (word) => READING_FILLERS.has(word) || word === 'and' || meterIn(word) === METERS[0],
    );
    if (!isAll || found.length !== 2 || found[0].rate === found[1].rate) continue;
    const area = areaOfMeter(METERS[0]);
    const options = found.map(({ rate, value, unit }) => {
      const register = capital(rate);
      const fact = { value: value.replace(/,/g, ''), register, ...(unit ? { unit } : {}) };
      return {
        chip: `${register} ${fact.value}`,
        then: { does: 'capture', area, reading: fact },
        isPart: true,
      };
    });
    return askBack(next, 'One reading at a time, please. Which first?', [...options, asRemark(text, area)]);
  }
  return undefined;
}

/** “Serial G4A12345”, “supplier British Gas”, “display blank”, “prepayment meter, £12.40 credit”, while a meter is inspected. */
const OF_METER =
  /^(?!.*\b(?:readings?|reads?)\b.*\d)(?:the )?(?:(?:meter )?(?:serial|msn|s\/n|mpan|mprn|supplier|supplied by|tariff|debt|emergency credit|credit)\b(?! (?:number|no)$)|(?:display|screen|dial)s? (?:is )?(?:blank|off|faulty|dead|misted|unreadable|not lit)|(?:smart|pre-?pay(?:ment)?|pay as you go|top[- ]?up|credit|key|card|coin) meter\b(?!.*\d{3}).)[^?]*$/;

function isOfMeter(lower) {
  return (
    /\s/.test(lower) && OF_METER.test(lower) && meterIn((known.current ?? '').toLowerCase()) !== undefined
  );
}

const NAMES_METER = /^(?:gas|elec(?:tric(?:ity|al)?)?|lec(?:cy|ky)|water|meter)$/;
const METERS = ['Electricity Meter', 'Gas Meter', 'Water Meter'];

/** Asks which meter a number is the reading of. */
function whichMeter(value, note, meter) {
  const meters = meter ? [meter] : METERS;
  return {
    message: meter ? `Is ${value} the reading of the ${meter.toLowerCase()}?` : `Which meter reads ${value}?`,
    options: [...meters.map((each) => readingOption(each, value)), note],
  };
}

function readingOption(meter, value) {
  const area = areaOfMeter(meter);
  return { chip: `Reading of ${area}`, then: { does: 'capture', area, reading: { value } } };
}

/** The name under which the session has this meter. */
function areaOfMeter(meter) {
  const kind = meterIn(meter.toLowerCase());
  return (known.areas ?? []).find((area) => meterIn(area.toLowerCase()) === kind) ?? meter;
}

function meterIn(lower) {
  if (/\bgas\b/.test(lower)) return 'Gas Meter';
  if (/\b(?:elec(?:tric(?:ity|al)?)?|lec(?:cy|ky))\b/.test(lower)) return 'Electricity Meter';
  return /\bwater\b/.test(lower) ? 'Water Meter' : undefined;
}

/** The parts of a sentence that says nothing but a reading. A number alone is one where a meter is being inspected. */
function readingIn(lower) {
  const again =
    /^(?:no|nope|sorry|oops|wait|actually|change|correct|i meant)\b|\bshould\b|\bnot \d|\binstead\b|\bwrong\b|\bincorrect\b|\brather\b|\breally\b|\bactually\b/;
  // The number of the meter is none of its readings.
  if (/\bmeter (?:number|no\.?|nr\.?|#)(?![\p{L}])|\bserial\b|\b(?:mpan|mprn)\b/u.test(lower))
    return undefined;
  const isAgain = again.test(lower);
  const words = lower.replace(/,? (?:not|instead of|rather than) \d[\d.,]*/, '').replace(/[:=]/g, ' ');
  const number = /(?:^|\s)(\d[\d.,]*(?: \d{1,3}(?=\s|$))*)\s?(m3|m³|kwh|units?)?(?=\s|$)/.exec(words);
  if (!number) return undefined;
  const value = number[1].replace(/[\s,]+/g, '').replace(/\.$/, '');
  const rest = `${words.slice(0, number.index)} ${words.slice(number.index + number[0].length)}`;
  const tokens = rest.split(/[\s,;-]+/).filter(Boolean);
  const isUnit = tokens.filter((token) => UNIT.test(token) && !/^met/.test(token));
  const others = tokens.filter(
    (token) => !READING_FILLERS.has(token) && !UNIT.test(token) && !NAMES_METER.test(token),
  );
  if (others.length > 0) return undefined;
  const isNamed = meterIn(rest) !== undefined || /\b(?:meter|reading|reads?)\b/.test(rest);
  const unit = number[2] ?? isUnit[0];
  const isLong = value.replace(/\D/g, '').length >= 3;
  if (!isNamed && !unit && !isLong) return undefined;
  return { value, unit, meter: meterIn(rest), isAgain };
}
