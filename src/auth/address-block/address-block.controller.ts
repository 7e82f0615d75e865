import { Controller, Delete, Get, HttpCode, Param, UseGuards } from '@nestjs/common';
import { addressBlock, type AddressBlockView } from '../../api/access.js';
import { answered, NOTHING } from '../../api/route-note.js';
import { type PageOf, pageSchema } from '../../api/shapes.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { countedAddress } from '../../common/http/client-address.js';
import { Documented } from '../../common/http/route-table.js';
import { isoTime } from '../../common/iso-time.js';
import { NotFound } from '../../common/service-error.js';
import { AddressBlock } from './address-block.js';

/** Lists and lifts address blocks, for admins (contract sections 4 and 8). */
@Controller('api/v1/address-blocks')
@UseGuards(AdminGuard)
export class AddressBlockController {
  constructor(private readonly addressBlock: AddressBlock) {}

  @Documented({
    summary: 'List blocked addresses',
    answers: answered('The addresses that are blocked now.', pageSchema(addressBlock)),
  })
  @Get()
  async list(): Promise<PageOf<AddressBlockView>> {
    const blocked = await this.addressBlock.list();
    return {
      data: blocked.map(({ address, blockedAt, blockedUntil }) => ({
        address,
        blockedAt: isoTime(blockedAt),
        blockedUntil: isoTime(blockedUntil),
      })),
      nextCursor: null,
    };
  }

  /** `:address` is an address of the list (`%2F` for the slash of a /64), or any address of that network. */
  @Documented({ summary: 'Unblock an address', errors: ['not_found'], answers: NOTHING })
  @Delete(':address')
  @HttpCode(204)
  async lift(@Param('address') address: string): Promise<void> {
    const [network = ''] = address.split('/', 1);
    const counted = countedAddress(network);
    // Callers without a known address share one entry; a misspelt address must not lift their block.
    const named = counted !== 'unknown' || address === counted;
    if (!named || !(await this.addressBlock.lift(counted))) throw new NotFound('A block of this address');
  }
}
