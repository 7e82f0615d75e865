import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ExecutionKind } from '../../api/execution-terms.js';
import { RouteTable } from '../../common/http/route-table.js';
import { storableText } from '../../common/json/json-text.js';

/** The declaration of a recorded route. */
export interface Recording {
  kind: ExecutionKind;
  /** Where the flow's id is, under the name `flowId`, when the path has none. */
  flowIdIn?: 'query';
}

/** Decorates a route each of whose calls has one record, however it ends. */
export const Recorded = Reflector.createDecorator<Recording>();

/** The facts that the address of a call tells before anything else is known of it. */
export interface RecordedCall {
  kind: ExecutionKind;
  flowId?: string;
}

interface Pattern extends Recording {
  /** As they stand between the slashes, parameters too; lower case. */
  segments: readonly string[];
}

const FLOW_ID = ':flowId';
const MOST_ID = 256;

/** Which calls are recorded, known from their address alone: they may be refused before they reach their route. */
@Injectable()
export class RecordedRoutes {
  private readonly patterns: readonly Pattern[];
  /** Of the longest, with a slash at its end. */
  private readonly mostSegments: number;

  constructor(table: RouteTable) {
    this.patterns = table
      .saying(Recorded)
      .map(({ route, said }) => ({ ...said, segments: segmentsOf(route.path) }));
    this.mostSegments = Math.max(0, ...this.patterns.map(({ segments }) => segments.length)) + 1;
  }

  /** From the raw address, because an address that cannot be decoded is a call to an unknown flow too. */
  callTo(url: string): RecordedCall | undefined {
    const [path = '', query = ''] = url.split('?', 2);
    const given = path.split('/', this.mostSegments + 1);
    if (given.length > this.mostSegments) return undefined;
    const pattern = this.patterns.find(({ segments }) => fits(given, segments));
    if (!pattern) return undefined;
    const { kind, flowIdIn, segments } = pattern;
    const flowId = given[segments.indexOf(FLOW_ID)];
    if (flowId !== undefined) return { kind, flowId: decoded(flowId) };
    return { kind, ...(flowIdIn === 'query' ? flowInQuery(query) : {}) };
  }
}

const segmentsOf = (path: string): string[] =>
  path.split('/').map((segment) => (segment === FLOW_ID ? segment : segment.toLowerCase()));

/** Slashes may follow; letters may be large or small, as the router takes them. */
const fits = (given: readonly string[], segments: readonly string[]): boolean =>
  given.length >= segments.length &&
  given.every((segment, index) => {
    const expected = segments[index] ?? '';
    return expected.startsWith(':') ? segment !== '' : segment.toLowerCase() === expected;
  });

function flowInQuery(query: string): { flowId?: string } {
  const flowId = new URLSearchParams(query).get('flowId') ?? '';
  return flowId === '' ? {} : { flowId: storableText(flowId).slice(0, MOST_ID) };
}

function decoded(segment: string): string {
  try {
    return storableText(decodeURIComponent(segment)).slice(0, MOST_ID);
  } catch {
    return segment.slice(0, MOST_ID);
  }
}
