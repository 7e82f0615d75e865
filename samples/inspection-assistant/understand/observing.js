const CONDITION_WORDS = words('new good fair poor damaged');
const CLEANLINESS_WORDS = words('professional clean domestic dusty stained dirty');

/**
 * Items of the area with their grades: “Worktop: fair, dusty, scratch by the sink”, several with a semicolon or a line each.
 * Every part must begin with a grade after the colon, so that nothing else is taken for one.
 */
function observing(next) {
  if (!known.current || text.length > LONGEST) return undefined;
  const parts = text.split(/\s*(?:;|\n)\s*/).filter(Boolean);
  const observations = parts.map(observation);
  if (observations.length === 0 || observations.some((each) => !each)) return undefined;
  // “Kitchen: good, clean” alone names the area; among other items a wardrobe is one.
  if (observations.length === 1 && isAreaOnly(observations[0].item.toLowerCase())) return undefined;
  const photographs = Array.from({ length: $uploads }, (_, index) => index);
  return {
    does: 'capture',
    observations: observations.map((each) => ($uploads > 0 ? { ...each, photographs } : each)),
    inspection: next,
  };
}

function observation(part) {
  const found = /^(\p{L}[\p{L}\p{N} ()/'’-]{1,39}?)\s*:\s*(\S.*)$/su.exec(part.trim());
  if (!found) return undefined;
  const observed = { item: capital(found[1]) };
  const left = found[2].split(/\s*,\s*/);
  while (left.length > 0) {
    const word = left[0].toLowerCase().replace(/[\s.]+$/, '');
    if (CONDITION_WORDS.has(word) && !observed.condition) observed.condition = word;
    else if (CLEANLINESS_WORDS.has(word) && !observed.cleanliness) observed.cleanliness = word;
    else break;
    left.shift();
  }
  if (!observed.condition && !observed.cleanliness) return undefined;
  return left.length === 0 ? observed : { ...observed, description: capital(left.join(', ')) };
}
