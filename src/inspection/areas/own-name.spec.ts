import type { ServiceArea } from './area-type.js';
import { ownNameKey } from './own-name.js';

describe('the name of its own of something within a service area', () => {
  it.each<[ServiceArea, string, string]>([
    ['detectors', 'Smoke alarm landing', 'smoke alarm landing'],
    ['detectors', 'smoke-alarm-landing', 'smoke alarm landing'],
    ['detectors', 'Heat alarm', 'heat alarm'],
    ['electricity-meter', 'Electric meter (hall cupboard)', 'electric meter (hall cupboard)'],
    ['gas-meter', 'Gas meter 2', 'gas meter 2'],
    ['keys', 'Front door keys', 'front door keys'],
  ])('of %s is %s', (service, name, key) => expect(ownNameKey(name, service)).toBe(key));

  it.each<[ServiceArea, string]>([
    ['detectors', 'DETECTORS'],
    ['detectors', 'detector'],
    ['electricity-meter', 'elec-meter'],
    ['electricity-meter', 'Photo of the electricity meter reading'],
    ['gas-meter', 'gasmeter'],
    ['water-meter', 'Meter (water)'],
    ['keys', 'Key fobs'],
    ['keys', 'set of keys'],
  ])('of %s is not %s', (service, name) => expect(ownNameKey(name, service)).toBeUndefined());
});
