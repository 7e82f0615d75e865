import { cameraDifferences } from './camera-differences.js';

const at = (time: string) => Date.parse(time);
const leeds = { latitude: 53.8, longitude: -1.55 };
const codes = (...call: Parameters<typeof cameraDifferences>) =>
  cameraDifferences(...call).map(({ code }) => code);

describe('a picture that contradicts its call', () => {
  it.each([
    ['2026-10-25T12:00:00+01:00', '2026-10-24T11:00:00Z', []],
    ['2026-10-25T12:00:01+01:00', '2026-10-24T11:00:00Z', ['camera_time_differs']],
    ['2026-10-23T11:59:59+01:00', '2026-10-24T11:00:00Z', ['camera_time_differs']],
    // Without an offset, UK civil time: 12:00 BST is 11:00 UTC.
    ['2026-10-24T12:00:00', '2026-10-23T11:00:00Z', []],
    ['2026-10-24T12:00:01', '2026-10-23T11:00:00Z', ['camera_time_differs']],
    ['2026-13-45T12:00:00', '2026-10-23T11:00:00Z', []],
  ])('at %s, captured at %s, is told of by more than a day: %j', (time, capturedAt, expected) =>
    expect(codes({ time }, { capturedAt: at(capturedAt), property: undefined })).toEqual(expected),
  );

  it.each([
    [{ latitude: 53.8085, longitude: -1.55 }, []],
    [{ latitude: 53.8095, longitude: -1.55 }, ['place_differs']],
    [{ latitude: 53.8, longitude: -1.5349 }, []],
    [{ latitude: 53.8, longitude: -1.534 }, ['place_differs']],
    [{ latitude: -53.8, longitude: 178.45 }, ['place_differs']],
  ])('at %j is told of by more than a kilometre: %j', (place, expected) =>
    expect(codes({ place }, { capturedAt: 0, property: leeds })).toEqual(expected),
  );

  it('is near across the date line', () =>
    expect(
      codes(
        { place: { latitude: 0, longitude: 179.999 } },
        { capturedAt: 0, property: { latitude: 0, longitude: -179.999 } },
      ),
    ).toEqual([]));

  it('is not looked for where either side says nothing', () => {
    expect(codes(undefined, { capturedAt: 0, property: leeds })).toEqual([]);
    expect(codes({ place: leeds }, { capturedAt: 0, property: undefined })).toEqual([]);
  });
});
