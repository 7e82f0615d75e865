/** “bring it back”: an undo is never undone by an undo. */
function bringingBack(next) {
  const found = /^(?:bring (.+) back|(?:restore|bring back) (.+)|redo(?: (?:it|that))?|undo the undo)$/.exec(
    said,
  );
  const what = found?.[1] ?? found?.[2] ?? 'it';
  if (!found || !/^(?:it|them|that|those|(?:the |my )?last (?:one|photo|picture|pic)s?)$/.test(what))
    return undefined;
  const count = /photo|pic/.test(what) ? 1 : known.undone;
  if (count === undefined)
    return /^(?:undo|redo)/.test(said) ? undefined : correction({ undo: true }, '', next);
  if (count === 0)
    return {
      does: 'say',
      inspection: { ...next, ...kept() },
      message: 'What was taken back cannot be brought back. Please send it again.',
    };
  const those = count === 1 ? 'The last photograph is' : `The last ${count} photographs are`;
  return correction({ target: 'last', count, withdrawn: false }, `${those} back in the report.`, next);
}

/** “undo”, “oops”, “ignore that”: takes back what the last message recorded or corrected, whatever it is. */
function undoing(next) {
  const words = said.replace(
    /\b(?:what i (?:just )?(?:said|sent|wrote)|(?:the|my) last (?:thing|message|step|change|correction|entry|move))\b|(?<=^(?:ignore|disregard|forget|scratch) )my last$/,
    'that',
  );
  const many =
    /^(?:undo|take back|reverse|revert) (?:the )?(?:last )?(\d{1,2}|two|three|four|five)(?: (?:things|steps|messages|changes|times))?$/.exec(
      words,
    );
  if (many) {
    const count = Math.min(50, Number(many[1]) || NUMBER_WORDS[many[1]]);
    return correction({ undo: true, undone: count }, '', next);
  }
  if (
    /^(?:undo|revert|reverse|take back|go back on|ignore|forget|scratch|scrap|disregard|delete|remove|cancel|withdraw|discard|strike|erase|bin|drop|lose)(?: (?:that|it|this|all that|all of that))(?: (?:again|back|now|last|please|one thing))?$/.test(
      words,
    ) ||
    /^(?:undo|revert|reverse|take (?:that|it|this) back|oops|oopsie|whoops|woops|undo undo|undo (?:the )?(?:last|latest|previous)(?: (?:one|thing|change|correction|move|step))?)$/.test(
      words,
    ) ||
    /^(?:i (?:didn't|did not) (?:mean|want)(?: to (?:do|say|send|write))? that|that (?:was|is) (?:a |my )?mistake|my mistake|my bad|by mistake|sent (?:that )?by mistake|didn't mean that|don't (?:note|record|write|use|include|keep) (?:that|it|this)(?: down)?|not that)$/.test(
      words,
    ) ||
    (/^(?:oops|whoops|woops)\b/i.test(plain) &&
      /^(?:sorry|wrong button|no|ignore|undo|cancel|mistake|a mistake)$/.test(words))
  )
    return correction({ undo: true }, '', next);
  if (
    /^(?:never ?mind|nvm|cancel|forget about it|no wait|hang on|wait no)$/.test(words) &&
    next.stage === 'areas'
  )
    return askBack(next, 'Shall I take back what you sent last?', [
      { chip: 'Undo', then: { call: 'undo' } },
      NOT_DELETED,
    ]);
  return undefined;
}

/** “what have you recorded?” */
function listing(next) {
  const isList =
    /^(?:(?:so )?what (?:have|has|did|do|all)(?: (?:you|i|we|all|just))*(?: (?:have|has))? ?(?:recorded|record|noted|note|saved|save|written|write|logged|stored|taken down|got down|got recorded|entered|put down|sent|send|said|say)(?: (?:down|so far|already|up to now|until now|for me))*|what(?:'s| is| was| has)?(?: been)? (?:recorded|noted|saved|stored|logged|written)(?: (?:down|so far|already))*|(?:show|list|read|tell|give|repeat)(?: me| back)*(?: (?:everything|all|it all|the list|a list|what(?: is|'s| was)? (?:you(?: have|'ve)?|i(?: have|'ve)?|we(?: have|'ve)?)? ?(?:got|recorded|noted|written|saved|sent|said|have)|(?:all )?(?:the |my |your )?(?:remarks?|notes?|comments?|records?|recordings|entries|things|readings|recorded things)))(?: (?:back|so far|recorded|again|to me|of (?:remarks|things|notes|everything)))*(?: (?:for|in|of|about|under) (?:the )?[\p{L}\d ]{2,40})?|what (?:did|have|had) (?:i|we) (?:put|note|noted|record|recorded|say|said|write|written|sent|send|got)(?: down)? (?:under|in|for|about|on) .+|list|list (?:it|them)|read (?:it|that|them) back(?: to me)?|(?:the |my )?(?:remarks|notes|comments|entries|recordings|list of (?:remarks|things|notes)) (?:so far|please|list)|what (?:remarks|notes|comments|readings|things) (?:do you have|have you got|are there|have i made|did i make|have you)(?: so far)?)$/u.test(
      said,
    );
  return isList ? correction({ list: true }, '', next) : undefined;
}

/** “delete 3” of that list, “delete the last remark”, “change the last remark to …”. */
function withdrawing(next) {
  const numbered =
    /^(?:delete|remove|withdraw|discard|erase|scrap|drop|cancel|take out|get rid of)(?: the)?(?: (?:number|no\.?|nr\.?|item|entry|line|thing))? ?#?(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)(?:st|nd|rd|th)?(?: (?:one|from the list|of the list|in the list))?$/.exec(
      said,
    );
  if (numbered && !/^(?:delete|remove|withdraw) (?:one|two)$/.test(said)) {
    const thing = (known.listed ?? [])[(Number(numbered[1]) || NUMBER_WORDS[numbered[1]]) - 1];
    if (!known.listed)
      return askBack(next, 'Which do you mean? First ask for the list.', [SHOW_LIST, NOT_DELETED]);
    if (!thing) return askBack(next, `The list ends at ${known.listed.length}.`, [SHOW_LIST, NOT_DELETED]);
    return deleted(thing, next);
  }
  const kind =
    /^(?:delete|remove|withdraw|discard|erase|scrap|scratch|strike|drop|cancel|undo|take back|ignore|forget|take out|get rid of) (?:the |my |that )?(?:(?:very )?last |latest |previous |newest |most recent |final )?(remark|note|comment|reading|meter reading|keys?(?: count)?|alarm|observation)$/.exec(
      said,
    );
  if (kind) {
    const target = `last-${THING_TARGETS[kind[1].split(' ').pop()] ?? THING_TARGETS[kind[1].split(' ')[0]]}`;
    return correction({ target, withdrawn: true }, '', next);
  }
  const misplaced =
    /^(?:(?:move|put|file|shift|change) )?(?:(?:the |my |that )(?:last |latest )?|last |latest )(?:remark|note|comment) (?:to|under|in(?:to)?|(?:was|is|should be|belongs|goes)(?: (?:for|about|in|under|to|of))?) (?:the )?(.+)$/.exec(
      said,
    );
  if (misplaced && isAreaOnly(misplaced[1])) {
    const area = written(misplaced[1]);
    return correction({ target: 'last-remark', area }, `Your last remark is now under ${area}.`, next);
  }
  const meter =
    /^(?:delete|remove|withdraw|discard|erase|scrap|drop) (?:the )?(.+?)(?: meter)? reading$/.exec(said)?.[1];
  const read = meter && meterIn(meter) && known.readings?.[slug(areaOfMeter(meterIn(meter)))];
  if (read)
    return correction({ target: read, withdrawn: true }, `Removed the reading of ${meterIn(meter)}.`, next);
  const changed = remarkReworded(next) ?? remarkDenied(next);
  if (changed) return changed;
  const reworded =
    /^(?:change|edit|correct|reword|rewrite|update|amend|make) (?:the |my )?(?:last |latest |previous )?(?:remark|note|comment)(?: (?:to|to say|say|read|as)\b\s*[:,-]?|\s*[:-])\s*(.+)$/.exec(
      said,
    );
  if (reworded) {
    const from = plain.toLowerCase().lastIndexOf(reworded[1].slice(0, 12));
    const typed = (from < 0 ? reworded[1] : plain.slice(from)).replace(/^["']|["']$/g, '');
    return correction({ target: 'last-remark', text: typed }, `The last remark now says “${typed}”.`, next);
  }
  if (
    /^(?:delete|remove|withdraw|discard|erase|scrap|drop|edit|change|correct|amend|reword|move|cancel)\b.*\b(?:remarks?|notes?|comments?|readings?|observations?|keys?|alarms?|entry|entries)\b/.test(
      said,
    ) &&
    !/\bsafe\b/.test(said)
  )
    return askBack(next, 'Which of the things that I have recorded do you mean?', [SHOW_LIST, NOT_DELETED]);
  return undefined;
}

/** “Cracked, not chipped” where the latest remark says “chipped”: it is changed, or this is another remark. */
function remarkDenied(next) {
  const [, to, from] =
    /^(?:(?:no|sorry|oops|it's|that's|i (?:said|meant?)|should be)[\s,]+)*(\p{L}[\p{L} -]{1,40}?),? not (\p{L}[\p{L} -]{1,40})$/u.exec(
      said,
    ) ?? [];
  const remark = from && (Array.isArray($things) ? $things : []).find(({ kind }) => kind === 'remark');
  const noted = remark?.text?.toLowerCase() ?? '';
  const at = noted.search(new RegExp(`\\b${from}\\b`));
  const [denied, meant] = [evidenceIn(from ?? ''), evidenceIn(to ?? '')];
  const isSameKind = denied.isStrong ? meant.isStrong : denied.isObject && meant.isObject;
  if (!from || at < 0 || !isSameKind || noted.includes(to)) return undefined;
  const words = remark.text.slice(0, at) + to + remark.text.slice(at + from.length);
  const changed = correction({ target: remark.id, text: words }, `The remark now says “${words}”.`, next);
  return askBack(next, 'Shall I change the last remark, or is that another one?', [
    { chip: `Change “${from}” to “${to}”`, then: { ...changed, inspection: undefined } },
    asRemark(text),
  ]);
}

/** “Change loose to broken”: the latest remark with these words. */
function remarkReworded(next) {
  const [, from, to] =
    /^(?:please )?(?:change|correct|amend|edit|replace) (?:the word )?["']?(.{2,80}?)["']? (?:to|into|with) ["']?(.{2,120}?)["']?$/i.exec(
      plain,
    ) ?? [];
  const things = Array.isArray($things) ? $things : [];
  const holds = ({ kind, text: noted = '' }) =>
    kind === 'remark' && noted.toLowerCase().includes(from.toLowerCase());
  const remark = from && things.find(holds);
  if (!remark || isAreaOnly(from.toLowerCase())) return undefined;
  const at = remark.text.toLowerCase().indexOf(from.toLowerCase());
  const words = remark.text.slice(0, at) + to + remark.text.slice(at + from.length);
  return correction({ target: remark.id, text: words }, `The remark now says “${words}”.`, next);
}

const THING_TARGETS = {
  ...{ remark: 'remark', note: 'remark', comment: 'remark', reading: 'reading', alarm: 'alarm' },
  ...{ key: 'keys', keys: 'keys', count: 'keys', observation: 'observation' },
};
const SHOW_LIST = {
  chip: 'What have you recorded?',
  then: { does: 'correct', correction: { list: true }, said: '' },
};
const NOT_DELETED = { chip: 'Leave it as it is', then: { call: 'nothing' } };

function deleted({ id, kind, words, service }, next) {
  if (kind !== 'absence') return correction({ target: id, withdrawn: true }, `Removed: ${words}.`, next);
  const skipped = (next.skipped ?? []).filter(
    (area) => !SERVICE.some((each) => each.slug === service && each.pattern.test(area.replace(/-/g, ' '))),
  );
  return {
    does: 'details',
    details: { skippedAreas: skipped.join('|') || null },
    inspection: { ...next, skipped },
    message: `Removed: ${words}.`,
  };
}
