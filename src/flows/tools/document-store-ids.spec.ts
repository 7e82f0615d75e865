import { StoresHere } from './document-store-ids.js';

it('finds a document store by its id, else by its name, the oldest first', () => {
  const here = new StoresHere([
    { id: 'one', name: 'Manuals' },
    { id: 'two', name: 'Manuals' },
    { id: 'three', name: 'a:b' },
  ]);
  const names = [
    'two:Anything',
    'theirs:Manuals',
    'Manuals',
    'two',
    'theirs:a:b',
    'a:b',
    'theirs:Other',
    '',
    'constructor',
  ];
  expect(names.map((name) => here.find(name))).toEqual([
    ...['two', 'one', 'one', 'two', 'three', 'three'],
    ...[undefined, undefined, undefined],
  ]);
});
