const STRONG_EXTRA = words(
  'noisy draughty drafty frayed fraying smelly smelling smells smell cleaned hoovered vacuumed polished ' +
    'unclean soiled soiling grubby grimy mucky musty mouldy flaking bubbling blistered blistering swollen scorched singed chewed ' +
    'overgrown weeds rotten rotting rot sagging crooked uneven lopsided cracked shattered smashed chipped chips unsecured ' +
    'detached hanging bowed buckled pitted tarnished corroded corrosion rusted mossy mildewed yellowing streaky streaks smears ' +
    'smeared smudge smudges smudged fingerprints handprints paintwork belongings rubbish litter debris cobweb dust dirt grease ' +
    'limescale descaled defrosted serviced flickering flickers buzzing humming squeaking squeaky creaking creaks sticking jams jammed seized ' +
    'blown dead intermittent tripping leaking leaks leaked dripped drips overflowing blocked draining drained patchy dented ' +
    'scuffs scuffed scratched scratches scrape scrapes scraped gouge gouges gouged indent indents indentation hole holes nail nails screw screws hook hooks blu-tack bluetack ' +
    'dripping dripped leaky scratch scuff crack chip dent mould mildew damp rust faulty dirty dusty filthy damaged damage jammed blocked clogged condensation ' +
    'touched-up patched filled filler plastered unpainted unfinished discoloured faded worn threadbare bald stain stains stained spill spills spilled spilt ' +
    'spotless immaculate tidy untidy cluttered infestation mice mouse ants insects fleas vermin droppings slipped lifting lifted peeling peeled ' +
    'chirping chirps bleeping beeping beeps failed fails discolouration discoloration overhanging wear dustier dirtier greasier grubbier shabbier tattier worse deteriorated crumbs disconnected misted perished stinks stinking stale scored hairline ' +
    'ripped torn tear tears snagged pulled burnt burn burns iron graffiti broken snapped bent loose wobbly stiff warped split',
);
const OBJECTS = words(
  'tap taps sink basin bath shower screen toilet cistern seat bidet tile tiles tiling grout sealant silicone mirror cabinet towel rail radiator radiators ' +
    'boiler thermostat heater heating oven hob cooker grill microwave fridge freezer dishwasher washer dryer machine extractor fan hood worktop worktops counter ' +
    'drawer drawers unit units shelf shelves shelving handle handles hinge hinges lock locks latch bolt door doors doorbell frame frames window windows windowsill sill glass pane glazing ' +
    'blind blinds curtain curtains rail pole carpet carpets floor flooring laminate lino vinyl floorboards boards rug mat skirting skirtings wall walls wallpaper paint ceiling cornice coving ' +
    'light lights lamp lamps lampshade bulb bulbs pendant spotlight spotlights socket sockets switch switches plug plugs plate cable wires wiring fuse fusebox consumer ' +
    'sofa settee chair chairs armchair table desk bed mattress headboard wardrobe wardrobes chest bedside bookcase cushion cushions pillow duvet tv television aerial ' +
    'stairs banister bannister handrail spindle spindles step steps tread fireplace hearth mantelpiece chimney flue vent vents grille airbrick ' +
    'fence gate lawn grass hedge patio slabs decking gutter gutters downpipe drain drains roof tiles brickwork render pointing path bin bins shed letterbox ' +
    'batteries battery alarm alarms detector detectors pipe pipes pipework pressure water plumbing waste trap u-bend plughole overflow stopcock cupboard cupboards pantry ' +
    'key keys set sets fob fobs intercom entryphone keypad chain peephole spyhole furniture appliance appliances manual manuals certificate instructions ' +
    'meter meters hatch hatches item items goods possessions panel panels trim beading threshold bar bars edge edges corner corners surface surfaces splashback upstand plinth kickboard kettle toaster iron hoover vacuum crockery cutlery pans ' +
    'rad rads holder holders bell plugs tack ladder rods rod keyhole cover covers pictures picture hook hooks nail nails screw screws wood woodwork varnish stain decor decoration decorations plaster rawlplug',
);

/** Faults that no single word names. */
const FAULT =
  /\boff (?:its |the |their )?hinges?\b|\bno (?:hot water|heating|power|pressure)\b|\bnot working\b|\bfair wear and tear\b/;

/** The words of a phrase, and whether one of them speaks of a flaw or of a thing in a house, typing errors included. */
function evidenceIn(lower) {
  const tokens = lower.split(/[^\p{L}\p{N}'-]+/u).filter(Boolean);
  const strongWords = new RegExp(`\\b(?:${FLAW})\\b`);
  const own = tokens.filter((token) => !WEAK_WORDS.has(token));
  const isStrong =
    strongWords.test(own.join(' ')) || own.some((token) => STRONG_EXTRA.has(token)) || FAULT.test(lower);
  const isObject = tokens.some((token) => OBJECTS.has(token) || OBJECTS.has(token.replace(/'s$/, '')));
  if (isStrong) return { isStrong, isObject };
  const misspelt = own
    .slice(0, 20)
    .filter(
      (token) => token.length >= 6 && /^\p{L}+$/u.test(token) && !OBJECTS.has(token) && !HEADS.has(token),
    );
  return {
    isStrong: misspelt.some((token) => isNearly(token, STRONG_EXTRA)),
    isObject: isObject || misspelt.some((token) => isNearly(token, OBJECTS)),
  };
}

const WEAK_WORDS = words(
  'new old missing clean fair poor empty tested working works work needs need condition replaced mark marks marked left good fine ok okay used fitted open closed light furnished unfurnished repaired painted',
);

function isNearly(token, list) {
  const most = token.length >= 8 ? 2 : 1;
  for (const word of list)
    if (
      word.length >= 5 &&
      word[0] === token[0] &&
      Math.abs(word.length - token.length) <= most &&
      distance(token, word) <= most
    )
      return true;
  return false;
}

/** A state that needs no thing to be a remark: “as new”, “all clean”, “no visible damage”, “needs cleaning”. */
const STATES = [
  'as new',
  'brand new',
  '(?:in )?(?:very )?(?:good|fair|poor|excellent|great|perfect|mint|used)(?: (?:used|clean|overall|general|decorative))? (?:condition|order)',
  '(?:all |not |very |fairly |reasonably |quite )?clean',
  'all (?:tidy|fine|good|ok|okay|working|in order)',
  '(?:all )?(?:clean|tidy|fine|good|ok|okay|working)(?:,? (?:and|&) (?:clean|tidy|fine|working|dry|in order|tested))+',
  'tested and working(?: order)?',
  'tested(?: ok)?',
  '(?:no (?:visible |obvious |other )?(?:defects?|damage|marks|issues|problems|faults)|nothing)(?: (?:to (?:report|note)|of note|seen|noted|visible|found))?(?: in here| here| in this room)?',
  '(?:in )?(?:good|fair|poor|working) (?:order|condition)',
  '(?:freshly|newly|recently|just) (?:painted|repainted|decorated|redecorated|carpeted|tiled|cleaned|plastered|refurbished|fitted|replaced|installed)',
  '(?:needs|in need of) (?:an? )?(?:good |deep |proper )?(?:clean|cleaning|repainting|painting|repairs?|repairing|replacing|attention|redecorating|fixing|descaling|tightening|adjusting)',
  '(?:very )?clean(?:ed)?(?: and tidy)?(?: throughout)?(?: to an? (?:good |high )?(?:professional|domestic)? ?standard)?',
  'fair wear and tear',
  'normal wear and tear',
  'professionally cleaned',
  '(?:all|both|none|not)(?: (?:were|was))? (?:returned|handed (?:over|back|in)|given back)',
];
const STATE_ALONE = new RegExp(
  `^(?:(?:all|everything|it|it's|this|that)(?: is|'s)? )?(?:${STATES.join('|')})$`,
);
/** “Overall condition good”: the state of a whole area. */
const STATE_OF_ALL =
  /^(?:(?:the |its )?(?:overall|general|decorative) )?(?:condition|cleanliness|order|standard)(?: is| was|:)? (?:very )?(?:good|fair|poor|excellent|average|clean|reasonable|acceptable|domestic|professional)(?: (?:throughout|overall|standard))?$/;
const OVERALL = /^(?:overall|in general|general|generally|on the whole)[\s,:-]+/;

function isCondition(lower) {
  return STATE_OF_ALL.test(lower) || STATE_ALONE.test(lower.replace(OVERALL, ''));
}
