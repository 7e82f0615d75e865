/**
 * Understands one message of an inspection. Reads `$question`, `$uploads` (how many files came with it) and
 * `$inspection`, what is known so far, `$record`, the details in the record of the inspection, and `$things`, what it recorded;
 * returns `{ does, inspection, … }`, where `does` is what the flow has to do and the other members are what it needs for that:
 *
 * | does      | members                                                                                |
 * |-----------|----------------------------------------------------------------------------------------|
 * | say       | `message`, `choices?`                                                                  |
 * | details   | `details`, `message`, `choices?`                                                       |
 * | capture   | `area?`, `remark?`, `reading?`, `keys?`, `alarm?`, `message?` that asks back            |
 * | correct, rename | `correction`, `said`                                                                   |
 * | status    | `details?`, what is skipped from now on                                                 |
 * | finish    | `anyway`: nothing is asked again before the report is made; `edition`: why photographs are added to the last report |
 */

let text = String($question ?? '').trim();
let known = $inspection ?? {};
/** Its first part, with the same quotes and dashes however they were typed. */
let plain = text
  .slice(0, 300)
  .normalize('NFKC')
  .replace(/[\u2018\u2019\u02BC]/g, "'")
  .replace(/[\u201C\u201D]/g, '"')
  .replace(/[\u2010-\u2015\u2212]/g, '-')
  .replace(/\s+/g, ' ')
  .trim();
/** Lower case, without courtesies before and after, and without the mark at the end. */
let said = saidIn(plain);

/** Puts the apostrophes that are often left out: “cant”, “theres”. */
function withApostrophes(words) {
  return words.replace(
    /\b(i)(m|ve|ll)\b|\b(that|what|there|here|where|let)(s)\b|\b(do|does|is|are|was|were|ca|wo|did|have|has|could|should|would)n(t)\b/g,
    (all, a, b, c, d, e) => (a ? `${a}'${b}` : c ? `${c}'${d}` : `${e}n't`),
  );
}

function saidIn(words) {
  const polite = withoutCourtesies(words.toLowerCase().replace(/[\s.!,;:]+$/, ''));
  return withApostrophes(polite)
    .replace(/\bits (?=an? |the |check|interim)|^its (?=\w)/g, "it's ")
    .replace(/[\s?]+$/, '')
    .trim();
}

const SERVICE = [
  {
    slug: 'electricity-meter',
    name: 'Electricity Meter',
    pattern: /\belec(?:tric(?:ity|al)?)?\b(?!.*\bshower)/,
  },
  { slug: 'gas-meter', name: 'Gas Meter', pattern: /\bgas\b/ },
  { slug: 'water-meter', name: 'Water Meter', pattern: /\bwater\b/ },
  { slug: 'keys', name: 'Keys', pattern: /\b(?:keys?|fobs?)\b(?! ?safe)/ },
  { slug: 'detectors', name: 'Detectors', pattern: /\b(?:detectors?|alarms?|smokes?|carbon|co)\b/ },
];
const ALL_SERVICE = SERVICE.map(({ slug }) => slug);

const HEADS = words(
  'kitchen kitchenette bedroom bathroom ensuite shower-room showerroom wc toilet loo cloakroom lounge living-room sitting-room ' +
    'dining-room dining-area diner reception hall hallway landing stairs stairwell staircase stairway study office utility ' +
    'conservatory porch loft attic basement cellar garage garden yard patio balcony terrace drive driveway exterior entrance ' +
    'corridor shed pantry larder nursery playroom boxroom storeroom store cupboard wardrobe closet room snug studio mezzanine ' +
    'annexe annex library laundry vestibule lobby den gym sauna workshop greenhouse summerhouse carport passage alley fence gate elevation frontage ' +
    'roof parking bay bin-store meter meters keys fob fobs detector detectors alarm alarms living lounge-diner kitchen-diner ' +
    'understairs outside washroom orangery veranda decking lawn path outbuilding bike-store ' +
    'bed bath',
);
const SIDES = words(
  'master main principal guest spare front rear back side left right upstairs downstairs ground lower upper first second third ' +
    'fourth top middle floor small large big little double single twin kids childrens boys girls family games music utility ' +
    'dressing shower wet box boot cloak store bin airing boiler linen under the of a an to and with en suite ensuite internal external ' +
    'inner outer communal shared common roof walk in electric electricity elec gas water smoke co carbon monoxide heat fire ' +
    'burglar intruder security smart electrical key safe window door main cupboard bath sun media cinema tv laundry breakfast ' +
    'north south east west open plan one two three four five six no number flat unit coal wine bike guest bedroom bathroom ' +
    'kitchen hall hallway landing garden lounge living dining sitting',
);
/** The counts that are written as words, for patterns. */
const COUNT_WORDS = 'one|two|three|four|five|six|seven|eight|nine|ten';
const NUMBER_WORDS = {
  one: 1,
  a: 1,
  an: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  couple: 2,
  both: 2,
};

/** What only a sentence has: a verb, or a word for a flaw. */
const FLAW =
  'scratch(?:e[sd])?|scuff(?:s|ed)?|stain(?:s|ed|ing)?|mould(?:y)?|mold(?:y)?|mildew|crack(?:s|ed)?|chip(?:s|ped)?|dent(?:s|ed)?|marks?|marked|holes?|' +
  'broken|missing|loose|leak(?:s|y|ing|ed)?|drip(?:s|ping)?|damp|dirty|dusty|filthy|worn|torn|rips?|ripped|burn(?:s|t|ed)?|rust(?:y|ed)?|limescale|peel(?:s|ing)|' +
  'faded|fading|damage[ds]?|stiff|stuck|jammed|blocked|clogged|faulty|wobbly|tatty|greas[ye]|sticky|cobwebs?|discolou?red|yellowed|' +
  'clean|tidy|spotless|immaculate|condition|working|tested|repaired|replaced|painted|repainted|missing|needs|blown|split|warped|bent|snapped|expired|smells?|odou?r|condensation|' +
  'light bulb|bulb|bulbs|unfurnished|furnished|new|old|poor|fair|undamaged|intact|sounded|empty';
const VERB =
  "is|are|was|were|isn't|aren't|wasn't|has|have|had|hasn't|haven't|needs?|needed|does|doesn't|do|don't|did|didn't|not|can't|cannot|can|won't|will|would|" +
  'came|come|comes|fell|falling|falls|got|gets|found|looks?|seems?|appears?|opens?|closes?|shuts?|works?|runs?|hangs?|hanging|sticks?|squeaks?|' +
  "left|says?|told|asked|noticed|seen|see|there's|it's|they're|i've|we|i|you|please|note";
const sentence = new RegExp(`\\b(?:${VERB})\\b`);
const flawed = new RegExp(`\\b(?:${FLAW})\\b`);
function isChat() {
  if (/^[\p{Extended_Pictographic}\p{Emoji_Modifier}\u200D\uFE0F\s.!,]+$/u.test(plain)) return true;
  return /^(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|morning|thanks|thank (?:you|u)|thx|cheers|ok|okay|k|yes|yeah|yep|no|nope|great|good|fine|sure|perfect|lovely|brilliant|cool|nice|got it|understood|ta|no worries|no problem|np|nice one|top|spot on|good job|well done|(?:are )?you (?:still )?there|mate|alright|that's (?:fine|ok(?:ay)?|great|good|grand|lovely|brilliant|all right)|sound|righto|lovely job|all right|there|here|here you go|here we go|these|this|photos?|pictures?|images?|ready|i'm ready|let's go|go|start|begin|let's (?:start|begin)|will do|one moment|one sec(?:ond)?|hang on|wait|brb|hm+|umm*|err*|oh|wow|lol|haha|very much|so much|a lot|a min(?:ute)?|a sec|a mo(?:ment)?|just|again|carry on|continue|go on|bye|goodbye)[\s,.!]*)*$/.test(
    withApostrophes(bare()),
  );
}

/** Words that order something, whoever they order: never the name of an area, and no remark. */
function isCommandLike() {
  return (
    /^(?:undo|redo|delete|remove|withdraw|cancel|stop|exit|quit|move|rotate|turn|rename|change|edit|replace|correct|fix|show|list|print|send|email|mail|share|export|download|upload|save|open|close|create|make|generate|render|restart|reset|start|finish|skip|help|go|add|set|update|clear|erase|take|retake|swap|merge|copy|zoom|crop|switch|select|choose|pick|tell|give|call|ring|log ?(?:in|out)|sign|pause|resume|repeat|again|back|next|previous|more|submit|confirm|approve|reject|settings?|preview|view|read|find|search|check|count|publish|speak|talk|contact|ask)\b(?! ?cock\b| tap\b)/.test(
      said,
    ) && !isSentence(said.split(' ').slice(1).join(' '))
  );
}

function isSentence(words) {
  const count = words.split(' ').length;
  if (isAreaOnly(words)) return false;
  if ((sentence.test(words) || flawed.test(words)) && count > 1) return true;
  return count > 5;
}

/** Furniture, the size of a home, and sentences, in the words of which areas are named as well. */
const NO_AREA =
  /\b(?:is|are|was|were|has|have|needs?|or)\b|\b\d? ?bed(?:room)? (?:flat|house|home|apartment|property)\b|^(?:an? |the )?(?:double|single|king|queen|bunk|sofa|twin|day)(?: size)? ?beds?$/i;

/** A phrase that is the name of an area and nothing else: “Bedroom 1”, “front garden”, “Smoke alarm landing”. */
function isAreaOnly(words) {
  if (NO_AREA.test(words)) return false;
  const parts = partsOfName(words);
  if (parts.length === 0 || parts.length > 7) return false;
  return (
    parts.some((part) => HEADS.has(part)) &&
    parts.every((part) => HEADS.has(part) || SIDES.has(part) || /^(?:\d{1,3}|[a-h]|i{1,3}|iv)$/.test(part))
  );
}

function partsOfName(words) {
  return words
    .toLowerCase()
    .replace(
      /\b(living|sitting|dining|shower|wet|box|boot|store|bin|bike)[\s-]+(room|store|area)\b/g,
      '$1-$2',
    )
    .replace(/\b(bed|bath|cloak|wash|play|store|box|shower)\s(room)s?\b/g, '$1$2')
    .replace(/\bw[/.]c\b\.?/g, 'wc')
    .replace(/^ext\b\.?(?= (?:front|rear|side|back|left|right)\b)/, 'exterior')
    .replace(/^[lr]h(?= (?:(?:front|rear|back) )?(?:bed|bath|reception|garden))/, 'left')
    .replace(/^[gf]f\b/, 'ground floor')
    .replace(/-room\b/g, '-room')
    .replace(/\ben[\s-]?suite\b/g, 'ensuite')
    .replace(/\b(?:living|sitting|dining|shower|wet|boot|box)-room\b/g, 'room')
    .replace(/\b(?:store|bin|bike)-(?:store|room|area)\b/g, 'store')
    .replace(/'s?(?![a-z])/g, '')
    .replace(/([a-z])(\d)/g, '$1 $2')
    .replace(/\b(\d{1,2})(?:st|nd|rd|th)\b/g, '$1')
    .split(/[\s,/&()+-]+/)
    .filter(Boolean)
    .map((part) => (HEADS.has(part) || SIDES.has(part) ? part : part.replace(/s$/, '')));
}

function isPlace(words) {
  return (
    isAreaOnly(words) ||
    knownArea(words) !== undefined ||
    (words.split(' ').length <= 3 && !sentence.test(words) && /^[\p{L}\d' -]+$/u.test(words))
  );
}

function knownArea(words) {
  const wanted = slug(words);
  return (known.areas ?? []).find((area) => slug(area) === wanted);
}

/** As it was typed, with a first capital; an area of the session keeps its spelling, and a meter that of the report. */
function written(words) {
  const phrase = words
    .replace(/[\s,:;-]+$/, '')
    .trim()
    .replace(/^"|"$/g, '');
  const from = plain.toLowerCase().indexOf(phrase.toLowerCase());
  const typed = from < 0 ? phrase : plain.slice(from, from + phrase.length);
  const service = SERVICE.find(({ name }) => slug(name) === slug(typed));
  return knownArea(typed) ?? service?.name ?? capital(typed);
}

function bare() {
  return bareOf(plain);
}

function bareOf(words) {
  return words
    .toLowerCase()
    .replace(/[\s.!?,;:]+$/, '')
    .trim();
}

function capital(words) {
  return words === '' ? words : words[0].toUpperCase() + words.slice(1);
}

function words(list) {
  return new Set(list.split(' '));
}
