/** A whole house: 163 photographs, 117 observations, meters, keys, alarms and remarks. Equal at each call. */

const ROOMS = [
  'Hallway', 'Kitchen', 'Dining Room', 'Living Room', 'Study', 'Utility Room', 'Landing', 'Bedroom 1', 'Bedroom 2',
  'Bedroom 3', 'Bathroom', 'En Suite', 'WC',
]; // prettier-ignore
const ITEMS = ['Ceiling', 'Walls', 'Woodwork', 'Door', 'Windows', 'Floor', 'Lighting', 'Heating', 'Fittings'];
const CONDITIONS = ['good', 'good', 'fair', 'good', 'new', 'poor', 'good', 'good', 'damaged'];
const CLEANLINESS = ['clean', undefined, 'clean', 'dusty', 'clean', 'clean', 'dirty'];
const DESCRIPTIONS = [
  'White emulsion, no marks.',
  'Cream paint with light scuffs at low level beside the door, two filled nail holes above the radiator.',
  'White gloss.',
  'Oak effect laminate, scratched near the window over about 10 cm.',
  'Double glazed, three panes, one key in the handle. Opened and closed.',
  'Mid grey carpet, flattened along the usual path from the door to the window, a faint mark the size of a coin at the ' +
    'centre and fraying at the threshold strip, which is loose at one end.',
  'One pendant with shade, working.',
  'Panel radiator with thermostatic valve, drip tray dry.',
];
const SHAPES = {
  landscape: [1280, 960],
  portrait: [960, 1280],
  wide: [1280, 720],
};
const ORDER = ['landscape', 'landscape', 'portrait', 'landscape', 'wide', 'portrait', 'landscape'];

/** Numbers of photographs by area, in order of arrival. */
const SHOTS = [
  ['Electricity Meter', 2],
  ['Gas Meter', 1],
  ['Water Meter', 1],
  ['Keys', 2],
  ['Smoke Alarm Landing', 1],
  ['CO Alarm Kitchen', 2],
  ...ROOMS.map((room, index) => [room, [13, 12, 9, 14, 11, 8, 10, 12, 11, 13, 12, 10, 9][index]]),
  ['Rear Garden', 5],
  ['Garage', 3],
  ['Patio', 2],
];

/**
 * Returns the input of the house's report. `areaNamed` classifies a name; `pictureOf` gives the key of a picture by its
 * shape (`landscape`, `portrait`, `wide`) and its place from 0.
 */
export function wholeHouse(areaNamed, pictureOf = (shape) => shape) {
  const reportId = '0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e41';
  const now = Date.UTC(2026, 9, 26, 12);
  const photographs = SHOTS.flatMap(([area, count]) => Array(count).fill(area)).map((area, place) => {
    const { key, type, service } = areaNamed(area);
    const shape = ORDER[(place * 5) % ORDER.length];
    const [width, height] = SHAPES[shape];
    const at = Date.UTC(2026, 9, 24, 9) + place * 45_000;
    return {
      ...{
        id: `photograph-${place + 1}`,
        areaKey: key,
        areaName: area,
        areaType: type,
      },
      ...(service === undefined ? {} : { service }),
      ...{
        capturedAt: at,
        source: 'captureTs',
        receivedAt: at,
        arrival: place + 1,
        width,
        height,
      },
      ...{
        rendition: pictureOf(shape, place),
        renditionSha256: null,
        sha256: '0'.repeat(64),
        bytes: 1,
      },
    };
  });
  const idsIn = (area) => photographs.filter(({ areaName }) => areaName === area).map(({ id }) => id);
  const facts = [];
  const add = (kind, areaName, fact, cited = []) =>
    facts.push({
      ...{
        id: `fact-${facts.length + 1}`,
        kind,
        areaName,
        areaType: areaNamed(areaName).type,
        fact,
      },
      ...{ photographs: cited, recordedAt: now },
    });
  add('reading', 'Electricity Meter', { value: '048213.7', unit: 'kWh', serial: 'E6S 10345 77' }, idsIn('Electricity Meter').slice(0, 1)); // prettier-ignore
  add('reading', 'Gas Meter', { value: '2291', unit: 'm³', serial: 'G4 A 00871' }, idsIn('Gas Meter'));
  add('reading', 'Water Meter', { value: '733', unit: 'm³' }, idsIn('Water Meter'));
  add('keys', 'Keys', { kind: 'Front door', count: 2 }, idsIn('Keys'));
  add('keys', 'Keys', { kind: 'Window', count: 5 });
  add('alarm', 'Smoke Alarm Landing', { kind: 'Smoke', place: 'Landing', tested: true, expires: '2031' }, idsIn('Smoke Alarm Landing')); // prettier-ignore
  add('alarm', 'CO Alarm Kitchen', { kind: 'Carbon monoxide', place: 'Kitchen', tested: true }, idsIn('CO Alarm Kitchen')); // prettier-ignore
  ROOMS.forEach((room, index) => {
    const own = idsIn(room);
    ITEMS.forEach((item, place) => {
      const at = index * 4 + place * 3;
      const cleanliness = CLEANLINESS[at % CLEANLINESS.length];
      const words = {
        ...{ item, condition: CONDITIONS[at % CONDITIONS.length] },
        ...(cleanliness === undefined ? {} : { cleanliness }),
        description: DESCRIPTIONS[at % DESCRIPTIONS.length],
      };
      add('observation', room, words, place % 3 === 2 ? [] : own.slice(place, place + 1 + (place % 2)));
    });
  });
  const remarks = [
    ['Gas Meter', 'In the cupboard under the stairs, reached by a key on the ledge.'],
    ['Hallway', 'Smells of paint. The tenant says that it was decorated last week.'],
    [
      'Kitchen',
      'Freezer drawer cracked. The oven was not tested, because the power to it was off at the wall.',
    ],
    ['Bedroom 2', 'The curtain pole is loose at the left bracket.'],
    ['Bathroom', 'Extractor fan runs on for ten minutes.'],
    ['Rear Garden', 'Fence panel down on the north side.'],
  ].map(([areaName, text]) => ({ areaName, text }));
  const meta = {
    ...{
      address: '7 Canal Walk, Hebden Bridge',
      reportType: 'checkin',
      assessor: 'Duty Inspector',
    },
    ...{
      tenant: 'First tenant\nSecond tenant',
      company: 'Hartwell Lets',
      propertyNo: '7',
      postcode: 'HX7 6AA',
    },
  };
  return { reportId, now, photographs, remarks, facts, meta };
}
