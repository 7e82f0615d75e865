import { resultOf } from '../../../../test/fixtures/flows/flow-runs.js';
import { runNodes } from '../../../../test/fixtures/flows/run-nodes.js';
import { type FakeModel, startFakeModel } from '../../../../test/support/fake-model.js';

describe('a JSON array in structured output', () => {
  let model: FakeModel;

  beforeAll(async () => {
    model = await startFakeModel();
  });
  afterAll(() => model.close());

  const members = { room: { type: 'string', description: 'Which room' }, damp: { type: 'boolean' } };
  const item = {
    type: 'object',
    properties: members,
    required: ['room', 'damp'],
    additionalProperties: false,
  };

  it.each([
    ['the members of an item, as exports have them', JSON.stringify(members)],
    ['members that are not a text', members],
    ['a JSON Schema', JSON.stringify(item)],
    ['a JSON Schema that is not a text', item],
  ])('has items of the form that its schema gives: %s', async (_what, jsonSchema) => {
    model.requests.length = 0;
    model.answers.push(
      { tokens: ['{"rooms":["Hall"]}'] },
      { tokens: ['{"rooms":[{"room":"Hall","damp":true}]}'] },
    );
    const config = {
      model: { provider: 'openai-compatible', name: 'fake', baseUrl: model.url },
      structuredOutput: [{ key: 'rooms', type: 'jsonArray', jsonSchema }],
    };
    const events = await runNodes([{ kind: 'llm', config }]);
    expect(model.requests[0]!.body.response_format.json_schema).toMatchObject({
      strict: true,
      schema: { properties: { rooms: { type: 'array', items: item } } },
    });
    expect(resultOf(events).json).toEqual({ rooms: [{ room: 'Hall', damp: true }] });
  });
});
