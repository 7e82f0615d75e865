import { VectorCache } from './vector-cache.js';

const document = (id: string, bytes = 10, generation = 1) => ({ id, bytes, generation });

describe('vectors that are kept in memory', () => {
  it('are there when they are asked for again', () => {
    const kept = new VectorCache(30);
    expect(kept.use([document('a'), document('b')])).toMatchObject({
      there: [],
      fits: ['a', 'b'],
      others: [],
    });
    expect(kept.use([document('b'), document('c')])).toMatchObject({ there: ['b'], fits: ['c'], others: [] });
  });

  it('make room for others, those first that were asked for longest ago', () => {
    const kept = new VectorCache(20);
    kept.use([document('a')]);
    kept.use([document('b')]);
    kept.use([document('a')]);
    expect(kept.use([document('c')])).toMatchObject({ fits: ['c'], forgotten: ['b'] });
    expect(kept.use([document('a')])).toMatchObject({ there: ['a'] });
  });

  it('are not all kept where one search asks for more than there is room', () => {
    const kept = new VectorCache(25);
    const all = ['a', 'b', 'c'].map((id) => document(id));
    expect(kept.use(all)).toEqual({ there: [], fits: ['a', 'b'], others: ['c'], forgotten: [] });
    expect(kept.use(all)).toEqual({ there: ['a', 'b'], fits: [], others: ['c'], forgotten: [] });
  });

  it('are forgotten when the document was embedded again', () => {
    const kept = new VectorCache(30);
    kept.use([document('a')]);
    expect(kept.use([document('a', 12, 2)])).toEqual({
      there: [],
      fits: ['a'],
      others: [],
      forgotten: ['a'],
    });
  });
});
