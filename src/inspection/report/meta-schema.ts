import { SERVICE_AREAS } from '../areas/area-type.js';

const text = (description: string) => ({ type: 'string', description });

/** The members of `source.meta` of a render: the reader itself takes anything, and warns of what it drops. */
export const metaSchema = {
  type: 'object',
  description:
    'Property details, all optional. A member of another type is dropped with a warning, never an error; one that is not listed here is ignored (with a warning where one of these was probably meant).',
  properties: {
    address: text('On the cover, as it is.'),
    assessor: text('The inspector.'),
    tenant: text('The tenant.'),
    company: text('The company.'),
    reportType: text(
      '`checkin`, `checkout` or `interim`; anything else has a neutral title and requires no areas.',
    ),
    guided: { type: 'boolean', description: '`true` prints "Guided Self Inspection".' },
    propertyNo: text('In the name of the file.'),
    postcode: text('In the name of the file.'),
    logo: text('The id that `POST /api/v1/assets` answered, or a data URI. Never an address.'),
    geo: {
      type: 'object',
      required: ['latitude', 'longitude'],
      properties: {
        latitude: { type: 'number', minimum: -90, maximum: 90 },
        longitude: { type: 'number', minimum: -180, maximum: 180 },
      },
      description: 'Degrees.',
    },
    areaComments: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description: 'Area → remarks, printed under the area as "Additional Comment", one each.',
    },
    keyDetails: {
      type: 'object',
      properties: {
        numberOfKeys: { type: ['string', 'number'] },
        takenFrom: { type: ['string', 'number'] },
        handedTo: { type: ['string', 'number'] },
      },
      description: 'Printed under Keys, which they alone create.',
    },
    skippedAreas: {
      type: 'string',
      description: `Areas that the inspector reported absent, with "|" between them: ${SERVICE_AREAS.join(', ')}, or any other of their names.`,
    },
  },
};
