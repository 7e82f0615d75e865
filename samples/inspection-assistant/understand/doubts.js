/** Asks back: `options` are `{ chip, then }`, where `then` is the result that its chip leads to, or the name of one in `THEN`. */
function askBack(next, message, options) {
  return {
    does: $uploads > 0 ? 'capture' : 'say',
    asks: true,
    inspection: { ...next, ...kept(), guess: undefined, asked: options },
    message,
    choices: options.map(({ chip }) => chip),
  };
}

/** Results that are made when they are chosen, because they depend on what is known then. */
const THEN = {
  nothing: (next) => ({
    does: 'say',
    inspection: { ...next, opens: undefined },
    message: 'All right, nothing was noted. Send the next area, photographs or a remark when you are ready.',
    choices: areaChoices(next),
  }),
  finish: (next) => finished(next, false),
  fresh: (next) => fresh(next),
  help: (next) => ({ does: 'say', inspection: next, message: helpText(), choices: HELPED }),
  undo: (next) => correction({ undo: true }, '', next),
  askAddress: (next) => askAddress(next),
  address: (next, { address }) => addressed(address, next),
  detail: (next, { what, value }) => detailOf(what, value, next),
  type: (next, { type }) =>
    typed(
      [CHECK_IN, CHECK_OUT, INTERIM].find((kind) => kind.type === type),
      next,
    ),
};

/** The answer to what was asked back: its chip, its number, “yes” to the first, “no” to all. */
function answerToAsked(next) {
  const { asked } = known;
  if (!asked) return undefined;
  const words = bare();
  const chosen =
    asked.find(({ chip }) => bareOf(chip) === words) ??
    asked[ORDINALS.findIndex((ordinal) => ordinal.test(words))] ??
    (/^(?:(?:note it )?(?:as )?an? remark|(?:a )?remark|note(?: it| that)?)$/.test(words)
      ? asked.find(({ then }) => then.remark !== undefined)
      : undefined) ??
    (/^(?:yes|y|yeah|yep|yup|sure|ok|okay|correct|right|exactly|yes please)$/.test(words)
      ? asked[0]
      : undefined);
  if (chosen) {
    const { call, ...then } = chosen.then;
    if (call) return THEN[call](next, then);
    const others = chosen.isPart ? asked.filter((each) => each.isPart && each !== chosen) : [];
    const left = others.length > 0 ? { asked: others } : {};
    return { ...then, inspection: { ...next, ...left, ...then.inspection } };
  }
  return /^(?:(?:no|n|nope|neither|none|never ?mind|cancel|leave it(?: out)?|forget it|nothing|no thanks?|no need|don't|not needed)[\s,]*)+(?:(?:it's |that's )(?:fine|ok(?:ay)?|all ?right|good)|fine|ok(?:ay)?|thanks|thank you)?$/.test(
    withApostrophes(words),
  )
    ? THEN.nothing(next)
    : undefined;
}

const ORDINALS = [
  /^(?:1|one|option (?:1|one)|(?:the )?first(?: one)?)$/,
  /^(?:2|two|option (?:2|two)|(?:the )?second(?: one)?)$/,
  /^(?:3|three|option (?:3|three)|(?:the )?third(?: one)?)$/,
];

const NOT_NOTED = { chip: 'No, leave it out', then: { call: 'nothing' } };

/** The option to note words as a remark after all. */
function asRemark(words, area) {
  const under = area || known.current;
  return {
    chip: under ? `Note it as a remark under ${under}` : 'Note it as a remark',
    then: { does: 'capture', remark: words, ...(area ? { area } : {}) },
  };
}

/** Notes a remark, or asks back where the words may be anything else: a command, a correction, a reading, an area. */
function remarked(words, next, area) {
  const doubt = doubtOf(words, area);
  if (doubt) return askBack(next, doubt.message, doubt.options);
  const about = area ?? subjectOf(tidied(words));
  return { does: 'capture', remark: words, ...(about ? { area: about } : {}), inspection: next };
}

const ROOMS =
  /^(?:the |in the |in |from the )?((?:(?:master|main|guest|front|rear|back|upstairs|downstairs|ground floor|first floor|second|third|family|spare) )*(?:kitchen|bath ?room|bed ?room|lounge|hall(?:way)?|landing|living room|dining room|sitting room|utility room|conservatory|en ?suite|toilet(?! (?:seat|lid|roll|flush|cistern|handle|bowl|pan|brush))|cloakroom|garage|garden|loft(?! hatch)|study|porch|balcony)(?: (?:\d{1,2}|one|two|three|four))?)\b(?!['-])/;
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DATE = new RegExp(
  String.raw`\b\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}\b|\b${MONTH} \d{1,2}\b|\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|\b\d{4}-\d\d-\d\d\b|\b(?:yesterday|tomorrow|tonight)\b`,
);
const TYPE_WORDS =
  /\bcheck(?:ing|ed)?[\s-]*(?:in|out)\b|\bcheckin\b|\bcheckout\b|\binterim\b|\bmid[\s-]?term\b|\bmove[\s-]?(?:in|out)\b|\binventory\b/;
const READING_WORDS = /\b(?:meters?|readings?|reads|kwh|m3|m³|units|mpan|mprn)\b/;
/** A number that no meter shows. */
const OTHER_NUMBER = /\b(?:serial|mpan|mprn|meter (?:number|no|nr)|codes?|pin|combination)\b|\bmeter #/;
const CORRECTS =
  /^no,? not\b|^(?:that|this|it)(?:'s| is| was) (?:the |my |for the )?.{0,30}\b(?:readings?|numbers?|count)$|^(?:delete|change|edit|amend|correct|rename)\b(?! of\b)|\b(?:undo|oops|whoops|(?:ignore|forget|scratch|scrap|cancel|delete|remove) (?:that|it|this|those|them|the last)|never ?mind|i meant?|i said|my (?:mistake|bad|error)|actually|sorry|wrong (?:room|area|photos?|one|address|type|place|name|way)|instead|not that|no wait|hang on|hold on|correction|should (?:have )?(?:be|been|say|read) (?:in |under |the )?)\b/;
const META =
  /\b(?:(?<!\b(?:tenants?|landlord|agent|occupiers?|neighbours?|they|he|she) )reports?|pdfs?|editions?|inspections?|photos?|photographs?|pics?|remarks?|comments?|notes|apps?|chats?|uploads?|uploaded|emails?|e-mails?|postcodes?|messages?|links?|menu|buttons?|screens?|versions?|drafts?|previews?|signatures?|property number|bot|assistant|battery life|wifi|wi-fi|network|signal)\b/;
/** Words about the inspection, unless something in a house is said to be somewhere or somehow. */
const ABOUT = /\b(?:things?|property|properties|areas?)\b/;
const ORDERS =
  /^(?:undo|redo|delete|delet|remove|withdraw|discard|cancel|quit|exit|move|rotate|turn|rename|relabel|change|edit|amend|replace|correct|fix|show|list|print|send|resend|email|mail|share|export|download|upload|save|create|make|generate|render|restart|start|begin|finish|skip|help|go|add|update|clear|erase|take|retake|swap|merge|zoom|crop|select|choose|pick|tell|give|ring|log|sign|pause|resume|continue|carry|repeat|again|submit|confirm|approve|reject|preview|view|find|search|check|count|publish|speak|talk|contact|ask|ignore|forget|scrap|put|do|don't|let|let's|use|try|call|record|book|finali[sz]e|complete|leave|keep|wait|stop|open|close|set|switch|read|back|next|mark|reset|copy|new|another|say|type|write|enter)\b(?! ?cock| tap| of | plan | fire| coupled| to the | panel| bell| plate| gear| cover| door| wall| window| left | right )/;
/** “Finish worn off the worktop”, “skip full of rubbish”: an order by its first word only. */
const NOUN_FIRST = new RegExp(
  String.raw`^(?:finish|mark|print|set|switch|ring|sign|stop|back|skip) (?:${FLAW}|is|are|was|has|on|off|full|not|looks?)\b`,
);
const ASKED =
  /\?\s*$|^(?:who|what|whats|what's|where|wheres|when|why|how|hows|which|whose)\b|^(?:is|are|was|were|do|does|did|can|could|would|should|shall|will|have|has|had|am|may|might|(?:is|are|was|were|do|does|did|could|would|should|has|have|had)n't) (?:i|we|you|it|that|this|these|those|there|they|he|she|someone|anyone|anything|everything|the)\b/;
const PERSON =
  /(?<![\w/])(?:i|i'm|im|i'll|i've|ive|i'd|we|we're|we'll|we've|you|you're|your|me|my|mine|us|our|let's)\b/;
const FOUND =
  /\b(?:noticed?|found|find|saw|see|smell|smelt|hear|heard|spotted|couldn't|could not|unable|can't|cannot|was told|were told)\b/;
const DETAILS =
  /^(?:the |my )?(?:address|postcode|post code|tenants?(?:'s)? names?|tenants?|landlords?|inspectors?|clerks?|assessors?|agents?|agency|company|name)(?:'s)? ?(?:is|are|=|:|called|named|should|-)(?:\s|$)/;
const NO_REMARK =
  /^(?:this|it|that)(?:'s| is| does| doesn't| doesnt| isn't| isnt)? ?(?:not )?(?:broken|working|work|stuck|slow|wrong|bad)$|^(?:clean|fix|open|close|check|paint|replace|wash|wipe|tighten) (?:the|this|that|it|up|those|these)\b/;
/** Says where something is, or who has it. */
const PLACED =
  'accounted|present|located|situated|stored|out|\\d+(?:\\.\\d+)? ?(?:degrees?|bar|cm|mm|metres?)|handed|returned|collected|held|supplied|provided|locked|expires?|expiry|flat|due|going|gone|turning|turned|' +
  '(?:in|on|to|at|by|above|below|under|behind) (?:(?:left|right|rear|front|lh|rh|back|side|far|near) )?(?:hand )?(?:wall|door|ceiling|floor|window|frame|skirting|cupboard|drawer|corner|worktop|shelf|side|drive)s?|' +
  '(?:in|on|under|behind|inside|above|beside|by|near|next to) (?:the|an?)|' +
  '(?:with|at|by|to|from) (?:the |an? )?(?:agents?|agency|landlord|landlady|tenants?|concierge|porter|reception|office|neighbou?rs?|owner|cleaners?|contractor|lock ?box)';
const WEAK = new RegExp(
  String.raw`\b(?:new|old|missing|clean|fair|poor|empty|tested|working|works?|needs?|condition|replaced|marks?|marked|left|good|fine|ok|okay|used|fitted|open|closed|light|dark|furnished|unfurnished|cold|low|down|full|no keys?|set (?:to|at) \d+|freshly|newly|recently|${PLACED})\b`,
);
/** Why words may be no remark, and what else they may be; undefined for a plain remark. */
function doubtOf(words, area) {
  const lower = tidied(words);
  const note = asRemark(words, area);
  if (AS_BEFORE.test(lower)) return undefined;
  const order = correctionAtEnd(words);
  if (order)
    return {
      message: 'One thing at a time, please. Which first?',
      options: [
        { chip: capital(order.end), then: order.then },
        { ...asRemark(order.before, area), chip: `Note “${order.before}”` },
      ],
    };
  if (isOfMeter(lower)) return undefined;
  const { isStrong, isObject } = evidenceIn(lower);
  const isWeak = WEAK.test(lower);
  const isReference = COMPARED.test(lower);
  const isCompared = isReference && (isStrong || isObject || isWeak || DIFFERS.test(lower));
  const isPlain =
    isCompared ||
    isStrong ||
    (isObject && (isWeak || sentence.test(lower) || /^no\b/.test(lower))) ||
    isCondition(lower);
  const kind =
    !isReference && TYPE_WORDS.test(lower) && !/\binventory items?\b/.test(lower)
      ? typeOf(withoutDenied(lower.replace(/^.*\bnot an? .*?,/, '')))
      : undefined;
  if (kind && kind !== NEUTRAL)
    return {
      message: `Is it ${kind === INTERIM ? 'an' : 'a'} ${kind.name} inspection, or is that a remark?`,
      options: [{ chip: `Change the type to ${kind.name}`, then: { call: 'type', type: kind.type } }, note],
    };
  const address = isStrong ? undefined : addressIn(words.slice(0, 300));
  if (address)
    return {
      message: 'Is that the address of the property, or a remark?',
      options: [{ chip: 'Change the address to that', then: { call: 'address', address } }, note],
    };
  if (/\d{3}/.test(lower) && (READING_WORDS.test(lower) || !isStrong) && !/\b(?:19|20)\d\d\b/.test(lower)) {
    const named = /\b(?:readings?|reads|says|shows)\b(?: is| of| at)?[\s:=]*(\d[\d.,]*\d)/.exec(lower)?.[1];
    if (!named && OTHER_NUMBER.test(lower))
      return {
        message: 'Shall I note it as a remark?',
        options: [asRemark(words, area ?? subjectOf(lower)), NOT_NOTED],
      };
    const value =
      named ?? lower.match(/\d[\d.,]*\d/g).find((each) => /\d{3}/.test(each)) ?? /\d{3,}/.exec(lower)[0];
    const here = /\b(?:gas|elec\w*|water)\b/.test(lower) ? '' : (known.current ?? '').toLowerCase();
    return whichMeter(value, note, meterOf(value, lower) ?? meterIn(here));
  }
  const elsewhere = ROOMS.exec(lower);
  if (!area && isPlain && elsewhere && known.current && slug(elsewhere[1]) !== slug(known.current)) {
    const other = written(elsewhere[1]);
    return {
      message: `Which area is that about: ${other} or ${known.current}?`,
      options: [
        { chip: `Note it under ${other}`, then: { does: 'capture', area: other, remark: words } },
        { chip: `Note it under ${known.current}`, then: { does: 'capture', remark: words } },
      ],
    };
  }
  const named = areaAmid(lower);
  if (named && !isStrong) return areaOrRemark(named, note);
  const isOdd =
    CORRECTS.test(lower) ||
    NO_REMARK.test(lower) ||
    (META.test(lower) && !(isStrong && isObject) && !isCondition(lower)) ||
    (ABOUT.test(lower) && !((isStrong || isWeak) && isObject) && !isCondition(lower)) ||
    (ORDERS.test(lower) && !(isObject && (/^new\b/.test(lower) || (isStrong && NOUN_FIRST.test(lower))))) ||
    ASKED.test(lower) ||
    DETAILS.test(lower) ||
    (PERSON.test(lower) && !(FOUND.test(lower) && (isStrong || isObject))) ||
    (DATE.test(lower) && !isStrong);
  if (isPlain && !isOdd) return undefined;
  if (ASKED.test(lower) && !isStrong && !isObject)
    return {
      message: 'Sorry, I cannot answer that. “Help” shows what I can do. Or is it a remark?',
      options: [{ chip: 'Help', then: { call: 'help' } }, note],
    };
  return {
    message: 'Sorry, I am not sure what you mean. Shall I note it as a remark?',
    options: [note, NOT_NOTED],
  };
}

/** The area that words are about besides words that say nothing of its state: “so it was bedroom 2 then”. */
function areaAmid(lower) {
  const other = /^(.+?),? (?:not|instead of|rather than) (?:the |my )?(.+)$/.exec(lower);
  const tokens = (other && isAreaOnly(other[2]) ? other[1] : lower)
    .replace(/\bback (?=(?:in|to|into|in to)\b)/g, '')
    .split(/[\s,.;:!]+/)
    .filter(Boolean);
  // A name stands together: “the meter is in the box” names none.
  const isOwn = (token) => !FILLERS.has(token);
  const rest = tokens.slice(tokens.findIndex(isOwn), tokens.findLastIndex(isOwn) + 1).join(' ');
  return rest !== '' && isAreaOnly(rest) ? rest : undefined;
}

const FILLERS = words(
  "actually sorry no not oops wait so then now next it it's its is was were are be been being that that's this these those they the a an my our i i'm i've we we're meant mean said in into at to for from of with here there just and or but really should have has had room? please ok okay all done finished going go moving move on over last one ones again already still also instead rather than called named area photos photo pictures picture pics do doing start starting open can could you let's will would",
);

function areaOrRemark(name, note) {
  const area = written(name);
  const isOpen = { chip: `Open ${area}`, then: { does: 'capture', area } };
  if (Number(known.pending ?? 0) > 0 && known.last?.photographs !== 0)
    return {
      message: `Do you mean that your last photographs are of ${area}, or is ${area} next?`,
      options: [
        {
          chip: `Move the last photographs to ${area}`,
          then: moved({ target: 'last-batch', count: 0 }, name, {}),
        },
        isOpen,
      ],
    };
  return { message: `Shall I open ${area}?`, options: [isOpen, note] };
}
