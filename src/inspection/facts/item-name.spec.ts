import { normalizeItem } from './item-name.js';

describe('the names of items', () => {
  it.each([
    ['Front door, Yale', 'front door (YALE)'],
    ['Worktop—left', 'Worktop - Left'],
    ['Ｈｏｂ', 'hob'],
    ['Tenant’s chair', "tenant's  chair"],
    ['Café table', 'Cafe\u0301 table'],
  ])('are equal: %j and %j', (one, other) => expect(normalizeItem(one)).toBe(normalizeItem(other)));

  it.each([
    ['Door 1', 'Door 2'],
    ['Wall', 'Walls'],
    ['—', '/'],
  ])('differ: %j and %j', (one, other) => expect(normalizeItem(one)).not.toBe(normalizeItem(other)));
});
