import { SERVICE_KINDS } from '../../../../test/fixtures/flows/service-kinds.js';
import { drafted, exportedNode, mention } from '../../../../test/support/exports.js';
import { imported, nodeByItsId } from '../../../../test/support/imported.js';
import { atOnce } from '../../../common/pausing.js';
import { checkDefinition } from '../../definition/checks/check-definition.js';
import { definitionWarnings } from '../../definition/warnings/definition-warnings.js';

const NODES = [
  ...['startAgentflow', 'llmAgentflow', 'agentAgentflow', 'toolAgentflow', 'retrieverAgentflow'],
  ...['conditionAgentflow', 'conditionAgentAgentflow', 'iterationAgentflow', 'loopAgentflow'],
  ...['humanInputAgentflow', 'httpAgentflow', 'customFunctionAgentflow', 'executeFlowAgentflow'],
  'directReplyAgentflow',
].map((name) => exportedNode(`${name}_0`, name));
const asked = exportedNode('humanInputAgentflow_1', 'humanInputAgentflow', {
  humanInputEnableFeedback: true,
});

/** The message of a reply that says `text`, and the warnings of it alone. */
const said = (text: string) => {
  const reply = exportedNode('reply', 'directReplyAgentflow', { directReplyMessage: text });
  const { definition, warnings } = drafted([...NODES, asked, reply]);
  const [{ config }] = (definition['nodes'] as [{ config: { message: string } }]).slice(-1) as [
    { config: { message: string } },
  ];
  return {
    message: config.message,
    warnings: warnings.filter(({ path }) => path === `nodes[${NODES.length + 1}]`),
  };
};

describe('the output paths of an AgentFlow V2 export', () => {
  it.each([
    ['customFunctionAgentflow_0.output.content', 'customFunctionAgentflow_0'],
    ['customFunctionAgentflow_0.output.content.total', 'customFunctionAgentflow_0.output.total'],
    ['httpAgentflow_0.output.http.data', 'httpAgentflow_0.output.data'],
    ['httpAgentflow_0.output.http.data.items[0]["name"]', 'httpAgentflow_0.output.data.items.0.name'],
    ['httpAgentflow_0.output.http.status', 'httpAgentflow_0.output.status'],
    ['httpAgentflow_0.output.http.headers.etag', 'httpAgentflow_0.output.headers.etag'],
    ['httpAgentflow_0', 'httpAgentflow_0'],
    ['toolAgentflow_0.output.content', 'toolAgentflow_0'],
    ['retrieverAgentflow_0.output.content', 'retrieverAgentflow_0'],
    ['conditionAgentAgentflow_0.output.content', 'conditionAgentAgentflow_0.output.answer'],
    ['conditionAgentAgentflow_0', 'conditionAgentAgentflow_0.output.answer'],
    ['iterationAgentflow_0.output.content', 'iterationAgentflow_0'],
    ['iterationAgentflow_0.output.iterationResults[1]', 'iterationAgentflow_0.output.1'],
    ['loopAgentflow_0.output.content', 'loopAgentflow_0'],
    ['loopAgentflow_0.output.maxLoopCount', 'loopAgentflow_0.output.max'],
    ['humanInputAgentflow_0.output.content', 'humanInputAgentflow_0.output.decision'],
    ['humanInputAgentflow_1.output.content', 'humanInputAgentflow_1'],
    ['executeFlowAgentflow_0.output.content', 'executeFlowAgentflow_0.output.content'],
    ['llmAgentflow_0.output.content', 'llmAgentflow_0.output.content'],
    ['agentAgentflow_0.output.usedTools[0].tool', 'agentAgentflow_0.output.usedTools.0.tool'],
    ['directReplyAgentflow_0.output.content', 'directReplyAgentflow_0.output.content'],
    ['startAgentflow_0.output.form.size', 'startAgentflow_0.output.form.size'],
    ['customFunctionAgentflow\\_0.output.content', 'customFunctionAgentflow_0'],
  ])('%s leads to the same value here', (there, here) => {
    for (const text of [`{{${there}}}`, `{{ ${there} }}`, mention(there)])
      expect(said(text)).toEqual({ message: `{{${here}}}`, warnings: [] });
  });

  it('are found in every text of a node', () => {
    const [there, here] = ['{{ customFunctionAgentflow_0.output.content }}', '{{customFunctionAgentflow_0}}'];
    const tag = '<span class="variable" data-type="mention" data-id="x">';
    const http = {
      url: `https://example.com/${there}`,
      headers: [{ key: 'x', value: there }],
      method: 'POST',
      bodyType: 'json',
      body: `{"a": {"b": ["${tag.replaceAll('"', '\\"')}${there}</span>"]}}`,
    };
    const tool = {
      agentSelectedTool: 'requestsGet',
      agentSelectedToolConfig: { requestsGetUrl: 'https://x.test', requestsGetHeaders: `{"x":"${there}"}` },
    };
    const nodes = [
      nodeByItsId('startAgentflow_0'),
      nodeByItsId('customFunctionAgentflow_0', { customFunctionJavascriptFunction: 'return 1' }),
      nodeByItsId('httpAgentflow_0', http),
      nodeByItsId('conditionAgentflow_0', {
        conditions: [
          { type: 'string', value1: mention(there.slice(2, -2).trim()), operation: 'equal', value2: there },
        ],
      }),
      nodeByItsId('agentAgentflow_0', {
        agentTools: [tool],
        agentUserMessage: 'x',
        agentUpdateState: [{ key: 'seen', value: there }],
      }),
      nodeByItsId('executeFlowAgentflow_0', {
        executeFlowSelectedFlow: 'other',
        executeFlowInput: there,
        executeFlowOverrideConfig: `{"vars":{"v":"${there}"}}`,
      }),
    ];
    const configs = imported(nodes).nodes.map(({ config }) => config);
    expect(configs.slice(2)).toMatchObject([
      { url: `https://example.com/${here}`, headers: [{ value: here }], body: { a: { b: [here] } } },
      { conditions: [{ value1: here, value2: here }] },
      { tools: [{ headers: { x: here } }], updateState: { seen: here } },
      { question: here, vars: { v: here } },
    ]);
  });

  it('without a counterpart are warnings, whether the output can be known here or not', () => {
    for (const [there, suggestion] of [
      ['customFunctionAgentflow_0.output.contnet', 'customFunctionAgentflow_0.output.content'],
      ['toolAgentflow_0.output.artifacts', undefined],
      ['executeFlowAgentflow_0.output.sourceDocuments', undefined],
    ] as const)
      expect(said(`<p>{{ ${there} }}</p>`)).toEqual({
        message: `{{${there}}}`,
        warnings: [
          {
            code: 'unknown_reference',
            message: expect.stringContaining(`{{${there}}} stays as written`),
            path: expect.any(String),
            ...(suggestion === undefined ? {} : { suggestion }),
          },
        ],
      });
    const closed = [
      ...['llmAgentflow_0.output.usageMetadata.total', 'httpAgentflow_0.output.http.statusText'],
      ...['loopAgentflow_0.output.nodeID', 'iterationAgentflow_0.output.more'],
    ].map((path, index) =>
      nodeByItsId(`directReplyAgentflow_${index}`, { directReplyMessage: `{{${path}}}` }),
    );
    const nodes = [
      nodeByItsId('startAgentflow_0'),
      ...[nodeByItsId('llmAgentflow_0'), nodeByItsId('httpAgentflow_0', { url: 'https://example.com' })],
      nodeByItsId('loopAgentflow_0', { loopBackToNode: 'llmAgentflow_0-LLM' }),
      nodeByItsId('iterationAgentflow_0', { iterationInput: '[1]' }),
      nodeByItsId(
        'directReplyAgentflow_9',
        { directReplyMessage: 'x' },
        { parentNode: 'iterationAgentflow_0' },
      ),
      ...closed,
    ];
    const edges = [
      ['startAgentflow_0', 'llmAgentflow_0'],
      ['llmAgentflow_0', 'loopAgentflow_0'],
    ].map(([source, target]) => ({ source, target }));
    const checked = checkDefinition({ name: 'A flow', ...imported(nodes, edges) }, SERVICE_KINDS);
    if ('faults' in checked) throw new Error(JSON.stringify(checked.faults));
    const warnings = atOnce(definitionWarnings({}, checked.definition, SERVICE_KINDS));
    expect(warnings.filter(({ code }) => code === 'unknown_reference').map(({ path }) => path)).toEqual(
      [6, 7, 8, 9].map((index) => `nodes[${index}].config.message`),
    );
  });
});
