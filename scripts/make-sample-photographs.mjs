/**
 * Draws the photographs of a property that does not exist into `samples/photographs/`: rooms in perspective, meters,
 * keys, a smoke alarm and a garden, at the size at which messengers send pictures. Some are stored lying on their side,
 * with the EXIF orientation that says so, as telephones do. `node scripts/make-sample-photographs.mjs [name …]`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as details from './sample-photographs/details.mjs';
import { develop } from './sample-photographs/film.mjs';
import * as rooms from './sample-photographs/rooms.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'samples', 'photographs');

const photographs = [
  { name: 'hallway', draw: rooms.hallway },
  { name: 'kitchen-1', draw: rooms.kitchen },
  { name: 'kitchen-2-sink', draw: rooms.kitchenSink, orientation: 6 },
  { name: 'living-room-1', draw: rooms.livingRoom },
  { name: 'living-room-2-radiator', draw: rooms.livingRoomRadiator, orientation: 3 },
  { name: 'bedroom-1', draw: rooms.bedroom, warmth: 7 },
  { name: 'bedroom-2-wardrobe', draw: rooms.wardrobe, orientation: 8 },
  { name: 'bathroom', draw: rooms.bathroom, warmth: -1 },
  { name: 'garden', draw: rooms.garden },
  { name: 'electricity-meter', draw: details.electricityMeter, grain: 11 },
  { name: 'gas-meter', draw: details.gasMeter, orientation: 6, grain: 11 },
  { name: 'water-meter', draw: details.waterMeter },
  { name: 'keys', draw: details.keys },
  { name: 'smoke-alarm', draw: details.smokeAlarm, grain: 11 },
];

mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(2);
for (const [index, { name, draw, ...film }] of photographs.entries()) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const jpeg = await develop(draw().svg(), { seed: 1000 + index, ...film });
  writeFileSync(join(folder, `${name}.jpg`), jpeg);
  console.log(`${name}.jpg  ${Math.round(jpeg.length / 1024)} KB`);
}
