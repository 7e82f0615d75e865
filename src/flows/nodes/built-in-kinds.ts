import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { CredentialSource } from '../credentials/credential-source.js';
import { NodeKindRegistry } from '../definition/node-kind-registry.js';
import { LanguageModels } from '../models/language-models.js';
import { FlowStore } from '../store/flow-store.js';
import { ToolTypes } from '../tools/tool-types.js';
import { agentNode } from './agent/agent.node.js';
import { toolNode } from './agent/tool.node.js';
import { conditionAgentNode } from './asking/condition-agent.node.js';
import { conditionNode } from './condition.node.js';
import { executeFlowNode } from './execute-flow.node.js';
import { FunctionSandbox } from './function/function-sandbox.js';
import { functionNode } from './function/function.node.js';
import { httpNode } from './http.node.js';
import { humanInputNode } from './human-input.node.js';
import { iterationNode } from './iteration.node.js';
import { llmNode } from './llm.node.js';
import { loopNode } from './loop.node.js';
import { missingNode } from './missing.node.js';
import { replyNode } from './reply.node.js';
import { setStateNode } from './set-state.node.js';
import { startNode } from './start.node.js';

/** Registers the kinds of this module. A new kind is one file and one line here. */
@Injectable()
export class BuiltInKinds {
  constructor(
    registry: NodeKindRegistry,
    models: LanguageModels,
    http: OutboundHttp,
    credentials: CredentialSource,
    sandbox: FunctionSandbox,
    flows: FlowStore,
    tools: ToolTypes,
  ) {
    registry.register(startNode);
    registry.register(replyNode);
    registry.register(llmNode(models));
    registry.register(conditionNode);
    registry.register(httpNode(http, credentials));
    registry.register(setStateNode);
    registry.register(humanInputNode(models));
    registry.register(missingNode);
    registry.register(functionNode(sandbox));
    registry.register(executeFlowNode(flows));
    registry.register(iterationNode);
    registry.register(loopNode);
    registry.register(agentNode(models, tools));
    registry.register(toolNode(tools));
    registry.register(conditionAgentNode(models));
  }
}
