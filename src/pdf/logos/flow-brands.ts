import { Injectable } from '@nestjs/common';
import { brandOf, type ChatBrand } from '../../flows/definition/chat-brand.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { NEWEST_LOOK, type ReportLook } from '../../inspection/report/report-look.js';

/** The brand that reports of these flows bear: that of the one flow whose photographs are shown, else none. */
export interface ReportBrand {
  /** `chat.brand.logo` of that flow. */
  readonly logo?: string;
  readonly look: ReportLook;
}

/** The brands of flows (`chat.brand`), for reports of what was photographed under them. */
@Injectable()
export class FlowBrands {
  constructor(private readonly flows: FlowStore) {}

  /** Reads them as they stand now; the answer then decides without waiting, within a transaction. */
  async of(flowIds: readonly string[]): Promise<(shown: readonly string[]) => ReportBrand> {
    const brands = new Map<string, ChatBrand>();
    for (const id of flowIds) brands.set(id, brandOf((await this.flows.find(id))?.definition.chat));
    return ([only, ...others]) => {
      const brand = others.length === 0 && only !== undefined ? (brands.get(only) ?? {}) : {};
      const { colour, logo } = brand;
      return {
        look: { ...NEWEST_LOOK, ...(colour === undefined ? {} : { colour }) },
        ...(logo === undefined ? {} : { logo }),
      };
    };
  }
}
