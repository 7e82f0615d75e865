import { z } from 'zod';
import type { Json } from '../../engine/json.js';
import type { NodeKind } from '../../engine/node-kind.js';
import type { LanguageModels } from '../../models/language-models.js';
import { isMissingTool } from '../../tools/missing.tool.js';
import { ToolBox } from '../../tools/tool-box.js';
import type { ToolTypes } from '../../tools/tool-types.js';
import { modelNodeConfig } from '../asking/messages.js';
import { modelConfig } from '../asking/model-config.js';
import { structuredOutput, withAnswerMembers } from '../asking/structured-output.js';
import { type AgentConfig, AgentTalk } from './agent-talk.js';

const MOST_SETTINGS = 100;

const agentConfig = (tools: ToolTypes) =>
  z
    .object({
      model: modelConfig.optional().describe('The model; absent: that of DEFAULT_MODEL_NAME.'),
      ...modelNodeConfig,
      tools: z
        .array(tools.settings({}))
        .max(MOST_SETTINGS)
        .default([])
        .check(({ value, issues }) => {
          const names = value.map(({ name }) => name);
          names.forEach((name, index) => {
            if (name === undefined || names.indexOf(name) === index) return;
            const message = `"${name}" is the name of another tool of this agent`;
            issues.push({ code: 'custom', input: name, path: [index, 'name'], message });
          });
        })
        .describe('The tools that the model may call: a list of { tool, … }.'),
      maxRounds: z
        .int()
        .min(1)
        .max(100)
        .optional()
        .describe('Rounds within which the model must answer; 10 when absent.'),
      structuredOutput: structuredOutput
        .optional()
        .describe('The members of the final answer: a list of { key, type, description }, or a JSON Schema.'),
    })
    .describe('A language model that calls tools in rounds until it answers.');

/**
 * Runs rounds of a model and its tools until the model answers (contract section 9). The calls of a round run at once, and
 * the model receives all results, failures too. A leaf streams the texts of all rounds; the node's own text is the last.
 * Answers and calls are journaled by round and place, so that nothing is charged or done twice.
 */
export const agentNode = (models: LanguageModels, tools: ToolTypes): NodeKind<AgentConfig> => ({
  kind: 'agent',
  label: 'Agent',
  icon: 'robot',
  config: agentConfig(tools),
  streams: true,
  leafText: 'own',
  outputMembers: ({ structuredOutput: wanted }) => withAnswerMembers(['content', 'usedTools'], wanted),
  persists: () => ({ state: false }),
  placeholders: ({ tools: named }) =>
    named.flatMap((settings, index) =>
      isMissingTool(settings)
        ? [{ code: 'tool_missing' as const, original: settings.original, path: `tools[${index}]` }]
        : [],
    ),
  rawTexts: ['model', 'tools'],
  filledLater: ['tools'],
  secretsIn: ({ tools: named = [] }) =>
    (Array.isArray(named) ? named : []).flatMap((settings) => tools.secretsIn(settings)),
  traceOf: ({ tools: named, ...config }) =>
    ({ ...config, tools: named.map(({ tool, name = tool }) => name) }) as unknown as Json,
  async run(context) {
    const { config } = context;
    const model = models.model(config.model);
    const box = await ToolBox.open(tools, config.tools, context);
    try {
      return await new AgentTalk(context, model, box).run();
    } finally {
      await box.close();
    }
  },
});
