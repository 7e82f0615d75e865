function corrects() {
  return corrections({ ...known }) !== undefined;
}

function corrections(next) {
  const withdrawn =
    /^(?:delete|remove|withdraw|discard|bin|scrap|drop|lose|erase|cancel|undo(?= .*(?:photo|pic|image|shot))|get rid of|take (?:out|off|away)|ignore|forget|don't (?:use|print|include)|leave out)\s+(.+)$/.exec(
      said,
    );
  const takenOut = /^take (.+) (?:out|off|away)$/.exec(said);
  if (takenOut && photographsIn(takenOut[1])) return withdrawal(photographsIn(takenOut[1]), next);
  if (withdrawn) {
    if (withdrawn[1] === 'the lot') return cannotCorrect(next);
    const which = photographsIn(withdrawn[1]);
    if (which) return withdrawal(which, next);
    return /\b(?:photos?|pictures?|images?|pics?|shots?|photographs?|everything|all|areas?|rooms?)\b/.test(
      withdrawn[1],
    )
      ? cannotCorrect(next)
      : undefined;
  }
  const turned =
    /^(?:turn|rotate|flip|spin)\s+(.+?)(?:\s+(?:to the |by |around |round )?(right|clockwise|left|anti-?clockwise|counter-?clockwise|upside down|around|round|over|90|180|270)(?:\s*(?:degrees|°))?)?(?:\s+(clockwise|anti-?clockwise|right|left))?$/.exec(
      said,
    );
  if (turned) {
    const which = photographsIn(turned[1].replace(/\s+(?:by|to the)$/, ''));
    if (which) {
      const turn = turnOf(`${turned[2] ?? ''} ${turned[3] ?? ''}`);
      return correction({ ...which, turn }, `${told(which)} turned by ${turn} degrees.`, next);
    }
  }
  if (
    /^(?:it|that|that one|(?:the |my )?(?:last |latest )(?:one|photo|picture|pic)|the photo|the picture) (?:is|was|came out)(?: the wrong way up| upside down| on its head)$|^(?:it|that)'s upside down$/.test(
      said,
    )
  )
    return correction(
      { target: 'last', count: 1, turn: 180 },
      'The last photograph is turned by 180 degrees.',
      next,
    );
  if (
    /^(?:it|that|that one|(?:the |my )?(?:last |latest )?(?:one|photo|picture|pic|image)) ?(?:is|'s|was|came out|looks)? (?:sideways|on its side|lying on its side|rotated|turned|the wrong way(?: round)?)$/.test(
      said,
    )
  ) {
    const turns = (turn) => ({
      ...correction(
        { target: 'last', count: 1, turn },
        `The last photograph is turned by ${turn} degrees.`,
        {},
      ),
      inspection: undefined,
    });
    return askBack(next, 'Which way shall I turn it?', [
      { chip: 'Turn it left', then: turns(270) },
      { chip: 'Turn it right', then: turns(90) },
      { chip: 'Leave it as it is', then: { call: 'nothing' } },
    ]);
  }
  const renamed =
    /^(?:rename|change|relabel)\s+(?:the )?(?:(?:(?:area|room)(?: name)?|name of|name)\s+)?(?:from\s+)?"?(.+?)"?\s+(?:to|into|as)\s+(?:the )?"?(.+?)"?$/.exec(
      said,
    );
  // “Rename this to Study” is about the area, “change this to Study” about a photograph.
  const isHere = /^(?:this|it|(?:this|the|current|this current)? ?(?:room|area|one))$/.test(
    renamed?.[1] ?? '',
  );
  if (renamed && (!photographsIn(renamed[1]) || (isHere && /^re/.test(said)))) {
    const from = isHere ? known.current : knownArea(renamed[1]);
    if (from || /^re/.test(said))
      return correction(
        { rename: { from: from ?? capital(renamed[1]), to: written(renamed[2]) } },
        `${from ?? capital(renamed[1])} is now called ${written(renamed[2])}.`,
        next,
      );
  }
  const should =
    /^(?:the )?"?(.+?)"? (?:should be|is really|is actually|ought to be) (?:called|named)? ?(?:the )?"?(.+?)"?$/.exec(
      said,
    );
  if (should && knownArea(should[1]) && isAreaOnly(should[2]))
    return correction(
      { rename: { from: knownArea(should[1]), to: written(should[2]) } },
      `${knownArea(should[1])} is now called ${written(should[2])}.`,
      next,
    );
  if (
    /^(?:(?:i (?:made|have made) an? (?:mistake|error)|(?:that|the last)? ?(?:photo|picture|one)?(?: is| was|'s)? ?wrong(?: (?:photo|picture|one|room|area))?|that(?:'s| is| was) (?:wrong|not right|a mistake)|not that one|retake|mistake))$/.test(
      said,
    )
  )
    return cannotCorrect(next);
  if (
    /^(?:move|delete|remove|withdraw|turn|rotate)\b.*\b(?:photos?|pictures?|photographs?|remarks?|notes?)\b/.test(
      said,
    ) &&
    !photographMoved()
  )
    return cannotCorrect(next);
  return movement(next);
}

function photographMoved() {
  return movement({}) !== undefined;
}

function withdrawal(which, next) {
  const back = which.count > 1 || which.target === 'last-batch' ? 'them' : 'it';
  return correction(
    { ...which, withdrawn: true },
    `${told(which)} withdrawn: kept, but not in the report. Send “undo” to bring ${back} back.`,
    next,
  );
}

function movement(next) {
  const to =
    /^(?:move|put|file|switch|transfer|shift|change|reassign|refile|relocate|re-?file|swap)\s+(.+?)\s+(?:in ?to|to|under|in|over to|across to|as)\s+(?:the )?(?:area |room )?"?(.+?)"?(?:\s+(?:instead|area|not (?:the )?.+))?$/.exec(
      said,
    );
  if (to) {
    const which = photographsIn(to[1].replace(/(?:'s|s')? (?:area|room)$| back$/, ''));
    if (which && isPlace(to[2])) return moved(which, to[2], next);
  }
  const was =
    /^(?:actually |wait |no |sorry |oops |i meant |wrong (?:room|area|place)[\s,:-]*)*(?:(that|this|it|those|these|they|(?:that|this|those|these|the|my|last|latest|both) .+?)\s*(?:'s|'re|is|are|was|were|should(?:'ve| have)? (?:be|been|go|gone)|belongs?|goes|go)(?: actually| really| meant to be| supposed to be)?)\s+(?:in(?:to)?\s+|for\s+|of\s+|from\s+|to\s+|under\s+)?(?:the )?(.+?)(?:,? (?:not|rather than|instead of) (?:the |in the )?.+|,? instead| actually)?$/.exec(
      said,
    );
  if (was && isAreaOnly(was[2])) {
    // “this is the hall” opens it; “that was the hall” is about what was sent, all of it.
    const isThat = /^(?:that|it|this)$/.test(was[1]);
    if (isThat && /^that/.test(was[1]) && known.last && !known.last.photographs) return thatWas(was[2], next);
    const which = isThat ? { target: 'last-batch', count: 0 } : photographsIn(was[1]);
    if (which && Number(known.pending ?? 0) > 0 && !/^(?:this|it)(?:'s| is)? (?:is )?(?:the )?/.test(said))
      return moved(which, was[2], next);
  }
  const elsewhere =
    /\bwrong (?:room|area|place|one)\b[\s,:;.-]*(?:it|that|they|those)(?:'s| is| was|'re| are| were| should be)(?: in| for)?(?: the)? (.+)$/.exec(
      said,
    );
  if (elsewhere && isAreaOnly(elsewhere[1]) && Number(known.pending ?? 0) > 0)
    return moved({ target: 'last-batch', count: 0 }, elsewhere[1], next);
  const wrong =
    /^(?:wrong (?:room|area|place|one)|i meant|should have been|that should say|not (?:the )?([\w ]+?)(?:\s*[,;.]\s*(?:but )?| but ))[\s,:;.-]*(?:it(?:'s| is| was)|that(?:'s| is| was)|they(?:'re| are| were)|those (?:are|were)|should be)?\s*(?:in )?(?:the )?(.+)$/.exec(
      said,
    );
  // “Not kitchen, utility” moves, “not tested, hall” does not.
  const isDenied = !wrong?.[1] || isAreaOnly(wrong[1]);
  if (wrong && isDenied && isAreaOnly(wrong[2])) {
    if (Number(known.pending ?? 0) > 0) return moved({ target: 'last-batch', count: 0 }, wrong[2], next);
    return undefined;
  }
  return undefined;
}

/** “That was the hall” after a message without photographs: its remark, else it is asked what is meant. */
function thatWas(place, next) {
  const area = written(place);
  if (known.last.remark)
    return correction({ target: 'last-remark', area }, `Your last remark is now under ${area}.`, next);
  const { message, options } = areaOrRemark(place, { chip: 'Leave it as it is', then: { call: 'nothing' } });
  const moves = { target: 'last-batch', count: 0 };
  const move = { chip: `Move the last photographs to ${area}`, then: moved(moves, place, {}) };
  return askBack(next, message, Number(known.pending ?? 0) > 0 ? [move, options.at(-1)] : options);
}

function moved(which, place, next) {
  const target = typeof which === 'string' ? { target: which, count: 0 } : which;
  const area = written(place);
  const result = correction({ ...target, area }, `${told(target)} now in ${area}.`, next);
  const isAll = target.target === 'last-batch' || target.count === known.last?.photographs;
  if (!isAll || !known.last?.photographs || !known.last.remark) return result;
  // Words and photographs of one message are about one place, but only the photographs were named.
  const remark = correction({ target: 'last-remark', area }, `Your last remark is now under ${area}.`, {});
  const asked = [{ chip: `Move its remark to ${area} too`, then: { ...remark, inspection: undefined } }];
  return { ...result, inspection: { ...result.inspection, asked } };
}

function correction(members, message, next) {
  const { count, undone, ...rest } = members;
  // A question belongs to its photographs: where these are moved, it stays open.
  const { awaiting } = known;
  const follows = rest.area !== undefined && awaiting;
  return {
    does: rest.rename ? 'rename' : 'correct',
    correction: {
      ...rest,
      ...(rest.target === 'last' ? { count: Math.max(1, count ?? 1) } : {}),
      ...(undone ? { count: undone } : {}),
    },
    said: message,
    inspection: follows ? { ...next, awaiting } : next,
  };
}

const PHOTOGRAPH = '(?:one|photo(?:graph)?|picture|image|pic|shot)';
const PHOTOGRAPHS = '(?:ones|photo(?:graph)?s|pictures|images|pics|shots|batch|lot)';
const WHOSE = '(?:(?:that|this|those|these|the|my|our) )?';
const LAST = '(?:last|latest|previous|most recent|newest|final)';
const COUNT = `(\\d{1,3}|${COUNT_WORDS}|couple(?: of)?)`;
const one = new RegExp(
  `^(?:that|it|this|${WHOSE}(?:${LAST} )?${PHOTOGRAPH}|${WHOSE}${LAST})(?: (?:i|we) (?:just )?(?:sent|took)| again| too)?$`,
);
const many = new RegExp(
  `^${WHOSE}(?:${LAST} |(?<=those |these ))${COUNT}(?: (?:${PHOTOGRAPHS}|${PHOTOGRAPH}))?(?: (?:i|we) (?:just )?(?:sent|took))?$`,
);
const batch = new RegExp(
  `^(?:those|them|these|they|all of (?:those|them|these)|${WHOSE}(?:${LAST} )?${PHOTOGRAPHS}|${WHOSE}${LAST} message)(?: (?:i|we) (?:just )?(?:sent|took))?$`,
);

/** Which photographs are meant; `undefined` where the words name none. */
function photographsIn(words) {
  const counted = many.exec(words);
  if (counted) return { target: 'last', count: Number(counted[1]) || NUMBER_WORDS[counted[1].split(' ')[0]] };
  if (/^both(?: (?:photos|pictures|pics|of (?:them|those|these)|those|these))?$/.test(words))
    return { target: 'last', count: 2 };
  if (one.test(words)) return { target: 'last', count: 1 };
  return batch.test(words) ? { target: 'last-batch', count: 0 } : undefined;
}

function told({ target, count }) {
  if (target === 'last-batch') return 'The photographs of your last message are';
  return count > 1 ? `The last ${count} photographs are` : 'The last photograph is';
}

function turnOf(words) {
  if (/180|upside|round|around|over/.test(words)) return 180;
  if (/270|left|anti|counter/.test(words)) return 270;
  return 90;
}

function cannotCorrect(next) {
  return {
    does: 'say',
    inspection: next,
    asks: true,
    message:
      'I can withdraw the last photographs (“delete the last photo”), move them (“move the last two to Bathroom”), turn them (“turn the last photo left”), rename an area (“rename Bedroom to Bedroom 2”) and take a correction back (“undo”). Other corrections are made by tapping a photograph, or in the console.',
  };
}
