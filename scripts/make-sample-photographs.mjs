/**
 * Draws the photographs of a property that does not exist into `samples/photographs/`: rooms in perspective, meters,
 * keys, a smoke alarm and a garden, at the size at which messengers send pictures. Some are stored lying on their side,
 * with the EXIF orientation that says so, as telephones do. `node scripts/make-sample-photographs.mjs [name …]`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as bathroom from './sample-photographs/bathroom.mjs';
import * as bedroom from './sample-photographs/bedroom.mjs';
import * as details from './sample-photographs/details.mjs';
import { develop } from './sample-photographs/film.mjs';
import * as outside from './sample-photographs/hall-and-garden.mjs';
import * as kitchens from './sample-photographs/kitchens.mjs';
import * as living from './sample-photographs/living-room.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'samples', 'photographs');

const photographs = [
  { name: 'hallway', draw: outside.hallway },
  { name: 'kitchen-1', draw: kitchens.kitchen },
  { name: 'kitchen-2-sink', draw: kitchens.kitchenSink, orientation: 6 },
  { name: 'living-room-1', draw: living.livingRoom },
  { name: 'living-room-2-radiator', draw: living.livingRoomRadiator, orientation: 3 },
  { name: 'bedroom-1', draw: bedroom.bedroom, warmth: 7 },
  { name: 'bedroom-2-wardrobe', draw: bedroom.wardrobe, orientation: 8 },
  { name: 'bathroom', draw: bathroom.bathroom, warmth: -1 },
  { name: 'garden', draw: outside.garden },
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
