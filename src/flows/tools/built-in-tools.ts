import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '../../common/outbound/outbound-http.js';
import { CredentialSource } from '../credentials/credential-source.js';
import { FunctionSandbox } from '../nodes/function/function-sandbox.js';
import { FlowStore } from '../store/flow-store.js';
import { dateTimeTool } from './date-time.tool.js';
import { flowTool } from './flow.tool.js';
import { functionTool } from './function.tool.js';
import { httpTool } from './http.tool.js';
import { McpListings } from './mcp-listings.js';
import { mcpTool } from './mcp.tool.js';
import { missingTool } from './missing.tool.js';
import { ToolTypes } from './tool-types.js';
import { webPageTool } from './web-page.tool.js';

/** Registers the types of tools of this module. A new type is one file and one line here. */
@Injectable()
export class BuiltInTools {
  constructor(
    types: ToolTypes,
    http: OutboundHttp,
    credentials: CredentialSource,
    listings: McpListings,
    sandbox: FunctionSandbox,
    flows: FlowStore,
  ) {
    types.register(httpTool(http, credentials));
    types.register(dateTimeTool);
    types.register(webPageTool(http));
    types.register(mcpTool(listings, credentials));
    types.register(functionTool(sandbox));
    types.register(flowTool(flows));
    types.register(missingTool);
  }
}
