import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { FlowStore } from '../definition/flow-store.js';
import { CredentialSource } from '../models/credential-source.js';
import { LanguageModels } from '../models/language-models.js';
import { conditionNode } from './condition.node.js';
import { executeFlowNode } from './flow-control/execute-flow.node.js';
import { humanInputNode } from './flow-control/human-input.node.js';
import { iterationNode } from './flow-control/iteration.node.js';
import { loopNode } from './flow-control/loop.node.js';
import { missingNode } from './flow-control/missing.node.js';
import { FunctionSandbox } from './function/function-sandbox.js';
import { functionNode } from './function/function.node.js';
import { httpNode } from './http.node.js';
import { llmNode } from './llm.node.js';
import { NodeKindRegistry } from './node-kind-registry.js';
import { replyNode } from './reply.node.js';
import { setStateNode } from './set-state.node.js';
import { startNode } from './start.node.js';

/** The list of kinds that are at home here; those that use tools stand in `agent/agent-kinds.ts`. A new kind is one file beside this one, and one line here. */
@Injectable()
export class BuiltInKinds {
  constructor(
    registry: NodeKindRegistry,
    models: LanguageModels,
    http: OutboundHttp,
    credentials: CredentialSource,
    sandbox: FunctionSandbox,
    flows: FlowStore,
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
  }
}
