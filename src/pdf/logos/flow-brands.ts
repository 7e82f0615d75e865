import { brandOf, type ChatBrand } from '../../flows/definition/chat-brand.js';
import type { FlowStore } from '../../flows/store/flow-store.js';
import { NEWEST_LOOK, type ReportLook } from '../../inspection/report/report-look.js';

/** The brand that reports of these flows bear: that of the one flow whose photographs are shown, else none. */
export interface ReportBrand {
  /** `chat.brand.logo` of that flow. */
  readonly logo?: string;
  readonly look: ReportLook;
}

/** Reads the brands of flows (`chat.brand`) as they stand now. The returned function decides without waiting, within a transaction. */
export async function brandsOf(
  flowIds: readonly string[],
  flows: FlowStore,
): Promise<(shown: readonly string[]) => ReportBrand> {
  const brands = new Map<string, ChatBrand>();
  for (const id of flowIds) brands.set(id, brandOf((await flows.find(id))?.definition.chat));
  return ([only, ...others]) => {
    const { colour, logo } = others.length === 0 && only !== undefined ? (brands.get(only) ?? {}) : {};
    return {
      look: { ...NEWEST_LOOK, ...(colour === undefined ? {} : { colour }) },
      ...(logo === undefined ? {} : { logo }),
    };
  };
}
