import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Json } from '../engine/json.js';
import type { OpenTool, ToolSettings, ToolType, ToolUser } from './tool.js';

/**
 * The types of tools that this version has. Upper modules register theirs when they start, before any flow is loaded.
 */
@Injectable()
export class ToolTypes {
  private readonly byName = new Map<string, ToolType>();

  register<Settings extends ToolSettings>(type: ToolType<Settings>): void {
    if (this.byName.has(type.tool)) throw new Error(`The tool "${type.tool}" is registered twice.`);
    this.byName.set(type.tool, type);
  }

  /** Returns the schema of the settings of any tool with additional members. */
  settings<More extends z.ZodRawShape>(more: More): z.ZodType<ToolSettings & z.infer<z.ZodObject<More>>> {
    // Built at its first use, after all types are registered.
    const union = z.lazy(() => {
      const [first, ...others] = [...this.byName.values()].map((type) => type.settings.extend(more));
      return z.discriminatedUnion('tool', [first!, ...others] as never, {
        error: (issue) => this.fault(issue),
      });
    });
    return union;
  }

  /** The members that settings of any type may have. */
  get members(): string[] {
    return [...new Set([...this.byName.values()].flatMap(({ settings }) => Object.keys(settings.shape)))];
  }

  open(settings: ToolSettings, user: ToolUser): Promise<OpenTool> {
    return this.byName.get(settings.tool)!.open(settings, user);
  }

  secretsIn(settings: Json | undefined): string[] {
    if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return [];
    const { tool } = settings;
    return (typeof tool === 'string' && this.byName.get(tool)?.secretsIn?.(settings)) || [];
  }

  private fault({ input }: { input?: unknown }): string | undefined {
    const tool: unknown = (input as { tool?: unknown } | null | undefined)?.tool;
    const known = [...this.byName.keys()].map((name) => `"${name}"`).join(', ');
    if (typeof tool !== 'string') return `must name a type of tool: ${known}`;
    if (this.byName.has(tool)) return undefined;
    return `"${tool.slice(0, 64)}" is not a type of tool: there are ${known}`;
  }
}
