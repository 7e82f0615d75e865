import type { RoomKind } from '../../api/report-terms.js';
import type { AreaType } from './area-type.js';
import { areaWords, isNumbering, POSITIONS, PREPOSITIONS } from './area-words.js';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** The nouns of each kind, also those of two words joined by `_`. */
const NOUNS: readonly (readonly [RoomKind, ReadonlySet<string>])[] = [
  ['kitchen', set('kitchen kitchens kitchenette kitchenettes galley scullery pantry larder breakfast_room')],
  [
    'bathroom',
    set(
      'bathroom bathrooms bath_room shower showers shower_room shower_rooms shower_wet_room wet_room wetroom wc wcs w_c toilet toilets lavatory loo ' +
        'cloakroom cloakrooms cloak_room washroom wash_room ensuite ensuites en_suite en_suites',
    ),
  ],
  ['bedroom', set('bedroom bedrooms bed_room bed_rooms bed nursery guest_room box_room boxroom master')],
  [
    'reception',
    set(
      'reception receptions reception_room reception_rooms lounge lounges lounge_diner sitting_room living_room living dining_room diner dining ' +
        'drawing_room family_room day_room morning_room living_area study studies office library playroom play_room games_room snug den studio ' +
        'conservatory sunroom sun_room garden_room',
    ),
  ],
  [
    'hall',
    set(
      'hall halls hallway hallways corridor corridors passage passageway entrance entryway entry lobby vestibule foyer landing landings',
    ),
  ],
  ['stairs', set('stairs stair staircase staircases stairway stairwell stairwells steps')],
  [
    'utility',
    set(
      'utility utilities utility_room laundry laundry_room boiler_room boiler_cupboard airing_cupboard plant_room cellar basement loft attic store ' +
        'storeroom store_room storage cupboard cupboards closet',
    ),
  ],
];

/** Words for any room; the noun that names the kind is before them. */
const GENERIC = set('room rooms space');

/**
 * Returns the kind of a room by the head noun of its name (contract section 6): the last word that names a thing, without
 * numbering, sides and the words after a preposition. `Bedroom 1 en suite` is a bathroom, `Landing off kitchen` a hall.
 */
export function roomKindOf(name: string, type: AreaType): RoomKind {
  if (type === 'external') return 'external';
  const { main } = areaWords(name);
  const of = main.findIndex((word, index) => index > 0 && PREPOSITIONS.has(word));
  const words = (of < 0 ? main : main.slice(0, of)).filter((word) => word !== 'and');
  for (let end = words.length; end > 0; end -= 1) {
    const [before = '', word = ''] = [words[end - 2], words[end - 1]];
    const kind = kindOf(`${before}_${word}`) ?? kindOf(word);
    if (kind) return kind;
    if (!isNumbering(word) && !POSITIONS.has(word) && !GENERIC.has(word)) return 'default';
  }
  return 'default';
}

const kindOf = (noun: string): RoomKind | undefined => NOUNS.find(([, nouns]) => nouns.has(noun))?.[0];
