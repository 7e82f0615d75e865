import { areasToOffer, changeTo } from './recorded.js';

const photograph = { id: 'a', area: 'Kitchen', turn: 270, withdrawn: false };

describe('the correction of a photograph', () => {
  it('is the step from the current to the wanted state', () => {
    expect(changeTo(photograph, { turn: 0 })).toEqual({ turn: 90 });
    expect(changeTo(photograph, { turn: 180 })).toEqual({ turn: 270 });
    expect(changeTo(photograph, { area: 'Bathroom' })).toEqual({ area: 'Bathroom' });
    expect(changeTo(photograph, { withdrawn: true })).toEqual({ withdrawn: true });
  });

  it('is undefined when the wanted state is reached', () => {
    for (const wanted of [{ turn: 270 }, { area: 'Kitchen' }, { withdrawn: false }])
      expect(changeTo(photograph, wanted)).toBeUndefined();
  });
});

describe('the areas to move a photograph to', () => {
  it("are the inspection's, newest first, then the other usual ones", () => {
    const offered = areasToOffer(
      ['Hallway', 'Kitchen', 'Box room'],
      ['Hallway', 'Kitchen', 'Garden'],
      'kitchen',
    );
    expect(offered).toEqual({ own: ['Box room', 'Hallway'], usual: ['Garden'] });
  });

  it('are few enough to choose from', () => {
    const own = Array.from({ length: 40 }, (_, index) => `Room ${index}`);
    expect(areasToOffer(own, [], 'Kitchen').own).toEqual(own.slice(-12).reverse());
  });
});
