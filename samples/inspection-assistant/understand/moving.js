const WAY =
  '(?:(?:back|out|up|down|over|across|along|round|around|through|off|on|up ?stairs|down ?stairs|outside|inside) )';
const GOES =
  '(?:(?:go(?:ing|ne)?|got|been|mov(?:e|ed|ing)|head(?:ed|ing)?|pop(?:ped|ping)?|nip(?:ped|ping)?|walk(?:ed|ing)|com(?:e|ing)|came|step(?:ped|ping)?|jump(?:ed|ing)?) )';
/** “I've just popped out to”, “off to”, “upstairs in”: whoever goes, and the preposition before the area. */
const ON_THE_WAY = new RegExp(
  `^(?:(?:i'm|i am|we're|we are|i've|i have|we've|we have) )?(?:(?:now|just|all) )*(?:${GOES}${WAY}*|${WAY}+)(?:in ?to|on ?to|to|in|inside|at)(?: the)?(?=[\\s:])[\\s:,-]*`,
);
const IN_HERE = /^(?:here|in here|it|this (?:room|one|area))$/;

/** “Moving on to the lounge the carpet is stained”: the area, the words after it, and whether the name ends there. */
function areaBefore(words) {
  const lower = saidIn(words);
  const [, named, after] =
    /^(?:the )?(.{3,30}?) (?:now|next) (?!(?:to|has|have|is|are|was|were|needs?|smells?|looks?|not)\b)(.{4,})$/.exec(
      lower,
    ) ?? [];
  if (named && isAreaOnly(named))
    return {
      area: written(named),
      rest: words.split(' ').slice(-after.split(' ').length).join(' '),
      isSure: true,
    };
  const phrase = stripLead(lower);
  if (
    !/^(?:(?:now|next|then) )*(?:(?:i'm|we're) )?(?:now |just )*(?:mov|on ?to\b|going|gone|head|start|begin)/.test(
      lower,
    )
  )
    return undefined;
  const tokens = phrase.split(' ');
  const isEnd = (at) =>
    !/^(?:the|of|an?|to|and|with|under|in)$/.test(tokens[at]) &&
    isAreaOnly(tokens.slice(0, at + 1).join(' '));
  const ends = tokens.flatMap((_, at) => (isEnd(at) ? [at + 1] : []));
  if (ends.length === 0 || phrase === lower || ends.at(-1) === tokens.length) return undefined;
  const belongs = /^(?:rooms?|area|store|diner|\d{1,2}|one|two|three|four|five)$/;
  const first = ends.find((end) => !belongs.test(tokens[end]));
  if (first === undefined) return undefined;
  const rest = words
    .split(' ')
    .slice(first - tokens.length)
    .join(' ')
    .replace(/^(?:now|then|and|so) /i, '');
  return { area: written(tokens.slice(0, first).join(' ')), rest, isSure: ends.at(-1) === first };
}

/** The area in “now the kitchen”, “moving on to bedroom 2”, “kitchen next”, or in its name alone. */
function areaAfterWords(words) {
  const then = /^(.+?) (?:(?:is|are) )?(?:all )?(?:done|finished|complete)[\s,.;]+(?:and )?(.+)$/.exec(words);
  if (then && isAreaOnly(stripLead(then[1]))) return areaAfterWords(then[2]);
  const closed =
    /^(?:that's|that is|that'll be|nothing (?:else|more)) ?(?:all|it|everything|the lot)?(?: (?:for|in|from|with))?(?: (?:here|now|this (?:room|one|area)|the .+?))?[\s,.;]+(?:(?:so|and|now|then|next|on to|onto|moving on to|off to|let's do) )+(?:the )?(.+)$/.exec(
      words,
    );
  if (closed && isAreaOnly(closed[1])) return closed[1];
  const since =
    /^(?:(?:i'm|we're|that's|all) )*(?:done|finished)(?: with| in)? (?:the )?(.+?)[,.;]? (?:(?:so|and|now|then|next|on to|onto|moving on to|off to) )+(?:the )?(.+)$/.exec(
      words,
    );
  if (since && (IN_HERE.test(since[1]) || isAreaOnly(stripLead(since[1]))) && isAreaOnly(since[2]))
    return since[2];
  if (
    isAreaOnly(words) &&
    !ON_THE_WAY.test(words) &&
    !/^(?:back|in|inside|at|open(?! plan\b)|on|to|start|number|no)\b/.test(words)
  )
    return words.replace(/^(?:the|my|our|a|an) /, '');
  const phrase = stripLead(words);
  if (isAreaOnly(phrase)) return phrase;
  if (/^(?:gas|elec(?:tric(?:ity)?)?|lec(?:cy|ky)|water)$/.test(phrase)) return meterIn(phrase).toLowerCase();
  const known = knownArea(phrase);
  return known ? known : undefined;
}

function stripLead(words) {
  return words
    .replace(
      /^(?:(?:ok(?:ay)?|right|now|next(?: up| one| room| area)?(?: is)?|then|so|and|and now|also|finally|lastly|first(?:ly)?|after that)[\s,:.-]+(?=\S))+/,
      '',
    )
    .replace(
      /^(?:let's |let us |i'll |i will |i want to |i would like to |i'd like to |we'll |(?:can|shall|should) (?:i|we) (?:just )?|time to )/,
      '',
    )
    .replace(ON_THE_WAY, '')
    .replace(
      /^(?:i'm |i am |we're |we are )?(?:now |just )?(?:mov(?:e|ing)(?: on)?|on ?to|start(?:ing)?(?: with| in| at)?|begin(?:ning)?(?: with| in)?|do(?:ing)?|(?:continue|crack(?:ing)? on)(?: with| in)?|carry on(?: with| in)?|open(?:ing)?(?! plan\b)(?: up)?|enter(?:ing)?|(?:switch|swap)(?:p?ing)? to|proceed(?:ing)? to|in|inside|at|add(?: an?| the)?(?: new)? (?:area|room)(?: called| named)?|new (?:area|room)(?: called| named)?|(?:the )?next (?:area|room|one)? ?is|this is|here(?:'s| is| are| comes?)|these are(?: (?:of|from|for))?|that's|it's|it is|(?:the )?(?:photos?|pictures?|pics|images?) (?:of|for|from|in))(?=[\s:,])[\s:,-]*/,
      '',
    )
    .replace(/^(?:the|my|our)\s+/, '')
    .replace(
      /[\s,]+(?:now|next|then|photos?|pictures?|pics|images?|first|again|here|too|coming(?: up)?|done|is next|here we go)$/,
      '',
    )
    .replace(/^(?:photos?|pictures?|pics) (?:of|for|from|in) (?:the )?/, '')
    .replace(/"/g, '')
    .trim();
}
