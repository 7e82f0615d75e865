import { bestHeading, bestSpelling } from './area-heading.js';

describe('the heading of an area', () => {
  it.each([
    [['bedroom-1', 'Bedroom 1'], 'Bedroom 1'],
    [['Bedroom 1', 'bedroom-1', 'bedroom-1'], 'Bedroom 1'],
    [['BEDROOM 1', 'Bedroom 1'], 'Bedroom 1'],
    [['bedroom 1', 'BEDROOM 1'], 'Bedroom 1'],
    [['bedroom 2'], 'Bedroom 2'],
    [['en-suite 2'], 'En Suite 2'],
    [['en-suite 2', 'En-suite 2'], 'En-suite 2'],
    [['kitchen/diner'], 'Kitchen/Diner'],
    [['top of the stairs'], 'Top of the Stairs'],
    [['cloakroom wc'], 'Cloakroom WC'],
    [['bedroom with tv & desk'], 'bedroom with tv & desk'],
    [['szafa łazienki'], 'Szafa Łazienki'],
    [['Living room', 'Living Room'], 'Living Room'],
    [['Garden - rear', 'Garden rear'], 'Garden rear'],
    [['living-room'], 'Living Room'],
    [['kitchen'], 'Kitchen'],
    [['wc'], 'WC'],
    [['WC'], 'WC'],
    [['  Kitchen   Diner '], 'Kitchen Diner'],
    [['master bedroom'], 'Master Bedroom'],
    [['厨房'], '厨房'],
    [[], ''],
  ])('of %j is %j', (spellings, heading) => expect(bestHeading(spellings)).toBe(heading));

  it('prefers the more frequent of two equally careful spellings', () => {
    expect(bestSpelling(['Gas Meter', 'Gas meter 1', 'Gas Meter 1', 'Gas Meter 1'])).toBe('Gas Meter 1');
  });
});
