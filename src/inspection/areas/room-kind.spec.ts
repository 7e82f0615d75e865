import { roomKindOf } from './room-kind.js';

describe('the kind of a room', () => {
  it.each([
    ['Kitchen', 'kitchen'],
    ['kitchen-diner', 'reception'],
    ['Open plan kitchen', 'kitchen'],
    ['Bedroom 1', 'bedroom'],
    ['Master bedroom (front)', 'bedroom'],
    ['Bedroom 1 en-suite', 'bathroom'],
    ['Shower Room', 'bathroom'],
    ['Ｗ／Ｃ', 'bathroom'],
    ['Living room - rear', 'reception'],
    ['Dining Room', 'reception'],
    ['Hall, stairs and landing', 'hall'],
    ['Landing off kitchen', 'hall'],
    ['Staircase', 'stairs'],
    ['Airing cupboard', 'utility'],
    ['Gym', 'default'],
    ['Kitchen gym', 'default'],
    ['', 'default'],
    ['x'.repeat(500), 'default'],
  ])('of %j is %s', (name, kind) => expect(roomKindOf(name, 'room')).toBe(kind));

  it('is that of its type outdoors', () => expect(roomKindOf('Kitchen', 'external')).toBe('external'));
});
