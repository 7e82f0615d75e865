/** “yes” to “Did you mean …?”, and the other answers to it. */
function answerToGuess(next) {
  const { guess } = known;
  if (!guess) return undefined;
  const yes =
    /^(?:yes|y|yeah|yep|yup|correct|right|sure|ok|okay|exactly|i did|that's right|that's it|yes please)$/.test(
      bare(),
    );
  const opens = /^(?:no|n|nope)?[\s,]*(?:open|keep|use|it(?:'s| is)|call it)\s+"?(.+?)"?$/.exec(said);
  if (yes || said === guess.area.toLowerCase())
    return guess.moves
      ? moved('last-batch', guess.area, next)
      : { does: 'capture', area: guess.area, inspection: next };
  if (opens && opens[1] === guess.typed.toLowerCase())
    return guess.moves
      ? moved('last-batch', guess.typed, next)
      : { does: 'capture', area: guess.typed, inspection: next };
  if (/^(?:(?:as )?an? remark|remark|note(?: it)?|it(?:'s| is) a remark)$/.test(bare()))
    return { does: 'capture', remark: guess.typed, inspection: next };
  if (/^(?:no|n|nope|cancel|neither|wrong)$/.test(bare()))
    return {
      does: 'say',
      inspection: next,
      message: 'All right, nothing was opened. Which area is it?',
      choices: areaChoices(next),
    };
  return undefined;
}

/** A reading, a count of keys or where an alarm is, after the photograph of it. */
function awaited(next) {
  const { awaiting } = known;
  if (!awaiting) return undefined;
  if (
    /^(?:skip(?: (?:it|this|that))?|no|none|not now|later|pass|don't know|not sure|n\/?a|unreadable|can't read(?: it)?|-)$/.test(
      bare(),
    ) ||
    /^skip$/.test(said)
  )
    return {
      does: 'say',
      inspection: next,
      message: 'All right. Send the next area when you are ready, or “finish”.',
      choices: areaChoices(next),
    };
  const { kind, area, photographs } = awaiting;
  const cited = photographs?.length > 0 ? { photographs } : {};
  if (kind === 'reading') {
    const found =
      /^(?:the )?(?:meter )?(?:reading|reads?|it reads?|it says|it's|it is)?(?: is| at| was)?\s*[:=]?\s*(\d[\d\s.,]*\d|\d)\s*(m3|m³|kwh|units?|cubic met(?:re|er)s?|ft3)?$/.exec(
        said,
      );
    if (found)
      return {
        does: 'capture',
        area,
        reading: { value: found[1].replace(/\s+/g, ''), ...(found[2] ? { unit: found[2] } : {}), ...cited },
        inspection: next,
      };
  }
  if (kind === 'keys' && !isAreaOnly(said)) {
    const keys = keysIn(said);
    if (keys.length > 0) return { does: 'capture', area, keys, inspection: next };
  }
  if (kind === 'alarm') {
    const tested =
      /\b(?:not|un|isn't|wasn't|didn't|never)\s*-?(?:been )?(?:tested|test|sound(?:ed)?|work(?:ing|s)?)\b|\buntested\b|\bno sound\b|\bsilent\b/.test(
        said,
      )
        ? false
        : /\btest(?:ed)?\b|\bsound(?:s|ed|ing)?\b|\bworks?\b|\bworking\b|\bbeep(?:s|ed)?\b/.test(said)
          ? true
          : undefined;
    const place = said
      .replace(
        /[,;.]?\s*(?:and\s+)?(?:it\s+)?(?:was\s+|is\s+|has been\s+)?(?:not\s+|un)?(?:tested|test|sounded|sounds|works|working|beeped|silent)\b.*$/,
        '',
      )
      .replace(/^(?:it's|it is|in|on|at|the|in the|on the)\s+/, '')
      .replace(/^the\s+/, '')
      .trim();
    if (tested !== undefined || isAreaOnly(place))
      return {
        does: 'capture',
        area,
        alarm: {
          kind: area,
          ...(place && isAreaOnly(place) ? { place: capital(place) } : {}),
          ...(tested === undefined ? {} : { tested }),
        },
        inspection: next,
      };
  }
  return undefined;
}

function keysIn(words) {
  const keys = [];
  for (const [, count, kind] of words.matchAll(
    /\b(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|an?)\s*(?:x|×)?\s*([\p{L}][\p{L}' -]*?)?(?=\s*(?:,|;|\+|&|\band\b|\bplus\b|$|\d))/gu,
  )) {
    const name = (kind ?? '').replace(/\b(?:keys?|sets? of)\b/g, '').trim();
    keys.push({ kind: name === '' ? 'Key' : capital(name), count: Number(count) || NUMBER_WORDS[count] });
  }
  return keys.slice(0, 20);
}
