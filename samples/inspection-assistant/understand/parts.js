/** Two commands in one message: one is done at a time, and both are offered. */
function twoAtOnce(next) {
  const parts = /^(.{3,80}?)(?:\s*[,;.]\s*(?:and |then |now )*|\s+(?:and then|then|and) )(.{3,80})$/.exec(
    plain,
  );
  if (!parts) return undefined;
  const found = [parts[1], parts[2]].map((part) => alone(part, next));
  if (found.some((each) => !each)) return undefined;
  return askBack(
    next,
    'One thing at a time, please. Which first?',
    found.map((each, index) => ({
      chip: capital(parts[index + 1]),
      then: { ...each, inspection: undefined },
    })),
  );
}

/** “Tap drips, now the hall”, “hob clean, done”: the remark is noted, what comes next is of the area; the report is offered. */
function remarkThenNext(next) {
  const [, words, area] =
    /^(.{3,200}?)[\s,.;]+(?:(?:so|and) )*(?:(?:now|next(?! to\b)|then|on to|onto|moving on to|off to|over to) )+(?:the )?(.{3,40})$/i.exec(
      plain,
    ) ?? [];
  if (area && isAreaOnly(area.toLowerCase()) && !doubtOf(words)) {
    const name = written(area);
    const opens = { chip: `Open ${name}`, then: { does: 'capture', area: name } };
    return { does: 'capture', remark: words, inspection: { ...next, asked: [opens], opens: name } };
  }
  const [, before, end] =
    /^(.{3,240})(?:\s*[,.;]\s*|\s+(?:oh|and then|then)\s+)(?:(?:oh|so|and|right|ok|okay|then) )*(.{3,30})$/i.exec(
      plain,
    ) ?? [];
  // “The last one” alone ends an inspection, and in a remark says which.
  if (!/\b(?:done|finish(?:ed)?|that'?s|report)\b/i.test(end ?? '')) return undefined;
  if (within(end, () => finishing(next))?.does !== 'finish' || doubtOf(before)) return undefined;
  const remark = before.replace(/[\s,.;]+$/, '');
  const finishes = { chip: 'Finish', then: { call: 'finish' } };
  return { does: 'capture', remark, inspection: { ...next, asked: [finishes] } };
}

/** “Carpet stained, undo the last pic”: what is to be taken back is no part of the remark before it. */
function correctionAtEnd(words) {
  const [, before, end] =
    /^(.{3,240})(?:\s*[,.;]\s*|\s+)(?:(?:oh|and|then|also) )*((?:undo|delete|remove|ignore|scrap|scratch|forget|take|get|move|put|bin) .{2,60}|undo)$/i.exec(
      words,
    ) ?? [];
  const result = end && within(end, () => undoing(known) ?? withdrawing(known) ?? corrections(known));
  return result && !result.asks
    ? { before: before.replace(/[\s,.;]+$/, ''), end, then: { ...result, inspection: undefined } }
    : undefined;
}

/** Words after the name of an area: a plain remark, with what is to come after it, or the test of an alarm there. */
function remarkIn(words, area, next) {
  const tested = within(words, () => alarmTest(next));
  if (tested) {
    const opens = { chip: `Open ${area}`, then: { does: 'capture', area } };
    return {
      ...tested,
      alarm: { ...tested.alarm, place: tested.alarm.place ?? area },
      inspection: { ...next, asked: [opens] },
    };
  }
  if (!isPlainRemark(words)) return undefined;
  const noted = within(words, () => remarkThenNext(next));
  return { ...(noted ?? { does: 'capture', remark: words, inspection: next }), area };
}

/** “Kitchen done” opens nothing, and what follows it is understood by itself. */
function afterClosing(next) {
  const [, area, rest] =
    /^(?:(?:right|ok|okay|so|and) )*(?:that'?s |that is )?(?:the )?(.{3,40}?) (?:(?:is|are) )?(?:now |all )?(?:done|finished|completed?)(?: thanks| now)?[\s.!]*(?:[,.;]\s*(.+))?$/i.exec(
      plain,
    ) ?? [];
  if (!area || !isAreaOnly(area.toLowerCase()) || $uploads > 0) return undefined;
  const then = rest && within(rest, () => intended(next));
  if (then) return then.remark && !then.area ? { ...then, area: written(area) } : then;
  if (rest) return undefined;
  return {
    does: 'say',
    inspection: next,
    message: 'Which area is next?',
    choices: areaChoices(next),
  };
}

/** The intent of a part of the message, where it is a command of its own. */
function alone(part, next) {
  return within(part, () => {
    const result =
      undoing(next) ??
      withdrawing(next) ??
      reading(next) ??
      corrections(next) ??
      skipping(next) ??
      progress(next);
    const area = result ? undefined : areaAfterWords(said);
    const opened = area ? { does: 'capture', area: written(area) } : undefined;
    return result && result.asks ? undefined : (result ?? opened);
  });
}

/** What is understood of a part of the message, read as a message of its own. */
function within(part, understand) {
  const whole = [text, plain, said];
  text = part;
  plain = part;
  said = saidIn(part);
  const result = understand();
  [text, plain, said] = whole;
  return result;
}

/** “Area: Boot room”, and in the lines after it what is noted there: the form in which the chat page names an area. */
function underLabel(next) {
  const found = /^\s*(?:area|room)\s*[:-]\s*(\S[^\n]{0,199}?)\s*(?:\n\s*(\S.*?)\s*)?$/is.exec(text);
  if (!found) return undefined;
  const [, area, words] = found;
  if (!words) return { does: 'capture', area: written(area), inspection: next };
  const lower = tidied(words);
  // Words that are the name of an area are what was said last.
  if (isAreaOnly(lower)) return { does: 'capture', area: written(words), inspection: next };
  if (words.length > LONGEST) return { does: 'capture', area, remark: words, inspection: next };
  const before = known;
  known = { ...known, current: area };
  const order = within(words, () => helped(next) ?? listing(next) ?? finishing(next)) ?? alone(words, next);
  known = before;
  // With photographs the message is filed, whatever its words are like.
  if (order && (order.reading || !($uploads > 0))) return order;
  return remarked(words, next, area);
}

/** The area with which words beside photographs begin, as their label: “Bathroom - sink”. */
function areaAsLabel() {
  const [, area, words] = /^\s*([^:;\n]{2,40}?)\s*(?::|;|\s-\s)\s*(\S[^:;\n]{0,40})$/.exec(text) ?? [];
  return area && isAreaOnly(stripLead(area.toLowerCase())) ? { area: written(area), words } : undefined;
}

/** Photographs go where their label says; the words after it are their remark, or asked about. */
function filedUnder({ area, words }, next) {
  const { isStrong, isObject } = evidenceIn(words.toLowerCase());
  if (isStrong || isObject || WEAK.test(words.toLowerCase()))
    return { does: 'capture', area, remark: words, inspection: next };
  const asked = 'Your photographs are recorded. Shall I note your words as a remark?';
  return { ...askBack(next, asked, [asRemark(words, area), NOT_NOTED]), area };
}
