function nearestArea(words) {
  const usual = [
    'Kitchen',
    'Bathroom',
    'Bedroom',
    'Bedroom 1',
    'Bedroom 2',
    'Bedroom 3',
    'Bedroom 4',
    'Living Room',
    'Dining room',
    'Sitting room',
    'Hallway',
    'Hall',
    'Landing',
    'Lounge',
    'Garden',
    'Garage',
    'Conservatory',
    'Utility room',
    'Cloakroom',
    'En suite',
    'Toilet',
    'Stairs',
    'Study',
    'Loft',
    'Porch',
    'Balcony',
    'Reception',
    'Shower room',
    'Front garden',
    'Rear garden',
    'Master bedroom',
    'Driveway',
    'Keys',
    'Gas Meter',
    'Electricity Meter',
    'Electric Meter',
    'Water Meter',
    'Smoke alarm',
    'Detectors',
    'Cellar',
    'Basement',
    'Pantry',
    'Office',
    'Patio',
    'Shed',
    'Staircase',
    'Corridor',
    'Entrance hall',
  ];
  const numbered = /^(.*?)\s*(\d{1,2})$/.exec(words);
  let best;
  for (const area of [...(known.areas ?? []), ...usual]) {
    const at = distance(slug(words), slug(area));
    if (at > 0 && at <= allowed(slug(area)) && (!best || at < best.at)) best = { at, area };
  }
  if (!best && numbered && numbered[1]) {
    const base = nearestArea(numbered[1]);
    return base ? `${base} ${numbered[2]}` : undefined;
  }
  return best?.area;
}

function allowed(word) {
  if (word.length < 4) return 0;
  return word.length < 7 ? 1 : word.length < 12 ? 2 : 3;
}

/** Insertions, deletions, replacements and swapped neighbours between two words. */
function distance(one, other) {
  if (Math.abs(one.length - other.length) > 3) return 9;
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[one.length][other.length];
}
