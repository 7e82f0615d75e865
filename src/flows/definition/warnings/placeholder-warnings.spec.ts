import { SERVICE_KINDS as kinds } from '../../../../test/fixtures/flows/service-kinds.js';
import { atOnce } from '../../../common/pausing.js';
import { checkDefinition } from '../checks/check-definition.js';
import { definitionWarnings } from './definition-warnings.js';

describe('a part that an import could not carry over', () => {
  it('is named at every save, with its place', () => {
    const gone = { id: 'mail', kind: 'missing', label: 'Mail', config: { original: 'gmail' } };
    const tools = [
      { tool: 'http', url: 'https://example.com' },
      { tool: 'missing', original: 'serpAPI' },
    ];
    const agent = { id: 'agent', kind: 'agent', config: { tools } };
    const written = {
      name: 'Imported',
      nodes: [{ id: 'start', kind: 'start' }, gone, agent],
      edges: [
        { from: 'start', to: 'mail' },
        { from: 'start', to: 'agent' },
      ],
    };
    const checked = checkDefinition(written, kinds);
    if ('faults' in checked) throw new Error(JSON.stringify(checked.faults));
    expect(atOnce(definitionWarnings(written, checked.definition, kinds))).toEqual([
      {
        code: 'node_missing',
        message:
          '"Mail" (mail): a run that reaches it fails, because it is a placeholder for "gmail", which could not be imported.',
        path: 'nodes[1]',
      },
      {
        code: 'tool_missing',
        message:
          '"agent": the model is never offered its placeholder for the tool "serpAPI", which could not be imported.',
        path: 'nodes[2].config.tools[1]',
      },
    ]);
  });
});
