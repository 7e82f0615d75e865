import { FlowRenders, type RenderSettings } from './flow-renders.js';

const around = { nodeId: 'n', run: { chatId: 'chat-1', apiKeyId: 'key' } } as never;
const renders = new FlowRenders(undefined as never, { check: () => undefined } as never, undefined as never);
const read = (settings: RenderSettings) =>
  renders.readOrder(settings, around, (text) => Promise.resolve(text));

describe('the settings of a render in a flow', () => {
  it('are read as the body of a call, with the chat as the session', async () => {
    const { source, ...more } = await read({ requireComplete: ' True ', preview: 'false', sessionId: ' ' });
    expect(source).toMatchObject({ sessionId: 'chat-1', requireComplete: true, forceFinish: false });
    // The caller showed the key of the flow.
    expect(more).toEqual({ trustsRecipients: true });
  });

  it('have a size as a number, or as the text of one', async () => {
    const sizes = [14_000_000, '14000000', ' 40000000 ', '', ' ', undefined];
    const orders = await Promise.all(sizes.map((maxBytes) => read({ maxBytes })));
    const none = [undefined, undefined, undefined];
    expect(orders.map(({ maxBytes }) => maxBytes)).toEqual([14_000_000, 14_000_000, 40_000_000, ...none]);
  });

  it.each([0, -1, 2_000_000_001, 20_000.5, Number.NaN, '14 MB', '-20000', '2e10'])(
    'are refused with the size %j, and say what it must be',
    async (maxBytes) => {
      await expect(read({ maxBytes })).rejects.toThrow(
        'Nothing was rendered: maxBytes must be a whole number from 1 to 2000000000.',
      );
    },
  );

  it('have a layout, or none, and are refused with another', async () => {
    const layouts = ['compact', ' standard ', '', undefined];
    const orders = await Promise.all(layouts.map((layout) => read(layout === undefined ? {} : { layout })));
    expect(orders.map(({ layout }) => layout)).toEqual(['compact', 'standard', undefined, undefined]);
    await expect(read({ layout: 'dense' })).rejects.toThrow(
      'Nothing was rendered: layout must be standard or compact.',
    );
  });

  it('read members of meta that are no texts from the texts of templates', async () => {
    const meta = {
      ...{ address: '1', tenancy: '{"start": "2026-11-03"}', present: 'Jo\nAnn', previousReport: '7' },
      ...{ documents: '[{"kind": "EPC"}]', guided: 'True', geo: { latitude: '51.5', longitude: '0' } },
    };
    expect((await read({ meta })).source).toMatchObject({
      meta: {
        ...{ address: '1', tenancy: { start: '2026-11-03' }, present: ['Jo', 'Ann'], previousReport: '7' },
        ...{ documents: [{ kind: 'EPC' }], guided: true, geo: { latitude: 51.5, longitude: 0 } },
      },
    });
  });

  it('read the number that a reference gives to a text of meta as that text', async () => {
    const meta = { propertyNo: 14, postcode: 'LS1 4AP', keyDetails: { numberOfKeys: 3 } };
    const texts = { meta: { ...meta, propertyNo: '14' } };
    expect((await read({ meta })).source).toMatchObject(texts);
    expect((await read({ meta: JSON.stringify(meta) })).source).toMatchObject(texts);
  });

  it('are absent where a reference has no value, also in meta', async () => {
    const none = '{{$vars.none}}';
    const meta = {
      ...{ tenant: none, guided: ` ${none}`, address: `Flat ${none}`, company: '' },
      keyDetails: { numberOfKeys: none, takenFrom: 'Office' },
    };
    const order = await read({ meta, sessionId: none, layout: none, maxBytes: none, edition: none });
    expect(order.source).toMatchObject({ sessionId: 'chat-1' });
    expect(order.source).toHaveProperty('meta', {
      ...{ address: `Flat ${none}`, company: '', keyDetails: { takenFrom: 'Office' } },
    });
    expect(order).toEqual({ source: order.source, trustsRecipients: true });
  });

  it('send the report to each recipient once, and to nobody where none is left', async () => {
    const to = ['a@b.example; c@d.example', 'a@b.example'];
    expect((await read({ email: { to, text: 'Hello' } })).email).toEqual({
      to: ['a@b.example', 'c@d.example'],
      text: 'Hello',
    });
    expect((await read({ email: { to: '["a@b.example", "c@d.example"]' } })).email).toEqual({
      to: ['a@b.example', 'c@d.example'],
    });
    for (const none of [' , ', '[]']) expect((await read({ email: { to: none } })).email).toBeUndefined();
    await expect(read({ email: { to: 'nobody' } })).rejects.toThrow(
      'Nothing was rendered: delivery.email.to.0 must be a plain e-mail address.',
    );
  });
});
