import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { AppConfig } from '../../common/app-config.js';
import { parseJson } from '../../common/json-text.js';
import { Logger } from '../../common/logger.js';
import { type TextFile, textFilesIn } from '../../storage/text-files.js';
import { NodeKindRegistry } from '../nodes/node-kind-registry.js';
import { checkDefinition } from './check-definition.js';
import type { FlowDefinition } from './flow-definition.js';
import { FlowStore } from './flow-store.js';

const samples = fileURLToPath(new URL('../../../samples', import.meta.url));

/** A file of flows that cannot be loaded stops the start, naming the file and every fault in it. */
export class FlowFileError extends Error {
  constructor(path: string, faults: readonly string[]) {
    super(`The flow in ${path} cannot be loaded:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'FlowFileError';
  }
}

/**
 * Loads the flows of `samples/` (unless `SAMPLES=off`) and of `FLOWS_DIR` at start, once all kinds are registered
 * (contract section 8). A flow is created, or updated by its id when its file has changed since it was last loaded; what
 * an admin edited meanwhile stays as long as the file does, and the access rules an admin set stay where the file has none.
 */
@Injectable()
export class FlowFiles implements OnApplicationBootstrap {
  constructor(
    private readonly config: AppConfig,
    private readonly logger: Logger,
    private readonly kinds: NodeKindRegistry,
    private readonly store: FlowStore,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.samples) await this.load(samples);
    if (this.config.flowsDir !== undefined) await this.load(this.config.flowsDir);
  }

  /** Loads every `.json` file of a directory. Throws `FlowFileError` for the first that is broken. */
  async load(directory: string): Promise<void> {
    const files = await textFilesIn(directory, '.json').catch((error: Error) => {
      throw new FlowFileError(directory, [error.message]);
    });
    for (const file of files) await this.loadFile(file);
  }

  private async loadFile(file: TextFile): Promise<void> {
    const definition = this.read(file);
    const hash = createHash('sha256').update(file.text).digest('hex');
    const id = definition.id!;
    const stored = await this.store.get(id);
    if (!stored) await this.store.create(definition, hash);
    else if (stored.sourceHash === null)
      this.logger.warn(
        { file: file.path, flow: id },
        'an admin made a flow with this id: the file is left out',
      );
    else if (stored.sourceHash !== hash) {
      const { access } = stored.flow.definition;
      await this.store.update(id, { ...(access ? { access } : {}), ...definition }, hash);
    }
  }

  private read({ path, stem, text }: TextFile): FlowDefinition {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (error) {
      throw new FlowFileError(path, [error instanceof Error ? error.message : String(error)]);
    }
    const named = typeof value === 'object' && value !== null ? { id: stem, ...value } : value;
    const checked = checkDefinition(named, this.kinds.all);
    if ('definition' in checked) return checked.definition;
    throw new FlowFileError(
      path,
      checked.faults.map((fault) => `${fault.path}: ${fault.message}`),
    );
  }
}
