/** What stands before an order or a remark and says nothing. */
const COURTESIES_BEFORE =
  /^(?:(?:ok(?:ay)?|right|so|well|oh|oops|sorry|hi|hello|hey|hiya|yes|yeah|yep|no|thanks|thank you|cheers(?: mate)?|ta|great|good|fine|please|um+|erm+|hmm+|ah|and|actually|wait|whoops|no worries|i mean|mate|hang on|hold on)\b[\s,.!:-]+)+(?=\S)/i;
/** Courtesies after an order. “Finish now” says more than “finish”. */
const COURTESIES_AFTER =
  /(?:[\s,.!]*\b(?:please|pls|plz|thanks|thank (?:you|u)|thx|cheers|mate)|[\s,.!]+(?:ta|for me|(?:will|would|could) (?:you|u)|if you (?:can|could|would)|quickly|asap|actually|sorry|then|(?<!\b(?:finish|not|right|it)\s)now))+$/;
/** Asks for what follows. */
const ASKING =
  /^(?:(?:can|could|would|will) (?:you|u) (?:please |pls )?|(?:i )?(?:need|want|would like|have) to |i'd like to |let me |please )(?=\p{L})/iu;
const SWEARS =
  /^(?:(?:oh |for )*(?:(?:shit|fuck(?:ing hell|'?s sake| sake)?|ffs|bugger|crap|damn(?: it)?|bollocks|bloody hell|god'?s sake))(?:[,.!]+\s*|\s+(?=(?:undo|delete|remove|scrap|ignore|forget|cancel|skip|move|put|turn|rotate|rename|change|bring|read|finish|make|wrong|that was|those were|no|not|sorry)\b)))+/;

/** The words without courtesies, as they were typed. */
function withoutCourtesies(words) {
  return words
    .replace(COURTESIES_BEFORE, '')
    .replace(SWEARS, '')
    .replace(COURTESIES_AFTER, '')
    .replace(ASKING, '');
}
