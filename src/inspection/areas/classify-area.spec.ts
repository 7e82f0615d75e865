import type { ServiceArea } from './area-type.js';
import { areaNamed, classifyArea } from './classify-area.js';

/** A table of names with a bar between them, over several lines. */
const names = (table: string): string[] => table.split(/ \|\s+/);

const services: [ServiceArea, string[]][] = [
  [
    'electricity-meter',
    names(`Electricity Meter | electricity-meter | electric meter | Elec meter | Elec. Meter | ELECTRIC METER |
    leccy meter | electrical meter | Electricity meter reading | Electric Meter Readings |
    electricity reading | Electric smart meter | Electricity prepayment meter | Electric key meter |
    Meter - Electric | Smart meter (electric) | Electricity meter (hall cupboard) | electricitymeter |
    The electric meter | Electric Meter 2 | Electric metre | Electricity Meter - Hall Cupboard |
    Flat 2 electricity meter | photo of the electric meter | Ｅｌｅｃｔｒｉｃｉｔｙ Ｍｅｔｅｒ |
    Electricity\u2013Meter | mains electric meter | Electricity Meter close-up |
    Electric meter reading 04731 | Elec meter 104731.5 kWh | Electric meter: 104731kWh`),
  ],
  [
    'gas-meter',
    names(`Gas Meter | gas/meter |  gas   METER  | Gas Meter (cupboard) | Gas meter under the stairs |
    meter gas | Kitchen gas meter | gas smart meter | Gas meter - outside | gas meter serial number |
    gasmeter | gas_meter | Gas meters | Gas meter #1 | Gas meter – front | Gas reading 02214 m³ |
    Gas meter serial number 18273645`),
  ],
  [
    'water-meter',
    names(`Water Meter | water-meter | Water meter reading | cold water meter | Water\u2011Meter |
    Outside water meter | Water meter next to gas meter`),
  ],
  [
    'keys',
    names(`Keys | key | KEYS | key fobs | Key fob | fobs | Keys & fobs | Keys and Fobs | keys/fobs |
    set of keys | 2 sets of keys | Bunch of keys | Front door keys | Tenant's keys | house keys |
    Keys - front door | Keys handed over | Spare key | Keys (2 sets) | Keys returned | Door key |
    keyfobs`),
  ],
  [
    'detectors',
    names(`Detectors | detector | Smoke alarm | smoke alarms | Smoke detector | Smoke Detectors | CO alarm |
    CO detector | Carbon monoxide detector | carbon-monoxide alarm | carbon monoxide | heat alarm |
    Heat detector | Smoke & CO alarms | Smoke/CO alarm | Smoke and heat alarms | Smoke alarm - hallway |
    Hallway smoke alarm | Landing Smoke Detector | Smoke alarm 2 | Alarms & detectors |
    Smoke alarm and CO alarm | Smoke, heat and CO alarms | CO2 alarm | smokealarm | Fire alarm |
    Smoke alarm (kitchen ceiling) | Smoke alarm tested | Smoke alarms/detectors`),
  ],
];

const rooms = [
  ...names(`stopcock | Stop cock | Water stopcock | key safe | Key-safe | keysafe | burglar alarm | Alarm |
    Intruder alarm | Alarm panel | Fire alarm panel | electric shower | Electric Oven | gas hob |
    Gas boiler | Gas fire | water tank | Water heater | keypad | Key pad | fire door | Fireplace |
    Keyboard | key cupboard | Key box | Key hooks | Meter cupboard | Gas meter cupboard |
    Gas meter box | Electric meter cupboard | Cupboard under gas meter | Smart meter | Meters |
    Gas and electricity meters | Gas & Electric Meter | Smoke alarm and keys | Keys and smoke alarm |
    keys, detectors | Meters, keys & detectors | Electric | Gas | Water |
    Heat pump | Heater | CO | Motion detector | Metal detector | Water leak detector | Piano keys |
    Parking meter room | Electric car charger | Thermometer | Smoke room | Smoking room | Kitchen |
    Bedroom 1 | bedroom-1 | General | Hallway | Front Door | Living Room | Bathroom | Conservatory |
    Utility Room | Loft | Fuse box | Consumer unit | Balcony Bedroom | Garden Flat Bedroom |
    Garden Room | Garage / Utility Room | Bedroom with balcony | Bedroom overlooking garden |
    Bedroom (balcony) | Kitchen & Balcony | Balcony door | Garage conversion | Gardeners WC |
    Drive-through room | Roof space | Patio doors | Porch cupboard | Rear bedroom | Front Reception |
    Side table | Inside wall | Walls | Garden Flat | 2 | --- | __proto__ | constructor | Key areas |
    Area | Front | Cupboard in garage`),
  '',
  'x'.repeat(5000),
];

const externals =
  names(`garden | Rear Garden | front garden | Gardens | Garden - rear | Garden (rear) | Garden rear left |
    Drive | Driveway | Patio | patio area | Balcony | Bedroom Balcony | Bedroom - Balcony |
    Bedroom 1 / Balcony | Balcony 2 | Terrace | Roof Terrace | Garage | Double garage | Garage 1 |
    Shed | Garden Shed | Porch | Entrance porch | Elevation | Front Elevation | elevation - front |
    Fence | Roof | Yard | Back yard | Courtyard | Decking | Car port | Parking space | Parking |
    Bin store | External | External Areas | external-areas | Exterior | Outside | Front exterior |
    Front and rear garden | Garden & Patio | Balcony off bedroom | Communal garden | Garden wall |
    Front of property | Rear of the building | Outside tap | Outbuildings | Balcony (bedroom) |
    Garden gate | GARAGE | Side passage | Boundary wall | Summer house | Exterior front`);

describe('the area a name means', () => {
  it.each(services.flatMap(([service, names]) => names.map((name) => [name, service] as const)))(
    'recognises %j as %s',
    (name, service) => expect(classifyArea(name)).toEqual({ type: 'service', service }),
  );

  it.each(rooms.map((name) => [name]))('takes %j for a room', (name) =>
    expect(classifyArea(name)).toEqual({ type: 'room' }),
  );

  it.each(externals.map((name) => [name]))('takes %j for external', (name) =>
    expect(classifyArea(name)).toEqual({ type: 'external' }),
  );

  it('lets areaType of the call win', () => {
    expect(classifyArea('Kitchen', 'external')).toEqual({ type: 'external' });
    expect(classifyArea('Garden', 'room')).toEqual({ type: 'room' });
    expect(classifyArea('Gas Meter', 'room')).toEqual({ type: 'room' });
    expect(classifyArea('Gas Meter', 'service')).toEqual({ type: 'service', service: 'gas-meter' });
    expect(classifyArea('Boiler', 'service')).toEqual({ type: 'service' });
  });

  it('files every spelling of one area under one key', () => {
    expect(areaNamed('Elec meter').key).toBe(areaNamed('electricity-meter').key);
    expect(areaNamed('bedroom-1').key).toBe(areaNamed(' Bedroom  1').key);
    expect(areaNamed('Bedroom 2').key).not.toBe(areaNamed('Bedroom 1').key);
  });
});
