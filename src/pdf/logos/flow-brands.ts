import type { Fault } from '../../common/service-error.js';
import { brandOf, type ChatBrand, logoData } from '../../flows/definition/chat-brand.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import type { FlowStore } from '../../flows/store/flow-store.js';
import { NEWEST_LOOK, type ReportLook } from '../../inspection/report/report-look.js';
import type { Logos } from './logos.js';

/** The brand of a report: that of the one flow whose photographs it shows, else none. */
interface ReportBrand {
  /** `chat.brand.logo` of that flow. */
  readonly logo?: string;
  readonly look: ReportLook;
}

/**
 * Reads the brands of flows (`chat.brand`) as they stand now. The returned function picks one synchronously, so that it can
 * be called within a transaction.
 */
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

/** Finds the id of a missing logo in a definition, which cannot be saved with it. */
export async function brandLogoFaults({ chat }: FlowDefinition, logos: Logos): Promise<Fault[]> {
  const { logo } = brandOf(chat);
  if (logo === undefined || logoData(logo) || (await logos.find(logo))) return [];
  const message = 'there is no asset with this id: upload the logo first (POST /api/v1/assets)';
  return [{ path: 'chat.brand.logo', message }];
}
