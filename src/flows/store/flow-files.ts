import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppConfig, ConfigError } from '../../common/app-config.js';
import { parseJson } from '../../common/json/json-text.js';
import { Logger } from '../../common/logger.js';
import { type TextFile, textFilesIn } from '../../storage/text-files.js';
import { checkDefinition } from '../definition/checks/check-definition.js';
import type { FlowDefinition } from '../definition/flow-definition.js';
import { NodeKindRegistry } from '../definition/node-kind-registry.js';
import { withCodeOfFiles } from './code-files.js';
import { FlowStore } from './flow-store.js';
import { FlowWrites } from './flow-writes.js';

/** The sample flow whose chat needs no key and no model. */
export const SAMPLE_CHAT = 'inspection-assistant';

const NAME_OTHER = 'Name a folder that exists and that the service may read';

const samples = fileURLToPath(new URL('../../../samples', import.meta.url));

/** Flow files cannot be loaded; stops the start and lists every fault with its file. */
class FlowFileError extends ConfigError {
  constructor(faults: readonly string[]) {
    super(faults);
    this.name = 'FlowFileError';
  }
}

/**
 * Loads the flows of `samples/` (unless `SAMPLES=off`) and of `FLOWS_DIR` at start, after all kinds are registered (contract
 * section 8). A flow is created, or published by its id when its file has changed since the last load: an admin's edits stay
 * as long as the file is unchanged, and an admin's access rules and switch stay if the file has none.
 */
@Injectable()
export class FlowFiles implements OnApplicationBootstrap {
  constructor(
    private readonly config: AppConfig,
    private readonly logger: Logger,
    private readonly kinds: NodeKindRegistry,
    private readonly store: FlowStore,
    private readonly writes: FlowWrites,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    const { flowsDir } = this.config;
    return this.load([
      ...(this.config.samples ? [samples] : []),
      ...(flowsDir === undefined ? [] : [flowsDir]),
    ]);
  }

  /**
   * Loads every `.json` file of the directories. Of two directories with the same flow the later one counts. Throws
   * `FlowFileError`, with nothing loaded, when a file is broken or two of one directory have the same id.
   */
  async load(directories: readonly string[]): Promise<void> {
    const faults: string[] = [];
    const flows = new Map<string, FlowFile>();
    for (const directory of directories)
      for (const [id, flow] of await this.readAll(directory, faults)) flows.set(id, flow);
    if (faults.length > 0) throw new FlowFileError(faults);
    for (const flow of flows.values()) await this.save(flow);
  }

  /** Reads the flows of a directory by their ids, and adds the faults of its files to the list. */
  private async readAll(directory: string, faults: string[]): Promise<Map<string, FlowFile>> {
    const files = await textFilesIn(directory, '.json').catch((error: Error): TextFile[] => {
      const [variable, remedy] =
        directory === samples ? ['SAMPLES', 'Set it to off'] : ['FLOWS_DIR', NAME_OTHER];
      faults.push(`${variable}: flows cannot be read in ${directory} (${error.message}). ${remedy}.`);
      return [];
    });
    const flows = new Map<string, FlowFile>();
    for (const file of files) {
      const flow = await this.read(file, faults);
      if (!flow) continue;
      const id = flow.definition.id!;
      const twin = flows.get(id);
      if (twin)
        faults.push(
          `${file.path}: has the id "${id}", as ${twin.file.path} has. Give one of them another id.`,
        );
      else flows.set(id, flow);
    }
    return flows;
  }

  private async save({ file, texts, definition }: FlowFile): Promise<void> {
    const hash = createHash('sha256').update(texts.join('\n')).digest('hex');
    const id = definition.id!;
    const stored = await this.store.get(id);
    const note = `From the file ${basename(file.path)}`;
    if (!stored) await this.writes.create(definition, { sourceHash: hash, note });
    else if (stored.sourceHash === null)
      this.logger.warn(
        { file: file.path, flow: id },
        'an admin has created a flow with this id: the file is ignored',
      );
    else if (stored.sourceHash !== hash) {
      const { access, enabled } = stored.flow.definition;
      await this.writes.replace(
        id,
        { ...(access ? { access } : {}), ...(enabled === undefined ? {} : { enabled }), ...definition },
        { sourceHash: hash, note },
      );
    }
  }

  /** Reads the flow in a file. Returns undefined when it is broken, and adds its faults to the list. */
  private async read(file: TextFile, faults: string[]): Promise<FlowFile | undefined> {
    const { path, stem, text } = file;
    let value: unknown;
    try {
      value = parseJson(text, Infinity);
    } catch (error) {
      faults.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
    const read = await withCodeOfFiles(value, file);
    if (read.faults.length > 0) {
      faults.push(...read.faults);
      return undefined;
    }
    value = read.value;
    const named = typeof value === 'object' && value !== null ? { id: stem, ...value } : value;
    const checked = checkDefinition(named, this.kinds.all);
    if ('definition' in checked) return { file, texts: read.texts, definition: checked.definition };
    faults.push(...checked.faults.map((fault) => `${path}: ${fault.path}: ${fault.message}`));
    return undefined;
  }
}

interface FlowFile {
  file: TextFile;
  /** The texts of the file and its code files. */
  texts: readonly string[];
  definition: FlowDefinition;
}
