import { endedRuns, failureOf, resultOf } from '../../../../test/fixtures/flows/flow-runs.js';
import { runGraph } from '../../../../test/fixtures/flows/run-nodes.js';
import { type FakeModel, startFakeModel } from '../../../../test/support/fake-model.js';

describe('condition-agent', () => {
  let model: FakeModel;

  beforeAll(async () => {
    model = await startFakeModel();
  });
  afterAll(() => model.close());
  beforeEach(() => {
    model.requests.length = 0;
  });

  const chosen = async (answer: string, scenarios = ['Relevant', 'Irrelevant', 'A complaint, or worse']) => {
    model.answers.push({ tokens: [answer] });
    return run(scenarios);
  };
  const run = (scenarios: string[]) => {
    const branches = [...scenarios.map((_, index) => String(index)), 'else'];
    const nodes = [
      { id: 'start', kind: 'start', config: {} },
      {
        id: 'which',
        kind: 'condition-agent',
        config: {
          model: { provider: 'openai-compatible', name: 'fake', baseUrl: model.url },
          instructions: 'Be {{$vars.mood}}.',
          input: '{{question}}',
          scenarios,
        },
      },
      ...branches.map((on) => ({ id: `r${on}`, kind: 'reply', config: { message: on } })),
    ];
    const edges = [
      { from: 'start', to: 'which' },
      ...branches.map((on) => ({ from: 'which', to: `r${on}`, on })),
    ];
    return runGraph(nodes, edges, { question: 'Is it 1?', vars: new Map([['mood', 'kind']]) });
  };

  it.each([
    ['0', '0'],
    ['Irrelevant.', '1'],
    ['"relevant"', '0'],
    ['2: A complaint, or worse', '2'],
    ['```json\n{"output": "a complaint or worse"}\n```', '2'],
    ['{"scenario": 1}', '1'],
    ['none', 'else'],
    ['3', 'else'],
    ['-1', 'else'],
    ['{"scenario": -1}', 'else'],
    ['It is not relevant', 'else'],
    ['Relevant or Irrelevant', 'else'],
    ['1: Relevant', 'else'],
    ['{"__proto__": "Relevant"}', 'else'],
    [' ', 'else'],
  ])('%j takes branch %s', async (answer, branch) => {
    expect(resultOf(await chosen(answer)).text).toBe(branch);
  });

  it('asks with its instructions and scenarios, and says in the trace what was answered', async () => {
    const events = await chosen('1');
    const [system, user] = model.requests[0]!.body.messages as { content: string }[];
    expect(system!.content).toMatch(/^Be kind\.\n[^]*0: Relevant\n1: Irrelevant/);
    expect(user!.content).toBe('Is it 1?');
    expect(endedRuns(events, 'which')[0]).toMatchObject({
      output: { branch: '1', scenario: 'Irrelevant', answer: '1' },
      tokens: { inputTokens: 7, outputTokens: 1 },
    });
  });

  it('takes else where the model declines, and fails where it cannot be asked', async () => {
    model.answers.push({ refusal: 'No.' });
    expect(resultOf(await run(['Relevant'])).text).toBe('else');
    model.answers.push({ error: { status: 400, message: 'no such model' } });
    expect(failureOf(await run(['Relevant']))).toContain('no such model');
  });
});
