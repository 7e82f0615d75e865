import { compileFiller } from './config-filler.js';
import type { Json } from './json.js';
import { HISTORY_NAMES, type RunScope } from './run-scope.js';
import { withExtra } from './surroundings.js';
import { fillTemplate, fillValue, type Lookup, parseTemplate, type TextTemplate } from './template.js';

/** Fills texts for a running node with the values that it can name. */
export class NodeTexts {
  constructor(
    private readonly scope: Pick<RunScope, 'loadHistory'>,
    private readonly lookup: Lookup,
    /** Texts that stay as written, because the caller of the run has set them. */
    private readonly literals: ReadonlySet<string>,
  ) {}

  async fill(template: string, extra?: Record<string, Json>): Promise<string> {
    const parsed = await this.ready(template);
    return fillTemplate(parsed, extra ? withExtra(extra, this.lookup) : this.lookup);
  }

  async value(written: Json): Promise<Json> {
    if (typeof written !== 'string') return this.filled(written);
    return fillValue(await this.ready(written), this.lookup);
  }

  async filled<Value>(value: Value, extra?: Lookup): Promise<Value> {
    const roots = new Set<string>();
    const filler = compileFiller(value, roots, { texts: this.literals });
    if (!filler) return value;
    if ([...roots].some((root) => HISTORY_NAMES.has(root))) await this.scope.loadHistory();
    return filler(extra ? before(extra, this.lookup) : this.lookup) as Value;
  }

  private async ready(template: string): Promise<TextTemplate> {
    if (this.literals.has(template)) return { parts: [template] };
    const parsed = parseTemplate(template);
    const asksHistory = parsed.parts.some((part) => typeof part !== 'string' && HISTORY_NAMES.has(part.root));
    if (asksHistory) await this.scope.loadHistory();
    return parsed;
  }
}

const before =
  (first: Lookup, lookup: Lookup): Lookup =>
  (root, path) =>
    first(root, path) ?? lookup(root, path);
