import { use, useEffect, useState } from 'react';
import { AnswerContext } from './answer-context.js';
import { DownloadIcon, ReportIcon } from './icons.js';
import { ReportActions } from './share-report.js';
import { sizeInWords } from './size-in-words.js';

const PATH = /^\/api\/v1\/pdf\/reports\/[^/]+\/file$/;

/** Returns whether a link is to a report of this service; no other link may look like one. */
export function isReport(href: string, origin: string): boolean {
  const url = new URL(href);
  return (url.origin === origin || url.origin === location.origin) && PATH.test(url.pathname);
}

/** A link to a report, with its file name and size once they are known, and ways to pass it on. */
export function ReportCard({ href }: { href: string }) {
  const facts = useFacts(href);
  const { growing } = use(AnswerContext);
  const { pathname, search } = new URL(href);
  const card = (
    <a className="report" href={href} download rel="noopener noreferrer">
      <span className="report-mark">
        <ReportIcon />
      </span>
      <span className="report-words">
        <strong>{facts.name ?? 'Inspection report'}</strong>
        <span>{facts.note}</span>
      </span>
      <DownloadIcon />
    </a>
  );
  if (growing || facts.isGone) return card;
  return (
    <>
      {card}
      <ReportActions href={href} path={`${pathname}${search}`} name={facts.name ?? 'Inspection report.pdf'} />
    </>
  );
}

interface Facts {
  name?: string;
  note: string;
  /** The link is no longer valid. */
  isGone?: boolean;
}

function useFacts(href: string): Facts {
  const { growing } = use(AnswerContext);
  const [facts, setFacts] = useState<Facts>({ note: 'PDF' });
  useEffect(() => {
    // Do not fetch a URL that is still incomplete.
    if (growing) return;
    const controller = new AbortController();
    const url = new URL(href);
    // Use this page's origin, since the service may write its links with another host name.
    fetch(`${url.pathname}${url.search}`, { method: 'HEAD', signal: controller.signal })
      .then((answer) => {
        if (!answer.ok) return setFacts({ note: 'This link is no longer valid', isGone: true });
        const name = /filename="([^"]{1,200})"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1];
        const bytes = Number(answer.headers.get('Content-Length'));
        setFacts({ ...(name ? { name } : {}), note: bytes > 0 ? `PDF, ${sizeInWords(bytes)}` : 'PDF' });
      })
      .catch(() => undefined);
    return () => controller.abort();
  }, [href, growing]);
  return facts;
}
