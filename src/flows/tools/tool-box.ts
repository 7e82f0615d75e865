import type { ToolDefinition } from '../models/tool-call.js';
import type { ToolTypes } from './tool-types.js';
import type { OfferedTool, OpenTool, ToolSettings, ToolUser } from './tool.js';

/** Tools of a model; providers refuse more. */
const MOST_TOOLS = 128;
const LONGEST_DESCRIPTION = 4_000;

/** A tool under its name for the model. */
export interface NamedTool extends OfferedTool {
  needsApproval: boolean;
}

/** The tools of a node's run, open until `close`. */
export class ToolBox {
  private constructor(
    private readonly opened: readonly OpenTool[],
    readonly tools: ReadonlyMap<string, NamedTool>,
  ) {}

  /** Opens the tools. When one fails, closes the others and throws with a sentence. */
  static async open(types: ToolTypes, settings: readonly ToolSettings[], user: ToolUser): Promise<ToolBox> {
    const opening = await Promise.allSettled(settings.map((each) => types.open(each, user)));
    const opened = opening.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
    const box = new ToolBox(
      opened.flatMap((tool) => tool ?? []),
      named(settings, opened),
    );
    const failed = opening.find((result) => result.status === 'rejected');
    if (failed === undefined && box.tools.size <= MOST_TOOLS) return box;
    await box.close();
    if (failed) throw failed.reason as Error;
    throw new Error(
      `${box.tools.size} tools are too many for a model; at most ${MOST_TOOLS} are allowed. Name those that it needs in "allow".`,
    );
  }

  get definitions(): ToolDefinition[] {
    return [...this.tools.values()].map(({ name, description, parameters }) => ({
      name,
      ...(description === undefined
        ? {}
        : { description: description.slice(0, LONGEST_DESCRIPTION).toWellFormed() }),
      parameters,
    }));
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.opened.map(async (tool) => tool.close?.()));
  }
}

/** Gives each tool a unique name: the second of two with the same name gets a number. */
function named(
  settings: readonly ToolSettings[],
  opened: readonly (OpenTool | undefined)[],
): Map<string, NamedTool> {
  const tools = new Map<string, NamedTool>();
  opened.forEach((open, index) => {
    for (const tool of open?.tools ?? []) {
      const name = freeName(tool.name, tools);
      tools.set(name, { ...tool, name, needsApproval: settings[index]?.requiresApproval === true });
    }
  });
  return tools;
}

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  const plain = wanted.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool';
  let name = plain;
  for (let number = 2; taken.has(name); number++) name = `${plain.slice(0, 60)}_${number}`;
  return name;
}
