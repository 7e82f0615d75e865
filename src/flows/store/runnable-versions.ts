import { Injectable } from '@nestjs/common';
import type { FlowVersionName } from '../../api/flow-terms.js';
import { NotFound } from '../../common/service-error.js';
import type { Flow } from '../definition/flow.js';
import { FlowDrafts } from './flow-drafts.js';
import { FlowStore } from './flow-store.js';
import { invalidFlow, SaveChecks } from './save-checks.js';

/** Finds versions and drafts of flows that can be run, with the current settings of the flow. */
@Injectable()
export class RunnableVersions {
  constructor(
    private readonly flows: FlowStore,
    private readonly drafts: FlowDrafts,
    private readonly checks: SaveChecks,
  ) {}

  /** Throws 404 for a missing version or draft, 400 `invalid_flow` for a draft with faults. */
  async find(published: Flow, version: FlowVersionName): Promise<Flow> {
    if (version !== 'draft') {
      const flow = await this.flows.findAtVersion(published.id, version);
      if (!flow) throw new NotFound('This version of the flow');
      return flow;
    }
    const draft = await this.drafts.find(published.id);
    if (!draft) throw new NotFound('A draft of this flow');
    const { content, errors } = await this.checks.outcomeOfDraft(draft);
    if (!content) throw invalidFlow(errors);
    return published.at('draft', content);
  }
}
