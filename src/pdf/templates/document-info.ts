import { cutText } from '../../common/texts/cut-text.js';
import type { DocumentDefinition } from './definition.js';

interface Described {
  readonly reportId: string;
  readonly createdAt: number;
  readonly cover: {
    readonly title: string;
    readonly address?: string | undefined;
    readonly company?: string | undefined;
  };
}

const LONGEST = 300;

/** Returns the properties of a report's file, which a reader's window shows. */
export function documentInfo({ cover, reportId, createdAt }: Described): DocumentDefinition['info'] {
  const { title, address, company } = cover;
  return {
    title: address === undefined ? title : `${title}, ${cutText(address.replace(/\s+/g, ' '), LONGEST)}`,
    ...(company === undefined ? {} : { author: cutText(company, LONGEST) }),
    keywords: reportId,
    language: 'en-GB',
    createdAt,
  };
}
