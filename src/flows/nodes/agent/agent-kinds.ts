import { Injectable } from '@nestjs/common';
import { NodeKindRegistry } from '../../definition/node-kind-registry.js';
import { LanguageModels } from '../../models/language-models.js';
import { ToolTypes } from '../../tools/tool-types.js';
import { conditionAgentNode } from '../asking/condition-agent.node.js';
import { agentNode } from './agent.node.js';
import { toolNode } from './tool.node.js';

/** The kinds in which a model acts or tools are called. */
@Injectable()
export class AgentKinds {
  constructor(registry: NodeKindRegistry, models: LanguageModels, tools: ToolTypes) {
    registry.register(agentNode(models, tools));
    registry.register(toolNode(tools));
    registry.register(conditionAgentNode(models));
  }
}
