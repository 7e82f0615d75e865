const ASK_NAME = 'What is the inspector’s name? Send “skip” to leave it out.';
function restart(next) {
  // The answer to its own question.
  if (known.asked?.some(({ chip }) => bareOf(chip) === bare())) return undefined;
  return /^(?:start over|start again|begin again|start afresh|restart|reset|(?:(?:start|begin|open|do|create|make) )?(?:an? |the )?(?:new|another|next|fresh|different) (?:inspection|property|report|house|flat|address|job|one at another address)|start (?:an? )?inspection)$/.test(
    said,
  ) &&
    (next.stage !== 'new' || !/^start (?:an? )?inspection$/.test(said))
    ? restarted(next)
    : undefined;
}

function helped(next) {
  const isHelp =
    /^(?:help(?: me)?|menu|commands?|options|instructions|what (?:else )?(?:can|do|should|must) (?:you|i) (?:do|say|send|type|write)(?: now| next| here)?|how (?:does|do) (?:this|it|i) \w+.*|\?|i(?:'m| am) (?:stuck|lost|confused))$/.test(
      said,
    ) || plain === '?';
  return isHelp
    ? { does: 'say', inspection: { ...next, ...kept() }, message: helpText(), choices: HELPED }
    : undefined;
}

const HELPED = ['What is missing?', 'What have you recorded?', 'Undo'];

function progress(next) {
  return isStatus() ? { does: 'status', inspection: { ...next, ...kept() } } : undefined;
}

/** What was asked stays asked, where the answer to it has not come. */
function kept() {
  const { guess, awaiting, asked, finishing = false, shown, undone } = known;
  return { guess, awaiting, asked, finishing, shown, undone };
}

const ASKS =
  /^(?:what|which|anything|something(?= \w+$)|how (?:many|much|far|am i|are we)|where|have (?:i|we)|did (?:i|we)|do (?:i|we)|am i|are we|is (?:that|it|this|everything|anything|something|the report|my report)|show|list(?! of (?!the |my |rooms|areas|photos|pictures|remarks|things|notes)))\b/;
const HOW_FAR =
  /\b(?:left|missing|outstanding|remaining|still|next|else|need(?:ed)?|forgotten|forgot|forget|missed|miss|so far|how far|to do|to go|done|finished|everything|all|progress|status|doing|photos?|photographs?|pictures?|pics?|images?|shots?|areas?|rooms?|meters?|checklist|list|summary|ready|up to)\b/;

const IS_SAVED =
  /^(?:did you (?:get|receive|save|record|see) .+|(?:is|are|has|have) (?:it|that|they|those|everything|all|(?:my|the) (?:photos?|pictures?|pics|remarks?|notes?)) (?:all )?(?:been )?(?:saved|sent|recorded|received|there|uploaded|noted|ok|safe)(?: now| yet)?)$/;

/** “What is missing?”, “how many photos so far”, “have I got everything?” */
function isStatus() {
  if (
    /^(?:status|progress|(?:quick |a )?(?:summary|recap)|outstanding|checklist|missing|(?:photo|picture|pic) count)(?: so far)?$/.test(
      said,
    )
  )
    return true;
  if (IS_SAVED.test(said)) return true;
  // “List price sticker left on fridge”
  const isService = SERVICE.some(({ pattern }) => pattern.test(said));
  if (/^(?:show|list)\b/.test(said) && !isService && evidenceIn(said).isObject) return false;
  return (said.split(' ').length <= 8 || /^how many\b/.test(said)) && ASKS.test(said) && HOW_FAR.test(said);
}

/** Late photographs go into the report that there is; a report of their own has to be asked for. */
const ADDITION =
  /^(?:add|put|include) (?:it|this|that|them|these|those|(?:the |my )?(?:new |last |late |missing )?(?:photo(?:graph)?|picture|pic|image)s?)? ?(?:in|to|into) (?:this|the|my|that)(?: last| finished| first)? report$/;
const SEPARATE = /^(?:make )?(?:an? )?separate report(?: of (?:it|them|these|those))?$/;

function finishing(next) {
  if (known.reported && ADDITION.test(said))
    return { ...finished(next, true), edition: 'Photographs were added after the report was made.' };
  if (known.reported && SEPARATE.test(said)) return finished(next, true);
  const anyway =
    /^(?:finish (?:it )?(?:anyway|now|regardless|without (?:them|it|those|these))|force finish|(?:make|do|create|send) (?:the report|it) anyway|anyway|finish (?:the report )?as it is|go ahead)$/.test(
      said,
    );
  if (anyway && (known.finishing || said !== 'go ahead')) return finished(next, true);
  if (
    known.finishing &&
    /^(?:yes|y|yeah|yep|sure|ok|okay|do it|yes please|that's fine|fine|confirm|proceed)$/.test(bare())
  )
    return finished(next, true);
  if (
    known.finishing &&
    /^(?:(?:no|n|nope|not (?:yet|now)|wait|carry on|continue|go on|keep going|cancel|back|hold on|hang on|stop|forget (?:it|that)|never ?mind|nvm|leave (?:it|that)|later|scrap that|ignore that|don't|not done yet)[\s,.!]*)+$/.test(
      withApostrophes(bare()),
    )
  )
    return {
      does: 'say',
      inspection: next,
      message: 'Of course. Send the next area or its photographs when you are ready.',
      choices: areaChoices(next),
    };
  const ending = said.replace(
    /^(?:(?:that(?:'s| is) (?:it|all|everything|the lot)[,.]?(?: (?:so|and|now|then))?|i think|i believe|looks like|(?:can|could|shall|should) (?:i|we)|i'm|i am|we're|we are|that's|that is|that was|it's|ready to|time to|let's|now|all|just|me)\s+)+/,
    '',
  );
  const isEnd =
    /^(?:finish(?:ed)?|done|complete[d]?|finali[sz]e|the end|end|it|all|everything|the lot|the last one|(?:call )?it a day|a wrap|(?:your|my) lot|(?:wrap|close|finish) (?:it )?(?:up|off)|report|render)(?: (?:it off|it up|up|off|here|now|for today|for now|the (?:report|inspection)|inspection|report))*$/;
  const isOrder =
    /^(?:have|get|give me|i(?:'d like| want| need)|make|create|generate|produce|write|send|finish|finali[sz]e|complete|build|print|email|see|give)(?: me)?(?: (?:the|my|a|this))?(?: (?:final|finished|inspection|whole))? (?:report|pdf|inspection|document)(?: now)?$/;
  if (/^(?:that's me|job done)$/.test(said)) return finished(next, Boolean(known.finishing));
  if (!/^(?:it|all|everything)$/.test(said) && (isEnd.test(ending) || isOrder.test(ending)))
    return finished(next, Boolean(known.finishing));
  return undefined;
}

function finished(next, anyway) {
  if (!next.address)
    return {
      does: 'say',
      inspection: { ...next, stage: 'address' },
      message: 'Nearly there: before I can write the report, what is the address of the property?',
    };
  if (!next.reportName)
    return {
      does: 'say',
      inspection: { ...next, stage: 'type' },
      message:
        'Nearly there: before I can write the report, which type is it?\n1. Check-in\n2. Check-out\n3. Interim',
      choices: TYPES,
    };
  const inspection = { ...next, stage: 'areas', shown: known.finishing ? known.shown : undefined };
  return { does: 'finish', anyway, inspection };
}

const PARTY = '(?:[Ii]nspector|[Aa]ssessor|[Cc]lerk|[Tt]enants?|[Cc]ompany|[Aa]gency|[Aa]gent)';
const AT_A_DETAIL = new RegExp(
  String.raw`[,;.\n]\s*(?:and )?(?=(?:the )?(?:(?:${PARTY}|[Aa]ddress|[Pp]ost ?code|[Tt]ype)(?:'?s? name)?(?:\s*[:=]| (?:is|are)\b)|${PARTY} \p{Lu}))`,
  'u',
);

/** “Tenant: Jo Bloggs, agent: Bell & Co”: several details in one message. */
function listedDetails(next) {
  const parts = text.replaceAll('’', "'").split(AT_A_DETAIL);
  if (parts.length < 2 || parts.length > 8) return undefined;
  const named = new RegExp(String.raw`^(${PARTY}) (?=\p{Lu})`, 'u');
  const found = [];
  for (const part of parts) {
    const now = found.at(-1)?.inspection ?? next;
    const read = () => detail(now) ?? (now.stage === 'name' ? nameStage(now) : undefined);
    const one = within(part.trim().replace(named, '$1: '), read);
    if (one?.does !== 'details') return undefined;
    found.push(one);
  }
  // The answer to the inspector's name ends with what to do next.
  const ordered = [...found].sort(
    (one, other) => Number(Boolean(one.choices)) - Number(Boolean(other.choices)),
  );
  return {
    does: 'details',
    details: Object.assign({}, ...found.map(({ details }) => details)),
    inspection: found.at(-1).inspection,
    message: ordered.map(({ message }) => message).join('\n'),
    choices: ordered.at(-1).choices,
  };
}

/** “inspector: …”, “the tenant is …”, “change the type to …”, at any time. */
function detail(next) {
  const listed = listedDetails(next);
  if (listed) return listed;
  const order = withoutCourtesies(plain);
  const named =
    /^(?:(?:change|set|make|correct|update) )?(?:the |my )?(address|property address|property|inspector|assessor|clerk|inspector'?s name|inspector name|name|tenant|tenant'?s name|tenant name|tenants|company|agency|agent|postcode|post code|property n(?:umber|o)|(?:report |inspection )?type|inspection|report)(?: (?:is|are)(?: now)?(?: called)?| should be| was| to be| to|\s*[:=]|\s+-\s|(?<=(?:tenant|inspector|clerk|assessor|name)s?) (?=(?:mr|mrs|ms|miss|dr|prof)\b))\s*(.+)$/i.exec(
      order,
    );
  if (/^(?:wrong|change|correct|update) (?:the )?address$/.test(said)) return askAddress(next);
  if (named && !/^(?:inspection|report)$/i.test(named[1])) {
    const value = named[2].trim().replace(/\s*[.;!]+$/, '');
    const what = named[1].toLowerCase();
    const before = order.slice(0, order.length - named[2].length).toLowerCase();
    const isLabelled = /[:=]|\s-\s/.test(before);
    if (
      isLabelled &&
      /tenant|inspector|clerk|assessor/.test(what) &&
      isState(value) &&
      !isWrittenAsName(value)
    )
      return isItTheName(what, value, next);
    if (isLabelled || (isTold(before) && !isStatement(what, value) && !isState(value)))
      return detailOf(what, value, next);
    // “tenant to return keys”
    const told = /\bto $/.test(before) && !isWrittenAsName(value) ? undefined : saidOf(what, value, next);
    if (told) return told;
  }
  return next.reportName ? typeSaid(next) : undefined;
}

/** “The tenant is Jo Bloggs” is a detail, “the tenant is out” is none, and of “the tenant is jo” it asks. */
function saidOf(what, value, next) {
  if (/address|^property$|type/.test(what))
    return isStatement(what, value) ? undefined : detailOf(what, value, next);
  if (/post ?code/.test(what)) return POSTCODE.test(value) ? detailOf(what, value, next) : undefined;
  if (/property n/.test(what)) return /\d/.test(value) ? detailOf(what, value, next) : undefined;
  const lower = value.toLowerCase();
  if (isState(value) || value.split(' ').length > 6) return undefined;
  if (isWrittenAsName(value)) return detailOf(what, value, next);
  if (value.split(' ').length > 3 || sentence.test(lower) || flawed.test(lower)) return undefined;
  // The one who writes is the inspector.
  if (/inspector|clerk|assessor|name/.test(what)) return detailOf(what, value, next);
  return isItTheName(what, value, next);
}

const POSTCODE = /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i;

function askAddress(next) {
  return {
    does: 'say',
    inspection: { ...next, ...kept() },
    message: 'What is the address? Send it as “address: …”.',
  };
}

function detailOf(what, value, next) {
  if (/address|^property$/.test(what)) {
    const address = addressIn(value) ?? value;
    if (!/^(?:wrong|not right|incorrect|false)\b/i.test(value) && !looksLikeAddress(value))
      return askBack(next, `“${value}” does not look like an address. Is it the address of the property?`, [
        { chip: 'Yes, that is the address', then: { call: 'address', address: value.slice(0, 300) } },
        { chip: 'No', then: { call: 'askAddress' } },
      ]);
    const isWrong = address === value && /^(?:wrong|not right|incorrect|false)\b/i.test(value);
    return isWrong
      ? askAddress(next)
      : addressed(/^(?:wrong|not right|incorrect|false)\b/i.test(value) ? address : value, next);
  }
  if (/type/.test(what)) {
    const kind = typeOf(value.toLowerCase());
    return kind ? typed(kind, next) : askType(next, true);
  }
  if (/post ?code/.test(what))
    return given(
      { postcode: value.toUpperCase() },
      `Thank you, the postcode is now: ${value.toUpperCase()}`,
      next,
    );
  if (/property n/.test(what))
    return given({ propertyNo: value }, `Thank you, the property number is now: ${value}`, next);
  if (/tenant/.test(what)) return given({ tenant: value }, `Thank you, the tenant is now: ${value}`, next);
  if (/company|agen/.test(what))
    return given({ company: value }, `Thank you, the company is now: ${value}`, next);
  if (next.stage === 'name') return nameGiven(value, next);
  return given({ assessor: value }, `Thank you, the inspector is now: ${value}`, {
    ...next,
    assessor: value,
  });
}

function given(details, message, next) {
  return { does: 'details', details, inspection: { ...next, ...kept() }, message };
}

function helpText() {
  return 'Here is what you can send me:\n- an area, such as “Kitchen” or “Gas Meter”, and then its photographs\n- a sentence about the area, such as “the tap is dripping”, or “remark: …”\n- “Worktop: fair, dusty, light scratch” for the condition of an item, several with a semicolon\n- “what is missing?” to see what is there and what is outstanding\n- “skip gas meter” for a meter, keys or detectors that are not there\n- “undo” to take back what you sent last, “what have you recorded?” for a list, then “delete 3”\n- “that was the hall”, “delete the last photo”, “delete the last remark”, “turn the last photo left”, “rename Bedroom to Bedroom 2”\n- “address: …”, “type: …”, “inspector: …”, “tenant: …” to change the details\n- “finish” to make the report, “start over” for another property';
}

/** The next areas to tap: what is usual and not there yet. */
function areaChoices({ areas = [], reportName }) {
  const there = new Set(areas.map(slug));
  const usual = [...USUAL_ROOMS, ...SERVICE.map(({ name }) => name)];
  const open = usual.filter((area) => !there.has(slug(area))).slice(0, 6);
  return reportName ? [...open, 'What is missing?', 'Finish'] : open;
}
