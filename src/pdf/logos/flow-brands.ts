import type { ReportLayout } from '../../api/report-terms.js';
import type { Fault } from '../../common/service-error.js';
import { brandOf, type ChatBrand, logoData } from '../../flows/definition/chat-brand.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import type { FlowStore } from '../../flows/store/flow-store.js';
import { NEWEST_LOOK, type ReportLook } from '../../inspection/report/report-look.js';
import { DEFAULT_SETTINGS, type ReportSettings } from '../../inspection/report/report-settings.js';
import type { Logos } from './logos.js';

/** The brand of a report: that of the one flow whose photographs it shows, else none. */
interface ReportBrand {
  /** `chat.brand.logo` of that flow. */
  readonly logo?: string;
  readonly look: ReportLook;
}

/**
 * Reads the brands of flows (`chat.brand`) and their `report` members as they stand now. `layout` is that of the request. The returned function picks one synchronously, so that it can
 * be called within a transaction.
 */
export async function brandsOf(
  flowIds: readonly string[],
  flows: Pick<FlowStore, 'find'>,
  layout?: ReportLayout,
): Promise<(shown: readonly string[]) => ReportBrand> {
  const brands = new Map<string, ChatBrand & Pick<FlowDefinition, 'report'>>();
  for (const id of flowIds) {
    const definition = (await flows.find(id))?.definition;
    brands.set(id, { ...brandOf(definition?.chat), report: definition?.report });
  }
  return ([only, ...others]) => {
    const { colour, logo, report } =
      others.length === 0 && only !== undefined ? (brands.get(only) ?? {}) : {};
    const settings = settingsOf(report, layout);
    return {
      look: {
        ...NEWEST_LOOK,
        ...(colour === undefined ? {} : { colour }),
        ...(settings === undefined ? {} : { report: settings }),
      },
      ...(logo === undefined ? {} : { logo }),
    };
  };
}

/** Returns what the flow adds to its reports, with the layout of the request; undefined if neither sets anything. */
function settingsOf(
  report: FlowDefinition['report'],
  layout: ReportLayout | undefined,
): ReportSettings | undefined {
  if (report === undefined && layout === undefined) return undefined;
  return { ...report, layout: layout ?? report?.layout ?? DEFAULT_SETTINGS.layout };
}

/** Finds the id of a missing logo in a definition, which cannot be saved with it. */
export async function brandLogoFaults({ chat }: FlowDefinition, logos: Logos): Promise<Fault[]> {
  const { logo } = brandOf(chat);
  if (logo === undefined || logoData(logo) || (await logos.find(logo))) return [];
  const message = 'there is no asset with this id: upload the logo first (POST /api/v1/assets)';
  return [{ path: 'chat.brand.logo', message }];
}
