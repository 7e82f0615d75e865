import { Injectable } from '@nestjs/common';
import { DatabaseReader } from '../database/database-reader.js';
import { SharedRead } from '../database/shared-read.js';
import { FlowStore } from '../flows/store/flow-store.js';
import type { FlowCall } from './flow-call.js';

/** The rows about a call's address, flow and key, as they stood when it arrived. */
export interface DoorReading {
  /** Epoch milliseconds; 0 where the address has never been blocked. */
  blockedUntil: number;
  /** Of the flow that the call names; null when there is none. */
  revision: string | null;
  /** The key that `keyHash` belongs to: that of the flow as this process last saw it, or none. */
  keyId: string;
  /** SHA-256 as hexadecimal digits; null when the key was revoked. */
  keyHash: string | null;
}

interface Row {
  address: string;
  flow_id: string;
  key_id: string;
  blocked_until: number | null;
  revision: string | null;
  hash: string | null;
}

const ASKED = '(CAST(? AS text), CAST(? AS text), CAST(? AS text))';

const statement = (count: number): string =>
  `WITH asked (address, flow_id, key_id) AS (VALUES ${Array<string>(count).fill(ASKED).join(', ')})
   SELECT asked.address, asked.flow_id, asked.key_id, blocks.blocked_until, flows.revision, api_keys.hash FROM asked
   LEFT JOIN address_strikes AS blocks ON blocks.address = asked.address
   LEFT JOIN flows ON flows.id = asked.flow_id
   LEFT JOIN api_keys ON api_keys.id = asked.key_id AND api_keys.revoked_at IS NULL`;

/**
 * Reads the caller's block, the flow and its key for the checks in front of a flow: one statement for all three, and
 * for all calls that come at the same time. Read anew for each call, so that changes by other replicas hold at once.
 */
@Injectable()
export class DoorReadings {
  private readonly rows: SharedRead<Row>;
  private readonly known = new WeakMap<FlowCall, Promise<DoorReading>>();

  constructor(
    reader: DatabaseReader,
    private readonly flows: FlowStore,
  ) {
    const keyOf = (row: Row) => [row.address, row.flow_id, row.key_id];
    this.rows = new SharedRead(reader, statement, keyOf);
  }

  /** Read once a call. */
  of(call: FlowCall): Promise<DoorReading> {
    let reading = this.known.get(call);
    if (!reading) this.known.set(call, (reading = this.read(call.address, call.flowId)));
    return reading;
  }

  async read(address: string, flowId = ''): Promise<DoorReading> {
    const flow = FlowStore.isFlowId(flowId) ? flowId : '';
    const keyId = this.flows.kept(flow)?.access.apiKeyId ?? '';
    const row = await this.rows.one(address, flow, keyId);
    return {
      blockedUntil: row?.blocked_until ?? 0,
      revision: row?.revision ?? null,
      keyId,
      keyHash: row?.hash ?? null,
    };
  }
}
