import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ExecutionKind } from '../../api/execution-terms.js';
import { RouteTable } from '../../common/http/route-table.js';
import { storableText } from '../../common/json/json-text.js';

/** The declaration of a recorded route. */
export interface Recording {
  kind: ExecutionKind;
  /** Place of the flow's id, named `flowId`, if the path has none. */
  flowIdIn?: 'query';
}

/** Marks a route whose calls have one record each, however they end. */
export const Recorded = Reflector.createDecorator<Recording>();

/** The kind and flow of a call, read from its address alone. */
export interface RecordedCall {
  kind: ExecutionKind;
  flowId?: string;
}

interface Pattern extends Recording {
  /** Path segments and parameters in lower case. */
  segments: readonly string[];
}

const FLOW_ID = ':flowId';
const MOST_ID = 256;

/** Recognises recorded calls by their address alone, since they may be refused before they reach their route. */
@Injectable()
export class RecordedRoutes {
  private readonly patterns: readonly Pattern[];
  /** Segments of the longest pattern, plus a trailing slash. */
  private readonly mostSegments: number;

  constructor(table: RouteTable) {
    this.patterns = table
      .withDecorator(Recorded)
      .map(({ route, value: said }) => ({ ...said, segments: segmentsOf(route.path) }));
    this.mostSegments = Math.max(0, ...this.patterns.map(({ segments }) => segments.length)) + 1;
  }

  /** Matches the raw address, because one that cannot be decoded is a call to an unknown flow too. */
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

/** Accepts trailing slashes and any case, as the router does. */
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
