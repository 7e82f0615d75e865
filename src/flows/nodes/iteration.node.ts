import { z } from 'zod';
import type { Json } from '../engine/json.js';
import type { NodeContext, NodeKind } from '../engine/node-kind.js';
import { jsonList } from './json-list.js';

const config = z
  .object({
    items: z
      .union([z.string(), z.array(z.json() as z.ZodType<Json>)])
      .describe('A list, or a template for a JSON array; the nodes inside read an item as {{$iteration}}.'),
    concurrency: z
      .int()
      .min(1)
      .max(20)
      .optional()
      .describe('Items that are processed at once; 1 when absent.'),
  })
  .describe(
    'Runs the nodes with this parentNode for each item: {{id}} has a line for each, {{id.output.0}} the value of the first.',
  );

type IterationConfig = z.infer<typeof config>;

const MOST_ITEMS = 10_000;

/**
 * Runs its body once for each item, `concurrency` items at once. The output is the list of results in the order of the
 * items, the text a line for each. The first item that fails fails the node.
 */
export const iterationNode: NodeKind<IterationConfig> = {
  kind: 'iteration',
  label: 'Iteration',
  icon: 'frames',
  config,
  streams: false,
  leafText: 'own',
  outputMembers: () => 'list',
  persists: () => ({ state: false }),
  /** Filled here, because filling keeps the type of a list only if the whole text is one reference. */
  rawTexts: ['items'],
  filledLater: ['items'],
  async run(context) {
    const { config, signal, runChildren } = context;
    const items = await itemsOf(context);
    const results: { value: Json; text: string }[] = [];
    const next = items.entries();
    const work = async () => {
      for (const [index, item] of next) {
        if (signal.aborted) return;
        results[index] = await runChildren(item, index);
      }
    };
    await Promise.all(Array.from({ length: Math.min(config.concurrency ?? 1, items.length) }, work));
    return {
      output: results.map(({ value }) => value),
      text: results.map(({ text }) => text).join('\n'),
      traceInput: { items },
    };
  },
};

async function itemsOf({ config: { items }, value }: NodeContext<IterationConfig>) {
  const given = typeof items === 'string' ? await value(items) : await Promise.all(items.map(value));
  return jsonList(given, { name: 'items', most: MOST_ITEMS });
}
