import { randomBytes } from 'node:crypto';
import type { FlowDefinition } from '../definition/flow-definition.js';
import type { Json } from '../engine/json.js';
import { withMaskedSettings, withSealedSettings } from './sealed-settings.js';

const key = randomBytes(32);
const flow = (config: Record<string, Json>, kind = 'missing'): FlowDefinition => ({
  name: 'Moved',
  nodes: [{ id: 'mail', kind, config }],
  edges: [],
});
const configOf = (definition: FlowDefinition) => definition.nodes[0]!.config;
const seal = (definition: FlowDefinition, before?: FlowDefinition) =>
  withSealedSettings(definition, { key, flowId: 'f', before: before ? [JSON.stringify(before)] : [] });

const settings = {
  apiKey: 'abc-123-secret',
  nested: [
    { password: 'hunter2!' },
    { key: 'Authorization', value: 'Basic YTpi' },
    { key: 'city', value: 'York' },
  ],
  prompt: 'The key is sk-abcdefghijklmnop, keep it',
  url: 'https://user:letmein@mail.example.com/send?token=t0psecret',
  ['__proto__x']: 1,
  note: 'plain',
};
const shown = {
  apiKey: '[masked]',
  nested: [
    { password: '[masked]' },
    { key: 'Authorization', value: '[masked]' },
    { key: 'city', value: 'York' },
  ],
  prompt: '[masked]',
  url: '[masked]',
  ['__proto__x']: 1,
  note: 'plain',
};

describe('the settings of what an import could not carry over', () => {
  it('are stored with their secrets sealed, and shown with them masked', () => {
    const stored = seal(flow({ original: 'Mail', settings }));
    const text = JSON.stringify(stored);
    for (const secret of ['abc-123', 'hunter2', 'YTpi', 'sk-abc', 'letmein', 't0psecret'])
      expect(text).not.toContain(secret);
    expect(text).toContain('York');
    expect(configOf(withMaskedSettings(stored))).toEqual({ original: 'Mail', settings: shown });
  });

  it('keep what is sealed when they come back as they were shown', () => {
    const stored = seal(flow({ original: 'Mail', settings }));
    const changed = withMaskedSettings(stored);
    changed.nodes[0]!.label = 'Renamed';
    const again = seal(changed, stored);
    expect(configOf(again)).toEqual(configOf(stored));
    expect(seal(flow({ original: 'Mail', settings: { apiKey: 'another' } }), stored)).not.toEqual(stored);
  });

  it('cannot be made to show what only looks sealed, and seal it again', () => {
    const stored = seal(flow({ original: 'Mail', settings: { note: { sealed: 'v1.mine' } } }));
    expect(JSON.stringify(stored)).not.toContain('v1.mine');
    expect(configOf(withMaskedSettings(stored))).toMatchObject({ settings: { note: '[masked]' } });
  });

  it('are sealed in a tool too', () => {
    const tools = [{ tool: 'missing', original: 'Gmail', settings: { clientSecret: 'deep-secret' } }];
    const stored = seal(flow({ tools }, 'agent'));
    expect(JSON.stringify(stored)).not.toContain('deep-secret');
    expect(JSON.stringify(withMaskedSettings(stored))).toContain('[masked]');
  });

  it('leave every other flow the very same', () => {
    const plain = flow({ headers: { authorization: 'Bearer abcdefgh12345' } }, 'http');
    expect(seal(plain)).toBe(plain);
    expect(withMaskedSettings(plain)).toBe(plain);
  });
});
