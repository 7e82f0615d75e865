import { importedFlows } from '../../../api/flows.js';
import { answered, anyObject, type RouteNote } from '../../../api/route-note.js';

const exportedEcho = {
  name: 'Echo',
  nodes: [
    { id: 'startAgentflow_0', data: { name: 'startAgentflow', inputs: { startInputType: 'chatInput' } } },
    {
      id: 'directReplyAgentflow_0',
      data: {
        name: 'directReplyAgentflow',
        inputs: { directReplyMessage: '<p>You said: {{ question }}</p>' },
      },
    },
  ],
  edges: [
    {
      source: 'startAgentflow_0',
      sourceHandle: 'startAgentflow_0-output-startAgentflow',
      target: 'directReplyAgentflow_0',
    },
  ],
};

const exportedRow = {
  id: 'echo-row',
  name: 'Echo',
  type: 'AGENTFLOW',
  flowData: JSON.stringify(exportedEcho),
};

const exportedAll = { AgentFlowV2: [{ ...exportedRow, id: 'echo-of-all' }], ChatFlow: [], Variable: [] };

export const importNote: RouteNote = {
  summary: 'Import flows of Flowise',
  description: `An AgentFlow V2 export, a row of its API (\`{ flowData, name, id, … }\`) or the “export all” file of its dashboard. \`models\` and \`onConflict\` may stand beside its members, or all of it as \`{ name?, id?, models?, onConflict?, export }\`.

\`models\` is \`{ "<model class>" | "*": model }\`: models that replace those of the export. A row has its own id, name and settings. A node that cannot run here becomes a placeholder; \`warnings\` names each, counted as in the export.

If a flow with an id exists, nothing is imported (409), unless \`onConflict\` is \`replace\` (its definition; settings, report, values of variables and credentials stay) or \`copy\` (under a new id).`,
  errors: ['invalid_flow', 'flow_exists'],
  body: { json: anyObject, examples: { echo: exportedEcho, row: exportedRow, exportAll: exportedAll } },
  answers: answered(
    'The flow, with `warnings` for what was not carried over; for an “export all” file each flow, with its warnings.',
    importedFlows,
  ),
};
