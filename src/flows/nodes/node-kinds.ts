import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '../../common/outbound-http.js';
import { CredentialSource } from '../models/credential-source.js';
import { LanguageModels } from '../models/language-models.js';
import { conditionNode } from './condition.node.js';
import { httpNode } from './http.node.js';
import { llmNode } from './llm.node.js';
import { NodeKindRegistry } from './node-kind-registry.js';
import { replyNode } from './reply.node.js';
import { setStateNode } from './set-state.node.js';
import { startNode } from './start.node.js';

/** The list of kinds that are at home here. A new kind is one file beside this one, and one line here. */
@Injectable()
export class BuiltInKinds {
  constructor(
    registry: NodeKindRegistry,
    models: LanguageModels,
    http: OutboundHttp,
    credentials: CredentialSource,
  ) {
    registry.register(startNode);
    registry.register(replyNode);
    registry.register(llmNode(models));
    registry.register(conditionNode);
    registry.register(httpNode(http, credentials));
    registry.register(setStateNode);
  }
}
