import { changed, readDetailsChange } from './read-details.js';

const read = (source: unknown) => {
  const { members, warnings } = readDetailsChange(source);
  return { members, paths: warnings.map(({ code, path }) => `${code} ${path}`) };
};

describe('a change of an inspection’s record', () => {
  it('has the members of meta, each as it was sent', () => {
    const all = {
      address: ' 14 Acacia Avenue\nLeeds ',
      assessor: 'Duty Inspector',
      tenant: '',
      company: '<b>Lets</b>',
      reportType: 'checkin',
      guided: false,
      propertyNo: '14',
      postcode: 'LS1 4AP',
      logo: '0191e0c4-1111-7000-8000-000000000000',
      geo: { latitude: 51.5, longitude: -0.1 },
      areaComments: { Kitchen: ['Worn'], constructor: ['Odd'] },
      keyDetails: { numberOfKeys: 2, takenFrom: 'Agent' },
      skippedAreas: 'gas-meter|keys',
    };
    expect(read(all)).toEqual({ members: all, paths: [] });
  });

  it('drops unknown members with a warning, and names the one that was probably meant', () => {
    const { members, warnings } = readDetailsChange({ adress: '14', colour: 'red' });
    expect(members).toEqual({});
    expect(warnings).toMatchObject([
      { code: 'unknown_member', path: 'details.adress', suggestion: 'address' },
      { code: 'unknown_member', path: 'details.colour' },
    ]);
  });

  it.each([
    ['address', 14],
    ['address', ['14']],
    ['guided', 'true'],
    ['geo', { latitude: 91, longitude: 0 }],
    ['geo', '51,0'],
    ['areaComments', ['Worn']],
    ['keyDetails', 'two'],
    ['skippedAreas', ['keys']],
  ])('drops a wrong %s with a warning: %j', (name, value) => {
    expect(read({ [name]: value, company: 'Lets' })).toEqual({
      members: { company: 'Lets' },
      paths: [`wrong_type details.${name}`],
    });
  });

  it('drops what is wrong inside of a member, and keeps the rest of it', () => {
    expect(
      read({
        areaComments: { Kitchen: ['Worn', 7], Hall: 'Worn', Attic: [] },
        keyDetails: { numberOfKeys: { a: 1 }, takenFrom: 'Agent', secret: 'x' },
        skippedAreas: 'keys|boiler',
        geo: { latitude: 1, longitude: 2, altitude: 3 },
      }),
    ).toEqual({
      members: {
        areaComments: { Kitchen: ['Worn'] },
        keyDetails: { takenFrom: 'Agent' },
        skippedAreas: 'keys|boiler',
        geo: { latitude: 1, longitude: 2 },
      },
      paths: [
        'wrong_type details.areaComments["Kitchen"]',
        'wrong_type details.areaComments["Hall"]',
        'wrong_type details.keyDetails.numberOfKeys',
        'unknown_skipped_area details.skippedAreas',
      ],
    });
  });

  it.each([null, undefined, 'text', 7, [], [{ address: 'x' }]])(
    'is none where it is no object: %j',
    (source) => {
      expect(read(source)).toEqual({ members: {}, paths: ['wrong_type details'] });
    },
  );

  it('takes no prototype for a member', () => {
    const sent = JSON.parse('{"__proto__":{"address":"x"},"areaComments":{"__proto__":["Worn"]}}') as object;
    const { members } = read(sent);
    expect(Object.keys(members)).toEqual(['areaComments']);
    expect(JSON.stringify(members)).toBe('{"areaComments":{"__proto__":["Worn"]}}');
  });

  it('tells of a thousand wrong members in a hundred warnings', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`zz${n}`, n]));
    expect(readDetailsChange(many).warnings).toHaveLength(101);
  });

  it('replaces members whole and removes those that are null', () => {
    const before = { address: 'A', tenant: 'T', keyDetails: { takenFrom: 'Agent', handedTo: 'Tenant' } };
    const change = readDetailsChange({ tenant: null, keyDetails: { numberOfKeys: 2 }, company: null });
    expect(changed(before, change)).toEqual({ address: 'A', keyDetails: { numberOfKeys: 2 } });
  });
});
