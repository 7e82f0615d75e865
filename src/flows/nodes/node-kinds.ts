import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { CredentialSource } from '../credentials/credential-source.js';
import { NodeKindRegistry } from '../definition/node-kind-registry.js';
import { LanguageModels } from '../models/language-models.js';
import { FlowStore } from '../store/flow-store.js';
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
