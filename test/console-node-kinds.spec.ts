import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeKindRegistry } from '../src/flows/definition/node-kind-registry.js';
import { branchesOf } from '../web/console/flows/operations/branches.js';
import { consoleFixture } from './support/console.js';
import { eventually } from './support/eventually.js';
import { button, editor, node, openText } from './support/flow-workbench.js';
import { describeInBrowser } from './support/page-fixture.js';

interface Definition {
  id?: string;
  name: string;
  nodes: { id: string; kind: string; label?: string }[];
}

/** The flows in the example of a kind's page. */
const flowsOf = (kind: string): Definition[] => {
  const page = readFileSync(join(__dirname, `../docs/nodes/${kind}.md`), 'utf8');
  return [...page.matchAll(/^```json flow\n([^]*?)^```$/gm)].map(
    (match) => JSON.parse(match[1]!) as Definition,
  );
};

describeInBrowser('node kinds in the flow editor', () => {
  const fixture = consoleFixture();
  const { client, open } = fixture;

  it('have the branches on the canvas that the service takes', () => {
    const config = { conditions: [{}, {}], scenarios: ['a'], branches: ['x', 'y'] };
    const kinds = [...fixture.service.app.get(NodeKindRegistry).all.values()];
    expect(kinds.map(({ kind }) => [kind, branchesOf({ kind, config })])).toEqual(
      kinds.map((one) => [one.kind, one.branches?.(config) ?? []]),
    );
  });

  it.each(['iteration', 'loop', 'function', 'execute-flow', 'missing'])(
    'opens a flow with %s without a fault, draws it and saves it',
    async (kind) => {
      let id = '';
      const flows = flowsOf(kind);
      for (const flow of flows) id = await client.flow(flow);
      const { page } = await open(`/console/flows/${id}`);
      const { id: nodeId, label } = flows.at(-1)!.nodes.find((one) => one.kind === kind)!;
      await node(page, label ?? nodeId).waitFor();
      await openText(page);
      await editor(page).press('Control+Home');
      await page.keyboard.press('End');
      await page.keyboard.insertText(
        '"notes": [{ "text": "Seen in the editor", "position": { "x": 0, "y": 0 } }],',
      );
      await eventually(async () => !(await button(page, 'Save').isDisabled()));
      await page.getByText('No faults.').waitFor();
      await button(page, 'Save').click();
      await eventually(async () => {
        const { body } = await client.admin('GET', `flows/${id}/draft`);
        return JSON.stringify(body).includes('Seen in the editor');
      });
    },
  );
});
