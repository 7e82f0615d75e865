import { drafted } from '../../../test/support/exports.js';
import { exportedEdge, exportedStart, nodeByItsId } from '../../../test/support/imported.js';

const model = { llmModel: 'chatOpenAI', llmModelConfig: { modelName: 'm' } };
const remembers = { ...model, llmEnableMemory: true, llmMemoryType: 'allMessages' };
const llm = (number: number, inputs: object = {}) =>
  nodeByItsId(`llmAgentflow_${number}`, { ...model, ...inputs });
const chain = (...ids: string[]) => ids.slice(1).map((target, index) => exportedEdge(ids[index]!, target));
const START = 'startAgentflow_0';

const configOf = (id: string, nodes: object[], edges: object[]) => {
  const { definition, warnings } = drafted([exportedStart, ...nodes], edges);
  const made = definition['nodes'] as { id: string; config: Record<string, unknown> }[];
  const lost = warnings.filter(({ code }) => code === 'not_carried_over');
  return {
    config: made.find((node) => node.id === id)!.config,
    warnings: lost.map(({ message }) => message),
  };
};

describe('the memory of a run in an export', () => {
  it('holds the question before an own message, which does not replace it there', () => {
    const messages = (inputs: object) =>
      configOf('llmAgentflow_0', [llm(0, inputs)], chain(START, 'llmAgentflow_0')).config['messages'];
    const question = { role: 'user', content: '{{question}}' };
    expect(messages({ ...remembers, llmUserMessage: '<p>In French</p>' })).toEqual([question]);
    const written = { role: 'user', content: 'Sort this' };
    expect(messages({ ...remembers, llmMessages: [written] })).toEqual([written, question]);
    expect(messages({ ...remembers, llmUserMessage: '<p>Sort {{ question }}</p>' })).toEqual([]);
    expect(messages(remembers)).toEqual([]);
    expect(messages({ llmUserMessage: 'x' })).toEqual([]);
  });

  it('holds the answers of the nodes before, in the roles that they have', () => {
    const nodes = [
      llm(0),
      llm(1, { llmReturnResponseAs: 'assistantMessage' }),
      llm(2, { ...remembers, llmUserMessage: '<p>Judge the above</p>' }),
    ];
    const edges = chain(START, 'llmAgentflow_0', 'llmAgentflow_1', 'llmAgentflow_2');
    expect(configOf('llmAgentflow_2', nodes, edges)).toMatchObject({
      config: {
        messages: [
          { role: 'user', content: '{{question}}' },
          { role: 'user', content: '{{llmAgentflow_0}}' },
          { role: 'assistant', content: '{{llmAgentflow_1}}' },
        ],
        userMessage: 'Judge the above',
      },
      warnings: [],
    });
    expect(
      configOf('llmAgentflow_1', [llm(0), llm(1, remembers)], edges.slice(0, 2)).config['messages'],
    ).toEqual([
      { role: 'user', content: '{{question}}' },
      { role: 'user', content: '{{llmAgentflow_0}}' },
    ]);
    const named = llm(1, { ...remembers, llmUserMessage: '<p>Judge {{ llmAgentflow_0 }}</p>' });
    expect(configOf('llmAgentflow_1', [llm(0), named], edges.slice(0, 2)).config['messages']).toEqual([
      { role: 'user', content: '{{question}}' },
    ]);
  });

  it('of branches and rounds is reported, because an answer may be missing there', () => {
    const joined = [
      ...chain(START, 'llmAgentflow_0', 'llmAgentflow_2'),
      ...chain(START, 'llmAgentflow_1', 'llmAgentflow_2'),
    ];
    const branches = configOf('llmAgentflow_2', [llm(0), llm(1), llm(2, remembers)], joined);
    expect(branches.config['messages']).toEqual([]);
    expect(branches.warnings).toEqual([expect.stringContaining('name those that it needs in its messages')]);
    const loop = nodeByItsId('loopAgentflow_0', { loopBackToNode: 'llmAgentflow_0-LLM', maxLoopCount: 2 });
    const rounds = configOf(
      'llmAgentflow_0',
      [llm(0, remembers), loop],
      chain(START, 'llmAgentflow_0', 'loopAgentflow_0'),
    );
    expect(rounds.warnings).toEqual([expect.stringContaining('such as {{llmAgentflow_0}}')]);
  });
});

describe('the question to a human in an export', () => {
  const human = (text: string) => nodeByItsId('humanInputAgentflow_0', { humanInputDescription: text });
  const asked = chain(START, 'llmAgentflow_0', 'humanInputAgentflow_0');
  const message = (nodes: object[], edges: object[]) => {
    const { config, warnings } = configOf('humanInputAgentflow_0', nodes, edges);
    return [config['message'], warnings.length];
  };

  it('stands below the answer that it is about', () => {
    expect(message([llm(0), human('<p>Send it?</p>')], asked)).toEqual(['{{llmAgentflow_0}}\n\nSend it?', 0]);
    expect(message([llm(0), human('Send {{llmAgentflow_0.output.content}}?')], asked)).toEqual([
      'Send {{llmAgentflow_0.output.content}}?',
      0,
    ]);
    expect(message([human('Begin?')], chain(START, 'humanInputAgentflow_0'))).toEqual(['Begin?', 0]);
  });

  it('stands alone behind branches, which is reported', () => {
    const joined = [...asked, ...chain(START, 'llmAgentflow_1', 'humanInputAgentflow_0')];
    expect(message([llm(0), llm(1), human('Send it?')], joined)).toEqual(['Send it?', 1]);
  });

  it('loses nothing with the settings of a model that does not write it', () => {
    const settings = { humanInputModel: 'chatOpenAI', humanInputModelConfig: { modelName: 'm' } };
    const fixed = { humanInputDescriptionType: 'fixed', humanInputDescription: 'Begin?', ...settings };
    const node = nodeByItsId('humanInputAgentflow_0', { ...fixed, humanInputModelPrompt: '<p>Ask</p>' });
    expect(message([node], chain(START, 'humanInputAgentflow_0'))).toEqual(['Begin?', 0]);
  });
});
